package kv

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
)

// qwen32 is one of eight ranks of Qwen3-32B in bf16: one KV head, 512 bytes a token and layer.
func qwen32(layout Layout, blockSize int) Geometry {
	return Geometry{Layout: layout, Layers: 64, BytesPerTokenPerRank: 32 * kib, BlockSize: blockSize}
}

// The worked example of the protocol reference, section 4: descriptors before merging, their size, and after.
func TestWorkedExample(t *testing.T) {
	tests := []struct {
		tokens, blockSize, blocks    int
		packed, split, crossLayer    int
		packedBytes, crossLayerBytes int64
	}{
		{1_024, 16, 64, 4_096, 8_192, 64, 8 * kib, 512 * kib},
		{1_024, 64, 16, 1_024, 2_048, 16, 32 * kib, 2 * mib},
		{1_024, 128, 8, 512, 1_024, 8, 64 * kib, 4 * mib},
		{4_096, 16, 256, 16_384, 32_768, 256, 8 * kib, 512 * kib},
		{4_096, 64, 64, 4_096, 8_192, 64, 32 * kib, 2 * mib},
		{4_096, 128, 32, 2_048, 4_096, 32, 64 * kib, 4 * mib},
		{16_384, 16, 1_024, 65_536, 131_072, 1_024, 8 * kib, 512 * kib},
		{16_384, 64, 256, 16_384, 32_768, 256, 32 * kib, 2 * mib},
		{16_384, 128, 128, 8_192, 16_384, 128, 64 * kib, 4 * mib},
	}
	for _, tt := range tests {
		if tt.tokens/tt.blockSize != tt.blocks {
			t.Fatalf("%d tokens are not %d blocks of %d", tt.tokens, tt.blocks, tt.blockSize)
		}
		blocks := span(1, tt.blocks)
		total := int64(tt.tokens) * 32 * kib
		for _, l := range []struct {
			layout      Layout
			raw, merged int
			bytes       int64
		}{
			{Packed, tt.packed, 64, tt.packedBytes},
			{Split, tt.split, 128, tt.packedBytes / 2},
			{CrossLayer, tt.crossLayer, 1, tt.crossLayerBytes},
		} {
			t.Run(fmt.Sprintf("%d/%d/%v", tt.tokens, tt.blockSize, l.layout), func(t *testing.T) {
				g := qwen32(l.layout, tt.blockSize)
				if got := g.BlockBytes(); got != l.bytes {
					t.Errorf("block of %d bytes, want %d", got, l.bytes)
				}
				merged := Extent{Raw: l.raw, Descriptors: l.merged, Bytes: total}
				merged.Smallest = total / int64(l.merged)
				merged.Largest = merged.Smallest
				if diff := cmp.Diff(merged, g.Describe(blocks, blocks, 0, true)); diff != "" {
					t.Errorf("one run (-want +got):\n%s", diff)
				}
				apart := Extent{Raw: l.raw, Descriptors: l.raw, Bytes: total, Smallest: l.bytes, Largest: l.bytes}
				if diff := cmp.Diff(apart, g.Describe(blocks, blocks, 0, false)); diff != "" {
					t.Errorf("strided (-want +got):\n%s", diff)
				}
			})
		}
	}
}

// Counts that others reported for their own runs, as quoted in the protocol reference.
func TestPublishedCounts(t *testing.T) {
	llama70 := Geometry{Layout: Split, Layers: 80, BytesPerTokenPerRank: 40 * kib, BlockSize: 16}
	qwen06 := Geometry{Layout: Split, Layers: 28, BytesPerTokenPerRank: 112 * kib, BlockSize: 16}
	qwen06Cross := qwen06
	qwen06Cross.Layout = CrossLayer
	tests := []struct {
		name   string
		g      Geometry
		blocks int
		want   int
	}{
		{"Llama-3.3-70B at TP8", llama70, 118, 18_880},
		{"Qwen3-0.6B, one block", qwen06, 1, 56},
		{"Qwen3-0.6B, 1,024 tokens of which one is recomputed", qwen06, 63, 3_528},
		{"Qwen3-0.6B across layers, one block", qwen06Cross, 1, 1},
	}
	for _, tt := range tests {
		if got := tt.g.Describe(span(1, tt.blocks), span(1, tt.blocks), 0, false).Raw; got != tt.want {
			t.Errorf("%s: %d descriptors, want %d", tt.name, got, tt.want)
		}
	}
}

func TestDescribeMixedRuns(t *testing.T) {
	g := qwen32(Packed, 16) // 8 KiB a block and region
	local := slices.Concat(span(1, 20), span(40, 3))
	remote := slices.Concat(span(5, 16), span(90, 7))
	// Remote breaks the first run after 16 blocks, local the second after 4 more.
	want := Extent{
		Raw: 64 * 23, Descriptors: 64 * 3, Bytes: 64 * 23 * 8 * kib,
		Large: 64, LargeBytes: 64 * 128 * kib,
		Smallest: 24 * kib, Largest: 128 * kib,
	}
	if diff := cmp.Diff(want, g.Describe(local, remote, 128*kib, true)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := g.Describe(nil, nil, 128*kib, true); got != (Extent{}) {
		t.Errorf("no blocks: %+v", got)
	}
}

// Merging changes how many descriptors there are, never what they carry.
func TestDescribeKeepsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "blocks")
		list := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Block { return Block(rapid.IntRange(1, 9).Draw(t, "id")) }), n, n)
		local, remote := list.Draw(t, "local"), list.Draw(t, "remote")
		layout := rapid.SampledFrom([]Layout{Split, Packed, CrossLayer}).Draw(t, "layout")
		g := qwen32(layout, 16)
		stripe := rapid.Int64Range(0, 3*g.BlockBytes()).Draw(t, "stripe")

		runs := Runs(local, remote)
		e := g.Describe(local, remote, stripe, true)
		if e.Descriptors != runs*g.Regions() || e.Raw != n*g.Regions() || e.Bytes != int64(e.Raw)*g.BlockBytes() {
			t.Fatalf("%d blocks in %d runs: %+v", n, runs, e)
		}
		if e.Large > e.Descriptors || e.LargeBytes > e.Bytes || (e.Large == e.Descriptors) != (stripe > 0 && e.Smallest >= stripe) {
			t.Fatalf("striping from %d bytes on: %+v", stripe, e)
		}
		if e.Smallest > e.Bytes/int64(e.Descriptors) || e.Largest < e.Bytes/int64(e.Descriptors) {
			t.Fatalf("the mean size is out of bounds: %+v", e)
		}
		apart := g.Describe(local, remote, stripe, false)
		if apart.Descriptors != e.Raw || apart.Bytes != e.Bytes {
			t.Fatalf("merged %+v, apart %+v", e, apart)
		}
	})
}

func TestMLAHasOneTensorALayer(t *testing.T) {
	g := Geometry{Layout: Split, Layers: 61, BytesPerTokenPerRank: 61 * 576 * 2, MLA: true, BlockSize: 64}
	packed := g
	packed.Layout = Packed
	if g.Regions() != 61 || g.Regions() != packed.Regions() || g.BlockBytes() != packed.BlockBytes() {
		t.Errorf("split: %d regions of %d bytes, packed: %d of %d", g.Regions(), g.BlockBytes(), packed.Regions(), packed.BlockBytes())
	}
	if g.BlockBytes() != 64*576*2 {
		t.Errorf("block of %d bytes, want %d", g.BlockBytes(), 64*576*2)
	}
}

func TestSubdividedBlocksStayAdjacent(t *testing.T) {
	got := Subdivide(nil, []Block{3, 4, 9}, 4)
	if diff := cmp.Diff(slices.Concat(span(12, 8), span(36, 4)), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if runs := Runs(got, span(1, 12)); runs != 2 {
		t.Errorf("%d runs, want 2", runs)
	}
}

func TestWords(t *testing.T) {
	for _, l := range []Layout{Split, Packed, CrossLayer} {
		if got, err := ParseLayout(l.String()); err != nil || got != l {
			t.Errorf("ParseLayout(%v) = %v, %v", l, got, err)
		}
	}
	for _, o := range []FreeOrder{FreeToTail, FreeUnnamedToHead, FreeUnnamedToHeadIfCaching} {
		if got, err := ParseFreeOrder(o.String()); err != nil || got != o {
			t.Errorf("ParseFreeOrder(%v) = %v, %v", o, got, err)
		}
	}
	_, err := ParseLayout("packd")
	if want := `layout: want one of split, packed, cross-layer, have "packd"`; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
	if got := Layout(9).String(); got != "kv.Layout(9)" {
		t.Errorf("unknown layout prints %s", got)
	}
}
