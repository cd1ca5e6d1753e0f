package read

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Row is one row of a CSV table, its fields by the names of the header.
type Row struct {
	Line   int // in the file, from 1
	Fields map[string]string
}

// Number returns a field as a number. It is false where the field is empty or not there, and an error where it is
// something else than a finite number.
func (r *Row) Number(name string) (float64, bool, error) {
	text := strings.TrimSpace(r.Fields[name])
	if text == "" {
		return 0, false, nil
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false, fmt.Errorf("line %d: %s: want a finite number, have %q", r.Line, name, clip(text))
	}
	return v, true, nil
}

// Rows reads a CSV table. Lines that begin with # are comments; the first other line names the columns. A field may be
// quoted but goes on no further than its line. Empty fields count in Notes.Missing, fields that are NaN or infinite in
// Notes.NonFinite.
func Rows(name string, r io.Reader, opt Options, to func(Row) error) (*Notes, error) {
	s := newSource(name, opt)
	var columns []string
	err := s.each(r, longestLog, func(line []byte, number int) error {
		if text := bytes.TrimSpace(line); len(text) == 0 || text[0] == '#' {
			return nil
		}
		fields, err := cut(line)
		switch {
		case err != nil:
			return err
		case columns == nil:
			columns, err = header(fields)
			if err != nil {
				return stop{s.at(number, err)} // without names there is nothing to go on with
			}
			return nil
		case len(fields) != len(columns):
			return fmt.Errorf("want %d fields, have %d", len(columns), len(fields))
		}
		return hand(&s, s.fields(number, columns, fields), to)
	})
	if err == nil && columns == nil {
		err = s.at(1, errors.New("want a line with the names of the columns, have none"))
	}
	return s.notes, err
}

// cut cuts a line into its fields.
func cut(line []byte) ([]string, error) {
	fields, err := csv.NewReader(bytes.NewReader(line)).Read()
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		return nil, parse.Err
	}
	return fields, err
}

// header checks the names of the columns.
func header(fields []string) ([]string, error) {
	for i, f := range fields {
		fields[i] = strings.TrimSpace(f)
		if slices.Contains(fields[:i], fields[i]) {
			return nil, fmt.Errorf("two columns are named %q", clip(fields[i]))
		}
	}
	return fields, nil
}

func (s *source) fields(line int, columns, fields []string) Row {
	row := Row{line, make(map[string]string, len(columns))}
	for i, c := range columns {
		row.Fields[c] = fields[i]
		if fields[i] == "" {
			s.notes.lack(c, 1)
		}
		if v, err := strconv.ParseFloat(fields[i], 64); err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
			s.notes.NonFinite++
		}
	}
	return row
}
