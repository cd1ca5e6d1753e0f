package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pdsim/scenarios"
)

func newScenarios() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenarios",
		Short: "List, show and start scenarios",
		Args:  cobra.ArbitraryArgs,
		RunE:  verbs,
	}
	cmd.AddCommand(newScenariosList(), newScenariosShow(), newScenariosInit())
	return cmd
}

func newScenariosList() *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the built-in scenarios",
		Args:  wanting(0, 0, "no arguments"),
		RunE: verb(func(cmd *cobra.Command, _ []string) error {
			l := listing{heads: []string{"scenario", "what"}}
			for _, name := range scenarios.Builtin() {
				sp, err := scenarios.Load(name, nil)
				if err != nil {
					return err
				}
				l.rows = append(l.rows, []string{name, sp.Description})
			}
			return l.write(cmd.OutOrStdout(), format, out)
		}),
	}
	registerOutput(cmd, &format, &out)
	return cmd
}

func newScenariosShow() *cobra.Command {
	var set []string
	var effective bool
	cmd := &cobra.Command{
		Use:   "show SCENARIO",
		Short: "Print a scenario's TOML",
		Long: "Show prints a scenario as it is written, comments included. With --effective or --set it prints every key with the\n" +
			"value that a run would use.",
		Args:              wanting(1, 1, "one scenario, such as p5en-qwen3-32b"),
		ValidArgsFunction: completeScenarios,
		RunE: verb(func(cmd *cobra.Command, args []string) error {
			sp, err := scenarios.Load(args[0], set)
			if err != nil {
				return err
			}
			text := sp.Encode()
			if !effective && len(set) == 0 {
				if text, err = scenarios.Source(args[0]); err != nil {
					return err
				}
			}
			_, err = cmd.OutOrStdout().Write(text)
			return err
		}),
	}
	cmd.Flags().StringArrayVarP(&set, "set", "s", nil, "override a key, such as decode.tp=4; repeatable")
	cmd.Flags().BoolVar(&effective, "effective", false, "every key, with defaults filled in")
	return cmd
}

func newScenariosInit() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "init [NAME|NAME.toml]",
		Short: "Write a commented TOML file with every key at its default",
		Long: "Init writes a scenario in which every key has its default and a comment. With a name that ends in .toml it makes that\n" +
			"file, whole or not at all, and never over one that exists; with another name, or none, it prints the text.",
		Example: "  pdsim scenarios init mine.toml\n" +
			"  pdsim scenarios init mine > mine.toml",
		Args: wanting(0, 1, "one name at most"),
		RunE: verb(func(cmd *cobra.Command, args []string) error {
			name := "mine"
			if len(args) > 0 {
				name = args[0]
			}
			option := "--out"
			if stem, isFile := strings.CutSuffix(name, ".toml"); isFile {
				if out == "" {
					out, option = name, "init"
				}
				name = filepath.Base(stem)
			}
			if _, err := os.Lstat(out); out != "" && err == nil {
				return misuse("%s %s: want a new file, have one that exists", option, out)
			}
			if err := checkWritable(option, out); err != nil {
				return err
			}
			return writeTo(out, cmd.OutOrStdout(), func(w io.Writer) error { return scenarios.Init(w, name) })
		}),
	}
	cmd.Flags().StringVarP(&out, "out", "o", "", "file to write (default: standard output)")
	return cmd
}
