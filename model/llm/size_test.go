package llm

import (
	"fmt"
	"math"
	"testing"
)

func lookup(t *testing.T, name string) *Shape {
	t.Helper()
	s, err := Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestPublishedSizes holds the weights against the model cards', in billions.
func TestPublishedSizes(t *testing.T) {
	for name, want := range map[string]struct{ total, active float64 }{
		"qwen3-32b": {32.76, 32.76}, "qwen3-32b-fp8": {32.76, 32.76}, "qwen3-14b": {14.77, 14.77},
		"qwen3-0.6b": {0.596, 0.596}, "qwen2-7b": {7.616, 7.616},
		"llama-3.1-8b": {8.03, 8.03}, "llama-3.3-70b": {70.55, 70.55}, "llama-3.3-70b-fp8": {70.55, 70.55},
		"qwen3-30b-a3b": {30.53, 3.35},
		"deepseek-v3":   {671, 37.55}, // the card says 37 without saying whether the embedding counts
	} {
		s := lookup(t, name)
		if got := float64(s.Params()) / 1e9; math.Abs(got/want.total-1) > 0.003 {
			t.Errorf("%s: %.3f billion weights, want %.3f", name, got, want.total)
		}
		if got := float64(s.ActiveParams()) / 1e9; math.Abs(got/want.active-1) > 0.003 {
			t.Errorf("%s: %.3f billion active weights, want %.3f", name, got, want.active)
		}
	}
	all, err := Builtin()
	if err != nil || len(all) != 10 {
		t.Errorf("have %d shapes, %v: want each of them above", len(all), err)
	}
}

// TestLinearFlops: what is not linear is the embedding, twice, unless it is tied.
func TestLinearFlops(t *testing.T) {
	for _, name := range []string{"qwen3-32b", "deepseek-v3", "qwen3-30b-a3b"} {
		s := lookup(t, name)
		if got, want := s.LinearFlopsPerToken(), 2*(s.ActiveParams()-2*s.LMHeadParams()); got != want {
			t.Errorf("%s: %d FLOPs a token, want %d", name, got, want)
		}
	}
	s := lookup(t, "qwen3-0.6b")
	if got, want := s.LinearFlopsPerToken(), 2*(s.Params()-s.LMHeadParams()); got != want {
		t.Errorf("tied: %d FLOPs a token, want %d", got, want)
	}
	if got := lookup(t, "qwen3-32b").LMHeadParams(); got != 151936*5120 {
		t.Errorf("LM head of %d weights", got)
	}
}

func TestKVBytes(t *testing.T) {
	for _, c := range []struct {
		name string
		tp   int
		want int64
	}{
		{"qwen3-32b", 1, 256 << 10}, {"qwen3-32b", 8, 32 << 10}, {"qwen3-32b", 16, 32 << 10}, {"qwen3-32b-fp8", 2, 64 << 10},
		{"llama-3.3-70b-fp8", 8, 40 << 10}, {"qwen2-7b", 1, 57344},
		{"deepseek-v3", 1, 61 * 576 * 2}, {"deepseek-v3", 8, 61 * 576 * 2},
	} {
		if got := lookup(t, c.name).KVBytesPerTokenPerRank(c.tp); got != c.want {
			t.Errorf("%s tp %d: %d bytes a token, want %d", c.name, c.tp, got, c.want)
		}
	}
}

func TestWeightBytes(t *testing.T) {
	const layers, hidden, dim = 64, 5120, 128
	attention := func(heads, kvHeads int64) int64 { return hidden * dim * 2 * (heads + kvHeads) }
	tables := int64(2 * 151936 * hidden)
	for tp, want := range map[int]int64{
		1:  2 * (layers*(attention(64, 8)+3*hidden*25600) + tables),
		8:  2 * (layers*(attention(8, 1)+3*hidden*3200) + tables/8),
		16: 2 * (layers*(attention(4, 1)+3*hidden*1600) + tables/16), // the KV head is on two ranks
	} {
		if got := lookup(t, "qwen3-32b").WeightBytesPerRank(tp); got != want {
			t.Errorf("tp %d: %d bytes of weights, want %d", tp, got, want)
		}
	}
	whole, half := lookup(t, "llama-3.3-70b"), lookup(t, "llama-3.3-70b-fp8")
	head := 4 * whole.LMHeadParams() // embedding and LM head stay in 16 bits
	if 2*(half.WeightBytesPerRank(1)-head) != whole.WeightBytesPerRank(1)-head {
		t.Error("fp8 weights are not half of bf16 ones")
	}
	for _, name := range []string{"deepseek-v3", "qwen3-30b-a3b", "qwen3-0.6b"} { // what is copied makes ranks larger
		s := lookup(t, name)
		if one, eight := s.WeightBytesPerRank(1), s.WeightBytesPerRank(8); eight < one/8 || eight > one/7 {
			t.Errorf("%s: %d bytes on one rank, %d on each of eight", name, one, eight)
		}
	}
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		name string
		tp   int
		want string
	}{
		{"qwen3-32b", 1, ""}, {"qwen3-32b", 2, ""}, {"qwen3-32b", 8, ""}, {"qwen3-32b", 16, ""}, {"qwen3-32b", 64, ""},
		{"qwen3-32b", 0, "must divide 64 attention heads, have 0"},
		{"qwen3-32b", 3, "must divide 64 attention heads, have 3"},
		{"qwen3-32b", 128, "must divide 64 attention heads, have 128"},
		{"qwen2-7b", 2, ""},
		{"qwen2-7b", 14, "must divide 4 KV heads or be a multiple of them, have 14"},
		{"qwen2-7b", 28, "must divide an MLP's inner width of 18944, have 28"},
		{"deepseek-v3", 128, ""},
	} {
		err := lookup(t, c.name).Validate(c.tp)
		if got := fmt.Sprint(err); got != c.want && (err != nil || c.want != "") {
			t.Errorf("%s tp %d: have %v, want %q", c.name, c.tp, err, c.want)
		}
	}
	moe := &Shape{Layers: 1, Hidden: 8, Heads: 8, KVHeads: 8, HeadDim: 1, Vocab: 8, Experts: 2, ExpertsPerToken: 1, ExpertSize: 12}
	if err := moe.Validate(8); fmt.Sprint(err) != "must divide an expert's inner width of 12, have 8" {
		t.Errorf("experts: %v", err)
	}
}

func ExampleLookup() {
	s, err := Lookup("qwen3-32b")
	if err != nil {
		panic(err)
	}
	fmt.Println(s.KVBytesPerTokenPerRank(8), "bytes of KV a token on each of 8 ranks")
	_, err = Lookup("qwen3-33b")
	fmt.Println(err)
	// Output:
	// 32768 bytes of KV a token on each of 8 ranks
	// unknown model "qwen3-33b"; did you mean "qwen3-32b"?
}
