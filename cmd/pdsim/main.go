// Command pdsim simulates how the KV cache of a request gets from a prefill to a decode engine, and what that does to the
// times that a client sees.
//
// Each verb has a file of its own. Results go to standard output, everything else to standard error. The exit status is 2
// for the user's mistakes and 1 for the program's.
package main

import "os"

func main() { os.Exit(execute(os.Args[1:], os.Stdout, os.Stderr)) }
