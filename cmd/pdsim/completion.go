package main

import (
	"github.com/spf13/cobra"

	"pdsim/protocols"
	"pdsim/scenarios"
)

// The completion verb itself is cobra's; here is what it offers after the verbs of pdsim.

// refuseShells has the completion verb refuse shells that it does not know, as other verbs do, instead of showing its help.
func refuseShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Args, cmd.RunE = cobra.ArbitraryArgs, verbs
		}
	}
}

// completeScenarios offers built-in scenarios, and files.
func completeScenarios(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return scenarios.Builtin(), cobra.ShellCompDirectiveDefault
}

// completeProtocols offers protocols.
func completeProtocols(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, e := range protocols.All() {
		names = append(names, e.Name())
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// completeKeys offers the keys of a scenario, each with its equals sign.
func completeKeys(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var keys []string
	for _, k := range scenarios.Keys() {
		keys = append(keys, k.Path+"=")
	}
	return keys, cobra.ShellCompDirectiveNoSpace | cobra.ShellCompDirectiveNoFileComp
}

// completeFlags gives the flags that a command has their words. Without formats they are those of results.
func completeFlags(cmd *cobra.Command, formats ...string) {
	if len(formats) == 0 {
		formats = []string{"table", "json", "csv"}
	}
	for name, complete := range map[string]cobra.CompletionFunc{
		"set": completeKeys, "vary": completeKeys, "protocol": completeProtocols, "format": cobra.FixedCompletions(formats, cobra.ShellCompDirectiveNoFileComp),
	} {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic("pdsim: " + err.Error()) // the flag was there
		}
	}
}
