package main

import (
	"errors"
	"flag"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what scripts compare with")

// TestMain makes the test binary the command, too, so that scripts need no build.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"pdsim": main})
}

// TestScripts plays what a user types.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Cmds:                map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			env.Setenv("COLUMNS", "100")
			return nil
		},
	})
}

// exits runs a command and compares its exit code: exits 2 pdsim run nothing.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	have := 0
	var exit *exec.ExitError
	switch err := ts.Exec(args[1], args[2:]...); {
	case errors.As(err, &exit):
		have = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if have != want {
		ts.Fatalf("want exit code %d, have %d", want, have)
	}
}
