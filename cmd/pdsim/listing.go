package main

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
)

// listing is a small table of texts.
type listing struct {
	heads []string
	rows  [][]string
}

// write writes the listing in a form, to a file or to stdout.
func (l *listing) write(stdout io.Writer, format, out string) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	if err := checkWritable("--out", out); err != nil {
		return err
	}
	return writeTo(out, stdout, func(w io.Writer) error {
		switch format {
		case "csv":
			return csv.NewWriter(w).WriteAll(append([][]string{l.heads}, l.rows...))
		case "json":
			return l.writeJSON(w)
		}
		return l.writeTable(w, columns(stdout))
	})
}

// writeJSON writes an array of objects whose fields have the order of the heads, which a map would lose.
func (l *listing) writeJSON(w io.Writer) error {
	objects := make([]json.RawMessage, 0, len(l.rows))
	for _, row := range l.rows {
		var fields []string
		for i, text := range row {
			name, err := json.Marshal(l.heads[i])
			if err != nil {
				return err
			}
			value, err := json.Marshal(text)
			if err != nil {
				return err
			}
			fields = append(fields, string(name)+":"+string(value))
		}
		objects = append(objects, json.RawMessage("{"+strings.Join(fields, ",")+"}"))
	}
	text, err := json.MarshalIndent(objects, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// writeTable writes the listing with its last column cut to what the width leaves.
func (l *listing) writeTable(w io.Writer, width int) error {
	cols := make([]column, len(l.heads))
	for i, head := range l.heads {
		cols[i].head = head
		for _, row := range l.rows {
			cols[i].cells = append(cols[i].cells, row[i])
		}
		if i == len(l.heads)-1 {
			cols[i].shorten(width)
		}
		width -= cols[i].width()
	}
	return writeTable(w, cols)
}
