package read

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
)

// BenchName is what the name of a result file says, `<mode>_qps<q>_in<i>_out<o>_iter<n>.json`.
type BenchName struct {
	Mode   string  // such as "pull"
	QPS    float64 // requests per second
	Input  int     // tokens of a prompt
	Output int     // tokens of an answer
	Iter   int     // number of the repetition
}

var benchName = regexp.MustCompile(`^(.+)_qps([0-9]*\.?[0-9]+)_in(\d{1,9})_out(\d{1,9})_iter(\d{1,9})\.json(\.gz)?$`)

// ParseBenchName takes the name of a result file, without folders, apart.
func ParseBenchName(name string) (BenchName, bool) {
	m := benchName.FindStringSubmatch(name)
	if m == nil {
		return BenchName{}, false
	}
	b := BenchName{Mode: m[1]}
	b.QPS, _ = strconv.ParseFloat(m[2], 64)
	b.Input, _ = strconv.Atoi(m[3])
	b.Output, _ = strconv.Atoi(m[4])
	b.Iter, _ = strconv.Atoi(m[5])
	return b, true
}

// Compare orders by mode, rate, lengths and repetition.
func (b BenchName) Compare(o BenchName) int {
	return cmp.Or(cmp.Compare(b.Mode, o.Mode), cmp.Compare(b.QPS, o.QPS), cmp.Compare(b.Input, o.Input), cmp.Compare(b.Output, o.Output), cmp.Compare(b.Iter, o.Iter))
}

// BenchDir reads all result files of a folder whose names say what was run, in the order of their names' meaning. Other
// files are returned by name, unread.
func BenchDir(folder fs.FS, opt Options, to func(BenchName, *Bench) error) (notes *Notes, others []string, err error) {
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		return nil, nil, err
	}
	type file struct {
		BenchName
		path string
	}
	var files []file
	for _, e := range entries {
		if n, ok := ParseBenchName(e.Name()); ok && !e.IsDir() {
			files = append(files, file{n, e.Name()})
		} else {
			others = append(others, e.Name())
		}
	}
	if len(files) == 0 {
		return nil, others, fmt.Errorf("want files named as pull_qps8_in16384_out128_iter1.json, have none among %d", len(others))
	}
	slices.SortFunc(files, func(a, b file) int { return a.Compare(b.BenchName) })
	notes = &Notes{}
	for _, f := range files {
		err := inFS(folder, f.path, func(r io.Reader) error {
			n, err := Benches(f.path, r, opt, func(b *Bench) error { return to(f.BenchName, b) })
			notes.Add(n)
			return err
		})
		if err != nil {
			return notes, others, err
		}
	}
	return notes, others, nil
}

// inFS opens a file of a file system and hands its text to a function.
func inFS(folder fs.FS, path string, do func(io.Reader) error) error {
	f, err := folder.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return do(f)
}
