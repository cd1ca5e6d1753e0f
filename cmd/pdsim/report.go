package main

import (
	"fmt"
	"io"
	"strings"

	"pdsim/scenarios"
)

// report is the results of one scenario, a protocol each.
type report struct {
	spec    *scenarios.Spec
	results []*scenarios.Result
}

// writeHead writes which scenario ran and how, so that the same can be had again.
func writeHead(w io.Writer, sp *scenarios.Spec, set []string) {
	fmt.Fprintf(w, "pdsim %s\nscenario %s, hash %s, seed %d\n", version(), sp.Name, sp.Hash(), sp.Run.Seed)
	if sp.Description != "" {
		fmt.Fprintln(w, sp.Description)
	}
	if len(set) > 0 {
		fmt.Fprintln(w, "set:", strings.Join(set, ", "))
	}
	fmt.Fprintln(w)
}

// write writes the report as a table of figures by protocols, as many side by side as the width takes.
func (r *report) write(w io.Writer, width int) error {
	writeHead(w, r.spec, r.spec.Set)
	for done := 0; done < len(r.results); {
		cols := r.columns(r.results[done:])
		n := max(fitting(cols, width), 2)
		if err := writeTable(w, cols[:n]); err != nil {
			return err
		}
		done += min(n, len(r.results[done:])+1) - 1
		fmt.Fprintln(w)
	}
	r.writeReasons(w)
	return r.writeRatios(w)
}

// columns is a column of names, one for each protocol, and their ratio when there are two.
func (r *report) columns(results []*scenarios.Result) []column {
	names := column{head: "per protocol"}
	for _, f := range figures {
		names.cells = append(names.cells, f.head())
	}
	cols := []column{names}
	for _, res := range results {
		c := column{head: res.Protocol, right: true}
		for _, f := range figures {
			c.cells = append(c.cells, f.text(res))
		}
		cols = append(cols, c)
	}
	if len(results) == 2 && len(r.results) == 2 {
		c := column{head: results[1].Protocol + "/" + results[0].Protocol, right: true}
		for _, f := range figures {
			c.cells = append(c.cells, f.ratio(results[1], results[0]))
		}
		cols = append(cols, c)
	}
	return cols
}

// writeReasons says why requests failed, if any did.
func (r *report) writeReasons(w io.Writer) {
	for _, res := range r.results {
		if res.Reason != "" {
			fmt.Fprintf(w, "%s: first failed request: %s\n", res.Protocol, res.Reason)
		}
	}
}

// writeRatios compares the protocols' mean TTFT with the first one's.
func (r *report) writeRatios(w io.Writer) error {
	if len(r.results) < 2 {
		return nil
	}
	var ratios []string
	for _, res := range r.results[1:] {
		ratios = append(ratios, fmt.Sprintf("%s/%s %s", res.Protocol, r.results[0].Protocol, figures[0].ratio(res, r.results[0])))
	}
	_, err := fmt.Fprintf(w, "mean TTFT: %s\n", strings.Join(ratios, ", "))
	return err
}
