package catalogue

import "testing"

func TestMeasure(t *testing.T) {
	for _, c := range []struct {
		path, text string
		want       float64
	}{
		{"backend.post_read", "2.5us", 2.5e6}, {"backend.post_fixed", "50us", 5e4}, {"fabric.read_efficiency", "0.75", 0.75},
		{"instance.rail_rate", "100Gb/s", 12.5e9},
	} {
		if have, err := Measure(c.path, c.text); err != nil || have != c.want {
			t.Errorf("%s, %s: have %v, %v, want %v", c.path, c.text, have, err, c.want)
		}
	}
	for _, path := range []string{"backend.pool_threads", "software.packed_kv", "backend.none", "none.none", "backend"} {
		if have, err := Measure(path, "1"); err == nil {
			t.Errorf("%s: have %v, want an error", path, have)
		}
	}
}
