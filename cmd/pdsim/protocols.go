package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/docs"
	"pdsim/protocols"
	"pdsim/scenarios"
)

func newProtocols() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "protocols",
		Short: "List and describe protocols",
		Args:  cobra.ArbitraryArgs,
		RunE:  verbs,
	}
	cmd.AddCommand(newProtocolsList(), newProtocolsDescribe())
	return cmd
}

func newProtocolsList() *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the protocols",
		Args:  wanting(0, 0, "no arguments"),
		RunE: verb(func(cmd *cobra.Command, _ []string) error {
			l := listing{heads: []string{"protocol", "what"}}
			for _, e := range protocols.All() {
				l.rows = append(l.rows, []string{e.Name(), e.Summary})
			}
			return l.write(cmd.OutOrStdout(), format, out)
		}),
	}
	registerOutput(cmd, &format, &out)
	return cmd
}

func newProtocolsDescribe() *cobra.Command {
	return &cobra.Command{
		Use:               "describe PROTOCOL",
		Short:             "Say what a protocol does",
		Args:              wanting(1, 1, "one protocol"),
		ValidArgsFunction: completeProtocols,
		RunE: verb(func(cmd *cobra.Command, args []string) error {
			all := protocols.All()
			i := slices.IndexFunc(all, func(e protocols.Entry) bool { return e.Name() == args[0] })
			if i < 0 {
				return unknownProtocol(args[0])
			}
			page, err := docs.Protocols.ReadFile("protocols/" + args[0] + ".md")
			if err != nil {
				return err
			}
			_, err = cmd.OutOrStdout().Write(page)
			return err
		}),
	}
}

func unknownProtocol(name string) error {
	var names []string
	for _, e := range protocols.All() {
		names = append(names, e.Name())
	}
	if near := scenarios.Near(name, names); near != "" {
		return misuse("unknown protocol %q; did you mean %q?", name, near)
	}
	return misuse("unknown protocol %q: want one of %s", name, strings.Join(names, ", "))
}
