package scenarios

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"pdsim/model/metric"
)

// The published case is told in docs/published-case.md; its tables stand between marks and are made here.

// variant is a change to the published scenario with a word for it.
type variant struct {
	what string
	set  []string
}

var mechanisms = []variant{
	{"as it is", nil},
	{"no sequence cap (`decode.max_num_seqs=1024`)", []string{"decode.max_num_seqs=1024"}},
	{"nothing fragmented (`network.merge=always`)", []string{"network.merge=always"}},
	{"everything fragmented (`network.merge=never`)", []string{"network.merge=never"}},
	{"no prefix cache on P (`prefill.prefix_caching=false`)", []string{"prefill.prefix_caching=false"}},
	{"P's cache cold at the start (`workload.warmup=0`)", []string{"workload.warmup=0"}},
	{"WRITE announced by P's poll (`network.notification=poll`)", []string{"network.notification=poll"}},
	{"posts before the launch (`software.load_after_launch=false`)", []string{"software.load_after_launch=false"}},
	{"synchronous scheduling (`decode.async_scheduling=false`)", []string{"decode.async_scheduling=false"}},
	{"decode leg after the prefill leg (`router.dispatch=sequential`)", []string{"router.dispatch=sequential"}},
}

var unknowns = []variant{
	{"as it is", nil},
	{"READ post 2.2 us (`costs.backend.post_read`)", []string{"costs.backend.post_read=2.2us"}},
	{"READ post 2.9 us", []string{"costs.backend.post_read=2.9us"}},
	{"background posts 1.2 times slower (`costs.backend.background_factor`)", []string{"costs.backend.background_factor=1.2"}},
	{"background posts 1.8 times slower", []string{"costs.backend.background_factor=1.8"}},
	{"block size 32 (`prefill.block_size`, `decode.block_size`)", []string{"prefill.block_size=32", "decode.block_size=32"}},
	{"block size 64", []string{"prefill.block_size=64", "decode.block_size=64"}},
	{"freed blocks to the tail (`network.free_order=tail`)", []string{"network.free_order=tail"}},
	{"NIXL's posting pool on (`network.post_by=pool`)", []string{"network.post_by=pool"}},
	{"NIXL with progress-thread posting (`network.backend=libfabric-1.5`)", []string{"network.backend=libfabric-1.5"}},
	{"another draw of arrivals (`run.seed=1`)", []string{"run.seed=1"}},
	{"another draw of arrivals (`run.seed=2`)", []string{"run.seed=2"}},
}

func TestPublishedCasePage(t *testing.T) {
	if testing.Short() {
		t.Skip("plays the whole published grid")
	}
	const page = "../docs/published-case.md"
	have, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	want := have
	for mark, table := range map[string]func(*testing.T) string{
		"summary": summaryTable, "grid": gridTable, "orders": orderTable, "mechanisms": mechanismTable, "unknowns": unknownTable,
	} {
		want = between(t, want, mark, table(t))
	}
	if *update {
		if err := os.WriteFile(page, want, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(have, want) {
		t.Errorf("run go test ./scenarios -run PublishedCasePage -update\nwant\n%s", want)
	}
}

// between replaces what stands between a page's marks of that name.
func between(t *testing.T, page []byte, mark, text string) []byte {
	open, shut := []byte("<!-- "+mark+" -->\n"), []byte("<!-- /"+mark+" -->\n")
	i, j := bytes.Index(page, open), bytes.Index(page, shut)
	if i < 0 || j < i {
		t.Fatalf("the page has no marks %q", mark)
	}
	return bytes.Join([][]byte{page[:i+len(open)], []byte(text), page[j:]}, nil)
}

func published(t *testing.T, set ...string) *Spec {
	sp, err := Load("p5en-qwen3-32b", set)
	if err != nil {
		t.Fatal(err)
	}
	return sp
}

func playAll(t *testing.T, protocols []string, set []string) []*Result {
	var rs []*Result
	for _, p := range protocols {
		r, err := Run(published(t, set...), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		rs = append(rs, r)
	}
	return rs
}

func variantTable(t *testing.T, vs []variant) string {
	var b strings.Builder
	b.WriteString("| | TTFT pull | pull-reader | push | TPOT pull | pull-reader | push | descriptors pull | post pull |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, v := range vs {
		rs := playAll(t, []string{"pull", "pull-reader", "push"}, v.set)
		fmt.Fprintf(&b, "| %s |", v.what)
		for _, f := range []func(*metric.Summary) float64{func(s *metric.Summary) float64 { return s.MeanTTFTMs }, func(s *metric.Summary) float64 { return s.MeanTPOTMs }} {
			for _, r := range rs {
				fmt.Fprintf(&b, " %.4g |", f(&r.Summary))
			}
		}
		fmt.Fprintf(&b, " %.0f | %.1f |\n", rs[0].KV.AvgDescriptors, rs[0].KV.AvgPostMs)
	}
	return b.String()
}

// summaryTable holds the published figures against those of the scenario and of its neighbours at lower load.
func summaryTable(t *testing.T) string {
	rs := playAll(t, []string{"pull", "push"}, nil)
	half := playAll(t, []string{"pull", "push"}, []string{"workload.qps=4"})
	light := playAll(t, []string{"push"}, []string{"workload.qps=1"})[0]
	short := playAll(t, []string{"pull", "push"}, []string{"workload.qps=1", "workload.input_tokens=1024"})
	var b strings.Builder
	b.WriteString("| | published | pdsim | error |\n|---|---|---|---|\n")
	row := func(what, want string, value, against float64) {
		fmt.Fprintf(&b, "| %s | %s | %.4g | %+.0f %% |\n", what, want, value, 100*(value/against-1))
	}
	row("TTFT, 16k at 8/s, push", "540", rs[1].MeanTTFTMs, 540)
	row("TTFT, 16k at 8/s, pull", "1,744", rs[0].MeanTTFTMs, 1744)
	row("TPOT, 16k at 8/s, push", "about 7", rs[1].MeanTPOTMs, 7)
	row("TPOT, 16k at 8/s, pull", "about 10.4", rs[0].MeanTPOTMs, 10.4)
	row("TPOT, 16k at 4/s, pull", "about 10.4", half[0].MeanTPOTMs, 10.4)
	row("TPOT, 16k at 1/s, push", "5.6-5.8", light.MeanTPOTMs, 5.7)
	row("TPOT, 1k at 1/s, both", "5.6-5.8", short[0].MeanTPOTMs, 5.7)
	fmt.Fprintf(&b, "| TTFT, 1k at 1/s, push against pull | equal | %.3g against %.3g | |\n", short[1].MeanTTFTMs, short[0].MeanTTFTMs)
	return b.String()
}

func mechanismTable(t *testing.T) string { return variantTable(t, mechanisms) }

func unknownTable(t *testing.T) string { return variantTable(t, unknowns) }

var (
	lengths = []int{1024, 2048, 4096, 8192, 16384}
	rates   = []int{1, 2, 4, 8}
)

// gridPoint is a point of the published sweep.
type gridPoint struct{ input, qps int }

// inOrder is the points of the sweep with the first axis slowest.
func inOrder(lengthsFirst bool, lengths, rates []int) []gridPoint {
	var points []gridPoint
	outer, inner := rates, lengths
	if lengthsFirst {
		outer, inner = lengths, rates
	}
	for _, o := range outer {
		for _, i := range inner {
			if lengthsFirst {
				points = append(points, gridPoint{o, i})
			} else {
				points = append(points, gridPoint{i, o})
			}
		}
	}
	return points
}

func backwards(ns []int) []int {
	back := slices.Clone(ns)
	slices.Reverse(back)
	return back
}

// replay plays points one after another on the servers of one session for each of pull and push.
func replay(t *testing.T, points []gridPoint, each func(at gridPoint, pull, push *Result)) {
	var sessions []*Session
	for _, p := range []string{"pull", "push"} {
		s, err := NewSession(published(t), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		sessions = append(sessions, s)
	}
	for _, at := range points {
		var rs []*Result
		for _, s := range sessions {
			r, err := s.Play(published(t, fmt.Sprint("workload.input_tokens=", at.input), fmt.Sprint("workload.qps=", at.qps)))
			if err != nil {
				t.Fatal(err)
			}
			rs = append(rs, r)
		}
		each(at, rs[0], rs[1])
	}
}

// orderTable is the published point in sweeps of other orders.
func orderTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| order of the sweep, slowest axis first | TTFT pull | TTFT push | TPOT pull | descriptors pull |\n|---|---|---|---|---|\n")
	for _, o := range []struct {
		what   string
		points []gridPoint
	}{
		{"lengths ascending, rates ascending", inOrder(true, lengths, rates)},
		{"rates ascending, lengths ascending", inOrder(false, lengths, rates)},
		{"lengths descending, rates ascending", inOrder(true, backwards(lengths), rates)},
		{"rates descending, lengths ascending", inOrder(false, lengths, backwards(rates))},
	} {
		replay(t, o.points, func(at gridPoint, pull, push *Result) {
			if (at == gridPoint{16384, 8}) {
				fmt.Fprintf(&b, "| %s | %.4g | %.4g | %.4g | %.0f |\n", o.what, pull.MeanTTFTMs, push.MeanTTFTMs, pull.MeanTPOTMs, pull.KV.AvgDescriptors)
			}
		})
	}
	return b.String()
}

// gridTable replays the published sweep on the same servers, lengths ascending and at each length rates ascending.
func gridTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| input | requests/s | TTFT pull | TTFT push | TPOT pull | TPOT push | descriptors pull | descriptors push |\n|---|---|---|---|---|---|---|---|\n")
	replay(t, inOrder(true, lengths, rates), func(at gridPoint, pull, push *Result) {
		fmt.Fprintf(&b, "| %d | %d | %.4g | %.4g | %.3f | %.3f | %.0f | %.0f |\n", at.input, at.qps, pull.MeanTTFTMs, push.MeanTTFTMs,
			pull.MeanTPOTMs, push.MeanTPOTMs, pull.KV.AvgDescriptors, push.KV.AvgDescriptors)
	})
	return b.String()
}
