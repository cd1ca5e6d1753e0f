package llm

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// attention is what a config.json says of layers that do not look at the whole context. They cache less KV and compute
// less than a Shape can say.
type attention struct {
	Window     *int     `json:"sliding_window"`
	UseWindow  *bool    `json:"use_sliding_window"` // Qwen; files of other families go by the window alone
	LayerTypes []string `json:"layer_types"`
}

func (a *attention) check() error {
	for i, kind := range a.LayerTypes {
		if kind != "full_attention" {
			return fmt.Errorf("layer_types: want full_attention in every layer, have %q in layer %d", kind, i)
		}
	}
	if a.Window != nil && (a.UseWindow == nil || *a.UseWindow) {
		return fmt.Errorf("sliding_window: want attention to the whole context, have a window of %d", *a.Window)
	}
	if a.UseWindow != nil && *a.UseWindow {
		return fmt.Errorf("use_sliding_window: want attention to the whole context, have true")
	}
	return nil
}

// Families with layers that keep a state in place of KV, by a part of their names with nothing but letters and digits.
var stateFamilies = []string{
	"mamba", "jamba", "zamba", "bamba", "granitemoehybrid", "nemotronh", "falconh1", "qwen3next", "recurrentgemma", "rwkv",
	"lfm2", "plamo2", "minimaxtext01", "minimaxm1", "kimilinear", "griffin",
}

// Fields of which one is enough to tell such a family.
var (
	statePrefixes = []string{"mamba_", "ssm_", "linear_attn_", "linear_conv_", "linear_key_", "linear_value_", "linear_num_"}
	stateFields   = []string{"attn_layer_period", "attn_layer_indices", "attn_type_list", "hybrid_override_pattern", "hybrid_layer_ids", "full_attention_interval", "block_types", "layers_block_type", "state_size"}
)

// checkFamily returns an error if a config.json, or its part on the language model, is of a state-space model or of a
// hybrid.
func checkFamily(text []byte) error {
	fields, err := familyOf(text)
	if part, ok := fields["text_config"]; ok && err == nil {
		if _, err := familyOf(part); err != nil {
			return fmt.Errorf("text_config.%w", err)
		}
	}
	return err
}

// familyOf reads the fields of an object, and returns an error if one of them tells of state layers.
func familyOf(text []byte) (map[string]json.RawMessage, error) {
	const want = "want a transformer with a KV cache in every layer, have"
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, err
	}
	var own string
	if json.Unmarshal(fields["model_type"], &own) == nil && stateful(own) {
		return nil, fmt.Errorf("model_type: %s %q", want, own)
	}
	var names []string
	if json.Unmarshal(fields["architectures"], &names) == nil {
		if i := slices.IndexFunc(names, stateful); i >= 0 {
			return nil, fmt.Errorf("architectures: %s %q", want, names[i])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		known := slices.Contains(stateFields, key) || slices.ContainsFunc(statePrefixes, func(p string) bool { return strings.HasPrefix(key, p) })
		if known && string(fields[key]) != "null" {
			return nil, fmt.Errorf("%s: %s a state-space or hybrid model", key, want)
		}
	}
	return fields, nil
}

// stateful says whether a name is of a family with state layers, in any way of writing it.
func stateful(name string) bool {
	plain := strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.ToLower(name))
	return slices.ContainsFunc(stateFamilies, func(f string) bool { return strings.Contains(plain, f) })
}
