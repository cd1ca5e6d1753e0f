package llm

import (
	"strings"
	"testing"
)

// What a Shape cannot say is refused, by the field that says it.
func TestForeignFamilies(t *testing.T) {
	const state = "want a transformer with a KV cache in every layer, have "
	for text, want := range map[string]string{
		with(`"sliding_window": 4096`):                                "sliding_window: want attention to the whole context, have a window of 4096",
		with(`"sliding_window": 4096, "use_sliding_window": true`):    "sliding_window: want attention to the whole context, have a window of 4096",
		with(`"use_sliding_window": true`):                            "use_sliding_window: want attention to the whole context, have true",
		with(`"layer_types": ["full_attention", "linear_attention"]`): `layer_types: want full_attention in every layer, have "linear_attention" in layer 1`,
		with(`"model_type": "falcon_h1"`):                             `model_type: ` + state + `"falcon_h1"`,
		with(`"model_type": "recurrent_gemma"`):                       `model_type: ` + state + `"recurrent_gemma"`,
		with(`"architectures": ["Qwen3NextForCausalLM"]`):             `architectures: ` + state + `"Qwen3NextForCausalLM"`,
		with(`"architectures": ["FalconMambaForCausalLM"]`):           `architectures: ` + state + `"FalconMambaForCausalLM"`,
		with(`"mamba_d_state": 128`):                                  "mamba_d_state: " + state + "a state-space or hybrid model",
		with(`"ssm_cfg": {}`):                                         "ssm_cfg: " + state + "a state-space or hybrid model",
		with(`"attn_layer_period": 8`):                                "attn_layer_period: " + state + "a state-space or hybrid model",
		with(`"text_config": {"model_type": "nemotron_h"}`):           `text_config.model_type: ` + state + `"nemotron_h"`,
		`{"model_type": "mamba2"}`:                                    `model_type: ` + state + `"mamba2"`,
		strings.Replace(plain, `"vocab_size": 151936, `, "", 1):       "vocab_size: missing",
	} {
		if _, err := FromConfig(strings.NewReader(text), "c.json"); err == nil || err.Error() != "c.json: "+want {
			t.Errorf("%s:\nhave %v\nwant c.json: %s", text, err, want)
		}
	}
	for _, fine := range []string{
		`"sliding_window": null`, `"sliding_window": 4096, "use_sliding_window": false`, `"layer_types": ["full_attention"]`,
		`"layer_types": null, "mamba_d_state": null`, `"model_type": "qwen3", "architectures": ["Qwen3ForCausalLM"]`,
	} {
		if _, err := FromConfig(strings.NewReader(with(fine)), "c.json"); err != nil {
			t.Errorf("%s: %v", fine, err)
		}
	}
}
