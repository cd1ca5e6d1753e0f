package catalogue

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// TestEveryValueHasASource walks all entries: a source each, a range around the value, and a range wherever it is inferred
// and not nothing.
func TestEveryValueHasASource(t *testing.T) {
	c, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range []any{c.GPUs, c.Instances, c.Fabrics, c.Backends, c.Software} {
		for it := reflect.ValueOf(m).MapRange(); it.Next(); {
			n += checkEntry(t, it.Key().String(), it.Value().Elem())
		}
	}
	if n < 300 {
		t.Errorf("only %d values", n)
	}
}

func checkEntry(t *testing.T, name string, entry reflect.Value) (n int) {
	for i := range entry.NumField() {
		f, key := entry.Field(i), name+"."+entry.Type().Field(i).Name
		if !strings.HasPrefix(f.Type().Name(), "Sourced[") {
			continue
		}
		n++
		if strings.TrimSpace(f.FieldByName("Source").String()) == "" {
			t.Errorf("%s has no source", key)
		}
		r, v := f.FieldByName("Range"), f.FieldByName("Value")
		switch r.Len() {
		case 0:
		case 2:
			if number(r.Index(0)) > number(v) || number(v) > number(r.Index(1)) {
				t.Errorf("%s: %v is outside its range %v", key, v, r)
			}
		default:
			t.Errorf("%s: a range has two ends, have %d", key, r.Len())
		}
	}
	return n
}

func number(v reflect.Value) float64 {
	if v.CanInt() {
		return float64(v.Int())
	}
	return v.Float()
}

func TestReferencesResolve(t *testing.T) {
	c, err := Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Names(c.Instances) {
		in := c.Instances[name]
		if _, err := c.GPU(in.GPU); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := c.Fabric(in.Fabric); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, b := range c.Backends {
		if b.NotifyWrite != "data" && b.NotifyWrite != "poll" {
			t.Errorf("%s: notify_write = %q", name, b.NotifyWrite)
		}
	}
}

func ExampleCatalogue_GPU() {
	c, err := Builtin()
	if err != nil {
		panic(err)
	}
	gpu, _ := c.GPU("h200")
	fmt.Println(gpu.BF16.Value, "from", gpu.BF16.Source)
	_, err = c.GPU("h20o")
	fmt.Println(err)
	// Output:
	// 989.5TFLOP/s from NVIDIA H200 datasheet, 1,979 with sparsity
	// unknown GPU "h20o"; nearest: h200, b200, h100
}
