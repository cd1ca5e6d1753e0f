package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
)

// config is what pdsim reads of a Hugging Face config.json. Absent numbers are 0.
type config struct {
	TextConfig    *config       `json:"text_config"` // of a multimodal model
	Layers        int           `json:"num_hidden_layers"`
	Hidden        int           `json:"hidden_size"`
	Heads         int           `json:"num_attention_heads"`
	KVHeads       int           `json:"num_key_value_heads"`
	HeadDim       int           `json:"head_dim"`
	Intermediate  int           `json:"intermediate_size"`
	Vocab         int           `json:"vocab_size"`
	Tied          *bool         `json:"tie_word_embeddings"`
	NumExperts    int           `json:"num_experts"`       // Qwen
	LocalExperts  int           `json:"num_local_experts"` // Mixtral
	RoutedExperts int           `json:"n_routed_experts"`  // DeepSeek
	PerToken      int           `json:"num_experts_per_tok"`
	SharedExperts int           `json:"n_shared_experts"`                // DeepSeek
	SharedSize    int           `json:"shared_expert_intermediate_size"` // Qwen2: all shared experts as one
	ExpertSize    int           `json:"moe_intermediate_size"`
	FirstDense    int           `json:"first_k_dense_replace"`
	MLPOnly       []int         `json:"mlp_only_layers"`     // Qwen
	SparseStep    int           `json:"decoder_sparse_step"` // Qwen
	LayerFreq     int           `json:"moe_layer_freq"`      // DeepSeek
	KVLoraRank    int           `json:"kv_lora_rank"`
	QKRope        int           `json:"qk_rope_head_dim"`
	QKNope        int           `json:"qk_nope_head_dim"`
	VHead         int           `json:"v_head_dim"`
	QLoraRank     int           `json:"q_lora_rank"`
	TorchDtype    string        `json:"torch_dtype"`
	Dtype         string        `json:"dtype"` // what newer files call torch_dtype
	Quantization  *quantization `json:"quantization_config"`
	attention
}

// largestConfig is the most of a config.json that is read, in bytes; real ones have a few thousand.
const largestConfig = 4 << 20

// FromConfig reads the shape of a model from a Hugging Face config.json of the Llama, Qwen, Mixtral and DeepSeek families
// and of whatever describes itself in the same words. The KV cache has 16 bits unless the file's quantization says 8.
// Name is that of the file and comes first in messages.
func FromConfig(r io.Reader, name string) (*Shape, error) {
	c, err := readConfig(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := c.shape()
	s.Name, s.Source = name, name
	for _, check := range []func() error{c.attention.check, s.check, c.checkLayers, c.checkShared, func() error { return c.setBits(s) }} {
		if err := check(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

// readConfig decodes one JSON object and returns the part that describes the language model.
func readConfig(r io.Reader) (*config, error) {
	c := &config{}
	d := json.NewDecoder(io.LimitReader(r, largestConfig))
	var all json.RawMessage
	err := d.Decode(&all)
	if err == nil {
		err = json.Unmarshal(all, c)
	}
	if err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			return nil, fmt.Errorf("%s: want %s, have %s", wrong.Field, kindOf(wrong.Type), wrong.Value)
		}
		return nil, fmt.Errorf("want a Hugging Face config.json: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("want a Hugging Face config.json: more than one JSON value")
	}
	if err := checkFamily(all); err != nil {
		return nil, err
	}
	text := c.TextConfig
	if text == nil {
		return c, nil
	}
	// A multimodal model says some things once for all its parts.
	if text.Quantization == nil {
		text.Quantization = c.Quantization
	}
	if text.Tied == nil {
		text.Tied = c.Tied
	}
	text.TorchDtype = orElse(text.TorchDtype, c.TorchDtype)
	text.Dtype = orElse(text.Dtype, c.Dtype)
	return text, nil
}

// kindOf says what a field of the file must hold.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "a whole number"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}

// shape is what c says, with what the families leave to be understood.
func (c *config) shape() *Shape {
	s := &Shape{
		Layers: c.Layers, Hidden: c.Hidden, Heads: c.Heads, KVHeads: orElse(c.KVHeads, c.Heads), HeadDim: c.HeadDim,
		Intermediate: c.Intermediate, Vocab: c.Vocab, TiedEmbed: c.Tied != nil && *c.Tied,
		Experts:    orElse(c.NumExperts, orElse(c.LocalExperts, c.RoutedExperts)),
		KVLoraRank: c.KVLoraRank, QKRopeDim: c.QKRope, QKNopeDim: c.QKNope, VHeadDim: c.VHead, QLoraRank: c.QLoraRank,
	}
	switch {
	case s.MLA():
		s.HeadDim = s.VHeadDim // files differ in what they mean by head_dim; nothing depends on it
	case c.HeadDim == 0 && c.Heads > 0:
		s.HeadDim = c.Hidden / c.Heads
	}
	if s.Experts > 0 {
		s.ExpertsPerToken, s.DenseLayers, s.SharedExperts = c.PerToken, c.FirstDense, c.SharedExperts
		s.ExpertSize = orElse(c.ExpertSize, c.Intermediate)
		if c.SharedSize > 0 && s.ExpertSize > 0 {
			s.SharedExperts = c.SharedSize / s.ExpertSize
		}
	}
	return s
}

// checkLayers returns an error if dense layers and layers with experts alternate, which a Shape cannot say.
func (c *config) checkLayers() error {
	switch {
	case len(c.MLPOnly) > 0:
		return fmt.Errorf("mlp_only_layers: want none, have %d", len(c.MLPOnly))
	case c.SparseStep > 1:
		return fmt.Errorf("decoder_sparse_step: want 1, have %d", c.SparseStep)
	case c.LayerFreq > 1:
		return fmt.Errorf("moe_layer_freq: want 1, have %d", c.LayerFreq)
	}
	return nil
}

// checkShared returns an error if what is shared is not a number of whole experts.
func (c *config) checkShared() error {
	if size := orElse(c.ExpertSize, c.Intermediate); c.SharedSize < 0 || size > 0 && c.SharedSize/size > deepest || size > 0 && c.SharedSize%size != 0 {
		return fmt.Errorf("shared_expert_intermediate_size: want a multiple of %d, have %d", size, c.SharedSize)
	}
	return nil
}

// setBits sets how wide weights and cached values are.
func (c *config) setBits(s *Shape) error {
	known := []string{"", "auto", "bfloat16", "float16", "float32"} // a float32 checkpoint is served in 16 bits
	if dtype := orElse(c.TorchDtype, c.Dtype); !slices.Contains(known, dtype) {
		return fmt.Errorf("torch_dtype: want bfloat16, float16 or float32, have %q", dtype)
	}
	s.WeightBits, s.KVBits = 16, 16
	if c.Quantization == nil {
		return nil
	}
	var err error
	s.WeightBits, s.KVBits, err = c.Quantization.bits()
	return err
}

// orElse is v unless that is nothing.
func orElse[T comparable](v, other T) T {
	var nothing T
	if v != nothing {
		return v
	}
	return other
}
