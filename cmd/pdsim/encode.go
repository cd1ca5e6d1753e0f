package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

	"pdsim/scenarios"
)

// writeJSON writes results as an array of objects.
func writeJSON(w io.Writer, results []*scenarios.Result) error {
	text, err := json.MarshalIndent(results, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// writeCSV writes a row for each result. Columns are the JSON's fields; a field within another has both names.
func writeCSV(w io.Writer, results []*scenarios.Result) error {
	out := csv.NewWriter(w)
	for i, r := range results {
		names, values, err := flat("", reflect.ValueOf(*r))
		if err != nil {
			return err
		}
		if i == 0 {
			out.Write(names) // Error tells
		}
		out.Write(values)
	}
	out.Flush()
	return out.Error()
}

// flat lists the fields of a struct with their JSON names, those of inner structs in their place.
func flat(prefix string, v reflect.Value) (names, values []string, err error) {
	for i := range v.NumField() {
		f, field := v.Type().Field(i), v.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if field.Kind() == reflect.Struct {
			inner := prefix
			if !f.Anonymous {
				inner += name + "."
			}
			n, vs, err := flat(inner, field)
			if err != nil {
				return nil, nil, err
			}
			names, values = append(names, n...), append(values, vs...)
			continue
		}
		text, err := cell(field)
		if err != nil {
			return nil, nil, err
		}
		names, values = append(names, prefix+name), append(values, text)
	}
	return names, values, nil
}

// cell writes a value as JSON does, but texts bare, lists parted by semicolons and nothing for null.
func cell(v reflect.Value) (string, error) {
	switch x := v.Interface().(type) {
	case string:
		return x, nil
	case []string:
		return strings.Join(x, ";"), nil
	}
	text, err := json.Marshal(v.Interface())
	if err != nil {
		return "", fmt.Errorf("results in CSV: %w", err)
	}
	if string(text) == "null" {
		return "", nil
	}
	return string(text), nil
}
