package compute

import (
	"embed"
	"fmt"
	"strconv"
)

// Tables of measured kernels and steps; data/PROVENANCE.md says where each comes from.
//
//go:embed data/*.csv
var data embed.FS

// tables are the measured kernels of one GPU. Every method returns nanoseconds of one kernel of one layer.
type tables struct {
	gemms, decodes, prefills, reduces, small *sheet
}

// loadTables reads the tables of a GPU by the name that its files carry.
func loadTables(gpu string) (*tables, error) {
	t := &tables{}
	for _, f := range []struct {
		name string
		keys int
		to   **sheet
	}{
		{gpu + "_gemm.csv", 3, &t.gemms},
		{gpu + "_decode_attention.csv", 3, &t.decodes},
		{gpu + "_prefill_attention.csv", 3, &t.prefills},
		{gpu + "_all_reduce.csv", 2, &t.reduces},
		{"rtxpro6000_small_kernels.csv", 1, &t.small},
	} {
		file, err := data.Open("data/" + f.name)
		if err != nil {
			return nil, fmt.Errorf("compute: no kernel tables of %q", gpu)
		}
		*f.to, err = readSheet(f.name, file, f.keys)
		file.Close()
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

// ladder is a family of samples by a second size, such as GEMMs of one k by n or attention of one head count by batch.
type ladder struct {
	size    []float64
	samples []samples
}

func (l *ladder) add(size float64, s samples) {
	l.size, l.samples = append(l.size, size), append(l.samples, s)
}

// at interpolates linearly in the second size and in x; outside the measured sizes it behaves as samples.at does.
func (l *ladder) at(size, x float64) float64 {
	last := len(l.size) - 1
	switch {
	case size <= l.size[0]:
		return l.samples[0].at(x)
	case size >= l.size[last]:
		return l.samples[last].at(x) * size / l.size[last]
	}
	i := 0
	for l.size[i+1] < size {
		i++
	}
	return between(l.size[i], l.samples[i].at(x), l.size[i+1], l.samples[i+1].at(x), size)
}

// gemm returns the time of a product [m, k] x [k, n] over m, when n or k is a hidden size that was measured. The other
// one is interpolated linearly between its measured neighbours: at a fixed m the time of a product is a constant and a
// part that is proportional to the weights. Above the largest, an LM head, it is scaled by the weights.
func (t *tables) gemm(dtype string, n, k int) (func(m float64) float64, error) {
	fixed, other, size := 2, 1, n // keys: dtype, n, k
	if !t.measured(dtype, 2, k) {
		fixed, other, size = 1, 2, k
	}
	want := strconv.Itoa(n)
	if fixed == 2 {
		want = strconv.Itoa(k)
	}
	var l ladder
	for _, row := range t.gemms.rows {
		if row.keys[0] != dtype || row.keys[fixed] != want {
			continue
		}
		x, err := strconv.Atoi(row.keys[other])
		if err != nil {
			return nil, fmt.Errorf("%s: n or k: %w", t.gemms.name, err)
		}
		l.add(float64(x), row.samples)
	}
	if len(l.size) < 2 {
		return nil, fmt.Errorf("compute: no measured %s product of n = %d, k = %d", dtype, n, k)
	}
	return func(m float64) float64 { return l.at(float64(size), m) }, nil
}

// measured says whether products of many sizes were measured with value in a key column.
func (t *tables) measured(dtype string, column, value int) bool {
	n, want := 0, strconv.Itoa(value)
	for _, row := range t.gemms.rows {
		if row.keys[0] == dtype && row.keys[column] == want {
			n++
		}
	}
	return n > 2
}

// attention returns the family by batch of one head count. kv is "bfloat16" or "fp8".
func attention(s *sheet, kv string, heads int) (*ladder, error) {
	l, want := &ladder{}, strconv.Itoa(heads)
	for _, row := range s.rows {
		if row.keys[0] != kv || row.keys[1] != want {
			continue
		}
		batch, err := strconv.Atoi(row.keys[2])
		if err != nil {
			return nil, fmt.Errorf("%s: batch: %w", s.name, err)
		}
		l.add(float64(batch), row.samples)
	}
	if len(l.size) < 2 {
		return nil, fmt.Errorf("compute: %s has no rows of %s with %d heads a rank", s.name, kv, heads)
	}
	return l, nil
}
