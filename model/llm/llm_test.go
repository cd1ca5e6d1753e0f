package llm

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestPublishedSizes(t *testing.T) {
	for name, want := range map[string]struct{ total, active float64 }{ // billions, as the model cards say
		"qwen3-32b": {32.76, 32.76}, "qwen3-14b": {14.77, 14.77}, "qwen3-0.6b": {0.596, 0.596}, "qwen2-7b": {7.616, 7.616},
		"llama-3.1-8b": {8.03, 8.03}, "llama-3.3-70b": {70.55, 70.55}, "qwen3-30b-a3b": {30.53, 3.35}, "deepseek-v3": {671, 37.6},
	} {
		s, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := float64(s.Params()) / 1e9; math.Abs(got/want.total-1) > 0.01 {
			t.Errorf("%s: %.2f billion weights, want %.2f", name, got, want.total)
		}
		if got := float64(s.ActiveParams()) / 1e9; math.Abs(got/want.active-1) > 0.02 {
			t.Errorf("%s: %.2f billion active weights, want %.2f", name, got, want.active)
		}
	}
}

func TestKVBytes(t *testing.T) {
	for _, c := range []struct {
		name string
		tp   int
		want int64
	}{
		{"qwen3-32b", 1, 256 << 10}, {"qwen3-32b", 8, 32 << 10}, {"qwen3-32b", 16, 32 << 10}, {"qwen3-32b-fp8", 2, 64 << 10},
		{"llama-3.3-70b-fp8", 8, 40 << 10}, {"qwen2-7b", 1, 57344}, {"deepseek-v3", 1, 61 * 576 * 2}, {"deepseek-v3", 8, 61 * 576 * 2},
	} {
		s, err := Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.KVBytesPerTokenPerRank(c.tp); got != c.want {
			t.Errorf("%s tp %d: %d bytes a token, want %d", c.name, c.tp, got, c.want)
		}
	}
}

func TestValidate(t *testing.T) {
	s, _ := Lookup("qwen3-32b")
	for tp, ok := range map[int]bool{1: true, 2: true, 8: true, 16: true, 7: false, 0: false, 3: false, 128: false} {
		if err := s.Validate(tp); (err == nil) != ok {
			t.Errorf("tp %d: %v", tp, err)
		}
	}
}

const qwen3 = `{"architectures": ["Qwen3ForCausalLM"], "num_hidden_layers": 64, "hidden_size": 5120, "num_attention_heads": 64,
"num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 25600, "vocab_size": 151936, "torch_dtype": "bfloat16"}`

func TestFromConfig(t *testing.T) {
	s, err := FromConfig(strings.NewReader(qwen3), "config.json")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := Lookup("qwen3-32b")
	s.Name, s.Source = want.Name, want.Source
	if *s != *want {
		t.Errorf("have %+v, want %+v", s, want)
	}
	for text, want := range map[string]string{
		`{`:                                      "config.json: want a Hugging Face config.json: unexpected EOF",
		`{}`:                                     "config.json: num_hidden_layers: want 1 to 1024, have 0",
		strings.Replace(qwen3, "64,", "-64,", 1): "config.json: num_hidden_layers: want 1 to 1024, have -64",
		strings.Replace(qwen3, `"num_key_value_heads": 8`, `"num_key_value_heads": 7`, 1): "config.json: num_key_value_heads: want a divisor of 64 attention heads, have 7",
		strings.Replace(qwen3, `"num_key_value_heads": 8`, `"num_experts": 4`, 1):         "config.json: num_experts_per_tok: want 1 to 1024, have 0",
		strings.Replace(qwen3, `"hidden_size": 5120`, `"hidden_size": "five"`, 1):         "config.json: want a Hugging Face config.json: json: cannot unmarshal string into Go struct field config.hidden_size of type int",
	} {
		if _, err := FromConfig(strings.NewReader(text), "config.json"); err == nil || err.Error() != want {
			t.Errorf("have %v\nwant %s", err, want)
		}
	}
	nested := `{"text_config": ` + qwen3 + `, "quantization_config": {"quant_method": "fp8"}}`
	if s, err := FromConfig(strings.NewReader(nested), "config.json"); err != nil || s.WeightBits != 8 {
		t.Errorf("nested: %+v, %v", s, err)
	}
}

func FuzzFromConfig(f *testing.F) {
	f.Add(qwen3)
	f.Add(`{"n_routed_experts": 256, "kv_lora_rank": 512}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := FromConfig(strings.NewReader(text), "config.json")
		if err == nil && (s.Params() < 1 || s.KVBytesPerTokenPerRank(1) < 1) {
			t.Errorf("accepted a model of %d weights, %d KV bytes a token", s.Params(), s.KVBytesPerTokenPerRank(1))
		}
	})
}

func ExampleLookup() {
	s, err := Lookup("qwen3-32b")
	if err != nil {
		panic(err)
	}
	fmt.Println(s.KVBytesPerTokenPerRank(8), "bytes of KV a token on each of 8 ranks")
	_, err = Lookup("qwen3-23b")
	fmt.Println(err)
	// Output:
	// 32768 bytes of KV a token on each of 8 ranks
	// unknown model "qwen3-23b"; nearest: qwen3-14b, qwen3-32b, qwen2-7b
}
