package llm

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfigFiles reads config.json files in the words of each family, with the facts of a built-in model each.
func TestConfigFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) < 7 {
		t.Fatalf("have %d files, %v", len(files), err)
	}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		have, err := FromConfig(f, file)
		if err != nil {
			t.Error(err)
			continue
		}
		want := lookup(t, strings.TrimSuffix(filepath.Base(file), ".json"))
		have.Name, have.Source = want.Name, want.Source
		if *have != *want {
			t.Errorf("%s:\nhave %+v\nwant %+v", file, have, want)
		}
	}
}

const plain = `{"num_hidden_layers": 64, "hidden_size": 5120, "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
"intermediate_size": 25600, "vocab_size": 151936, "torch_dtype": "bfloat16"}`

// with is the plain config with more in it; a key that is there twice counts as it is last.
func with(more string) string { return strings.TrimSuffix(plain, "}") + ", " + more + "}" }

func TestConfigMistakes(t *testing.T) {
	const moe = `"num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 100`
	for text, want := range map[string]string{
		``:                               "want a Hugging Face config.json: EOF",
		`{`:                              "want a Hugging Face config.json: unexpected EOF",
		`[]`:                             "want a Hugging Face config.json: json: cannot unmarshal array into Go value of type llm.config",
		plain + plain:                    "want a Hugging Face config.json: more than one JSON value",
		`{}`:                             "num_hidden_layers: missing",
		with(`"num_hidden_layers": -64`): "num_hidden_layers: want 1 to 1024, have -64",
		with(`"num_hidden_layers": 1e9`): "num_hidden_layers: want a whole number, have number 1e9",
		with(`"hidden_size": "5120"`):    "hidden_size: want a whole number, have string",
		with(`"hidden_size": 51.2`):      "hidden_size: want a whole number, have number 51.2",
		with(`"num_key_value_heads": 7`): "num_key_value_heads: want a divisor of 64 attention heads, have 7",
		with(`"vocab_size": null, "head_dim": 100000`):                             "head_dim: want 1 to 4096, have 100000",
		with(`"num_experts": 4`):                                                   "num_experts_per_tok: missing",
		with(moe + `, "num_experts_per_tok": 9`):                                   "num_experts_per_tok: want 1 to 8, have 9",
		with(moe + `, "first_k_dense_replace": 65`):                                "first_k_dense_replace: want 0 to 64, have 65",
		with(moe + `, "mlp_only_layers": [0, 5]`):                                  "mlp_only_layers: want none, have 2",
		with(moe + `, "decoder_sparse_step": 2`):                                   "decoder_sparse_step: want 1, have 2",
		with(moe + `, "moe_layer_freq": 2`):                                        "moe_layer_freq: want 1, have 2",
		with(moe + `, "shared_expert_intermediate_size": 150`):                     "shared_expert_intermediate_size: want a multiple of 100, have 150",
		with(`"kv_lora_rank": 512`):                                                "qk_rope_head_dim: missing",
		with(`"torch_dtype": 16`):                                                  "torch_dtype: want a text, have number",
		with(`"tie_word_embeddings": 1`):                                           "tie_word_embeddings: want true or false, have number",
		with(`"text_config": {"hidden_size": true}`):                               "text_config.hidden_size: want a whole number, have bool",
		with(`"mlp_only_layers": 3`):                                               "mlp_only_layers: want a list, have number",
		with(`"quantization_config": "fp8"`):                                       "quantization_config: want an object, have string",
		with(`"torch_dtype": "int8"`):                                              `torch_dtype: want bfloat16, float16 or float32, have "int8"`,
		with(`"quantization_config": {"quant_method": "own"}`):                     `quantization_config: want a known quant_method with weights of 2, 3, 4, 8 or 16 bits, have "own" with 0`,
		with(`"quantization_config": {"quant_method": "gptq", "bits": -4}`):        `quantization_config: want a known quant_method with weights of 2, 3, 4, 8 or 16 bits, have "gptq" with -4`,
		with(`"quantization_config": {"config_groups": {"a": {"weights": null}}}`): `quantization_config: want a known quant_method with weights of 2, 3, 4, 8 or 16 bits, have "" with 0`,
	} {
		if _, err := FromConfig(strings.NewReader(text), "c.json"); err == nil || err.Error() != "c.json: "+want {
			t.Errorf("%s:\nhave %v\nwant c.json: %s", text, err, want)
		}
	}
}

func TestQuantization(t *testing.T) {
	for text, want := range map[string][2]int{
		`{"quant_method": "fp8"}`:                                                           {8, 16},
		`{"quant_method": "gptq", "bits": 4}`:                                               {4, 16},
		`{"quant_method": "mxfp4"}`:                                                         {4, 16},
		`{"quant_method": "bitsandbytes", "load_in_4bit": true}`:                            {4, 16},
		`{"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8"}`: {4, 8},
		`{"quant_method": "compressed-tensors", "config_groups": {"group_1": {"weights": {"num_bits": 8}},
			"group_0": {"weights": {"num_bits": 4}}}, "kv_cache_scheme": {"num_bits": 8}}`: {4, 8},
	} {
		s, err := FromConfig(strings.NewReader(with(`"quantization_config": `+text)), "c.json")
		if err != nil || s.WeightBits != want[0] || s.KVBits != want[1] {
			t.Errorf("%s: have %+v, %v, want %v bits", text, s, err, want)
		}
	}
}

// TestMixtral: its file says the experts' width as that of an MLP, and no width of a head.
func TestMixtral(t *testing.T) {
	s, err := FromConfig(strings.NewReader(`{"architectures": ["MixtralForCausalLM"], "hidden_size": 4096, "num_hidden_layers": 32,
		"num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336, "vocab_size": 32000,
		"num_local_experts": 8, "num_experts_per_tok": 2, "sliding_window": null, "torch_dtype": "bfloat16"}`), "c.json")
	if err != nil {
		t.Fatal(err)
	}
	if total, active := s.Params()/1e6, s.ActiveParams()/1e6; total != 46702 || active != 12879 {
		t.Errorf("have %d million weights, %d of them active, want 46.7 and 12.9 billion", total, active)
	}
}

// TestSharedExperts: Qwen2's files give all shared experts as one wide one.
func TestSharedExperts(t *testing.T) {
	s, err := FromConfig(strings.NewReader(with(`"num_experts": 60, "num_experts_per_tok": 4, "moe_intermediate_size": 1408,
		"shared_expert_intermediate_size": 5632`)), "c.json")
	if err != nil || s.SharedExperts != 4 {
		t.Errorf("have %+v, %v, want 4 shared experts", s, err)
	}
}

// FuzzFromConfig reads any text: a shape that is accepted must have sizes that make sense.
func FuzzFromConfig(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(`{"n_routed_experts": 1024, "kv_lora_rank": 65536, "num_hidden_layers": 1024, "hidden_size": 65536}`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := FromConfig(strings.NewReader(text), "c.json")
		if err != nil {
			return
		}
		if s.Params() < s.ActiveParams() || s.ActiveParams() < s.LMHeadParams() || s.LinearFlopsPerToken() < 1 ||
			s.WeightBytesPerRank(1) < 1 || s.KVBytesPerTokenPerRank(1) < 1 {
			t.Errorf("accepted a model of %d weights, %d of them active, %d bytes, %d bytes of KV a token: %s",
				s.Params(), s.ActiveParams(), s.WeightBytesPerRank(1), s.KVBytesPerTokenPerRank(1), text)
		}
		for tp := 1; tp <= 16; tp *= 2 {
			if s.Validate(tp) == nil && s.WeightBytesPerRank(tp) > s.WeightBytesPerRank(1) {
				t.Errorf("a rank of %d is larger than the model", tp)
			}
		}
	})
}
