package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/scenarios"
)

// Exit codes.
const (
	exitFine  = 0
	exitOurs  = 1
	exitUsers = 2
)

// execute runs a command line and returns the exit code.
func execute(args []string, stdout, stderr io.Writer) int {
	cmd := newRoot()
	cmd.SetArgs(args)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	err := cmd.Execute()
	if err == nil {
		return exitFine
	}
	fmt.Fprintln(stderr, strings.TrimRight(err.Error(), "\n"))
	var ours *fault
	if errors.As(err, &ours) {
		return exitOurs
	}
	return exitUsers
}

func newRoot() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pdsim",
		Short: "Simulate prefill/decode KV transfer for LLM serving",
		Long: "pdsim replays protocols that move the KV cache from prefill to decode engines over a model of compute, engine\n" +
			"loops, descriptor posting and network rails, and says what a client would have seen.\n\n" +
			"Start with: pdsim run p5en-qwen3-32b",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE:          verbs,
	}
	cmd.AddCommand(newRun(), newSweep(), newExplain(), newTrace(), newScenarios(), newProtocols(), newValidate(), newCalibrate(), newServe(), newVersion())
	refuseShells(cmd)
	return cmd
}

// verbs is the function of a command that only has others below it: its help, or what was meant by a word that is none of
// them.
func verbs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	hint := ""
	cmd.SuggestionsMinimumDistance = 2 // letters that may be wrong
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = fmt.Sprintf("; did you mean %q?", near[0])
	}
	return misuse("unknown command %q for %q%s", args[0], cmd.CommandPath(), hint)
}

// wanting refuses another number of arguments than least to most.
func wanting(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return misuse("%s: want %s", cmd.Name(), what)
		}
		return nil
	}
}

// fault is an error that is not the user's: a broken promise of the program, or of the machine.
type fault struct{ error }

// Unwrap returns the error itself.
func (f *fault) Unwrap() error { return f.error }

// misuse is a user's mistake in the command line that no scenario shows.
func misuse(format string, args ...any) error {
	return &scenarios.Mistakes{List: []scenarios.Mistake{{Want: fmt.Sprintf(format, args...)}}}
}

// verb makes a command's function out of one whose errors are faults unless they are a user's mistakes.
func verb(do func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := do(cmd, args)
		var users *scenarios.Mistakes
		if err == nil || errors.As(err, &users) {
			return err
		}
		return &fault{err}
	}
}
