package kv

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestPair(t *testing.T) {
	const pull, push = false, true
	tests := []struct {
		name               string
		prefill, decode, h int
		mla, write         bool
		want               Pairing
	}{
		{"equal, pull", 8, 8, 8, false, pull, Pairing{Handles: 1, Slices: 1, Dense: true, Notifications: 1}},
		{"equal, push", 8, 8, 8, false, push, Pairing{Handles: 1, Slices: 1, Dense: true, Notifications: 1}},
		// A decode rank's whole page is a slice of a prefill page, and two ranks read each prefill rank.
		{"wider decode, pull", 4, 8, 8, false, pull, Pairing{Handles: 1, Slices: 1, Notifications: 2}},
		{"wider prefill, pull", 8, 4, 8, false, pull, Pairing{Handles: 2, Slices: 2, Notifications: 1}},
		{"wider decode, push", 4, 8, 8, false, push, Pairing{Handles: 2, Slices: 2, Notifications: 1}},
		{"wider prefill, push", 8, 4, 8, false, push, Pairing{Handles: 1, Slices: 1, Notifications: 2}},
		// More ranks than heads on both sides: pages are equal, though there are more of one side.
		{"repeated heads, pull", 8, 16, 4, false, pull, Pairing{Handles: 1, Slices: 1, Dense: true, Notifications: 2}},
		{"repeated heads, wider prefill, pull", 16, 8, 4, false, pull, Pairing{Handles: 1, Slices: 1, Dense: true, Notifications: 1}},
		{"repeated heads, push", 8, 16, 4, false, push, Pairing{Handles: 2, Slices: 1, Dense: true, Notifications: 1}},
		// Heads repeated on the wider side only: half as many shares as ranks.
		{"repeated in decode only, pull", 4, 16, 8, false, pull, Pairing{Handles: 1, Slices: 1, Notifications: 4}},
		{"repeated in decode only, push", 4, 16, 8, false, push, Pairing{Handles: 4, Slices: 2, Notifications: 1}},
		{"repeated in prefill only, pull", 16, 4, 8, false, pull, Pairing{Handles: 2, Slices: 2, Notifications: 1}},
		// MLA: every rank holds the same whole page. Reading takes one copy, writing must fill every rank.
		{"MLA, wider decode, pull", 1, 8, 1, true, pull, Pairing{Handles: 1, Slices: 1, Dense: true, Notifications: 8}},
		{"MLA, wider prefill, pull", 8, 1, 1, true, pull, Pairing{Handles: 1, Slices: 1, Dense: true, Notifications: 1}},
		{"MLA, wider decode, push", 1, 8, 1, true, push, Pairing{Handles: 8, Slices: 1, Dense: true, Notifications: 1}},
		{"MLA, wider prefill, push", 8, 1, 1, true, push, Pairing{Handles: 1, Slices: 1, Dense: true, Notifications: 8}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Pair(tt.prefill, tt.decode, tt.h, tt.mla, tt.write)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got, cmpopts.IgnoreUnexported(Pairing{})); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Without repetition every byte crosses once, and each rank hears from every rank that posts to it.
func TestPairMovesEveryByteOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		power := rapid.Custom(func(t *rapid.T) int { return 1 << rapid.IntRange(0, 4).Draw(t, "log") })
		prefill, decode := power.Draw(t, "prefill"), power.Draw(t, "decode")
		heads := max(prefill, decode) * power.Draw(t, "heads")
		write := rapid.Bool().Draw(t, "write")
		p, err := Pair(prefill, decode, heads, false, write)
		if err != nil {
			t.Fatal(err)
		}
		posting, other := decode, prefill
		if write {
			posting, other = prefill, decode
		}
		if p.Handles != p.Slices {
			t.Fatalf("%d handles carry %d slices of a page", p.Handles, p.Slices)
		}
		if posting*p.Handles != other*p.Notifications {
			t.Fatalf("%d notices sent, %d awaited", posting*p.Handles, other*p.Notifications)
		}
		if p.Dense != (prefill == decode) {
			t.Fatalf("dense %v at TP %d to %d", p.Dense, prefill, decode)
		}
	})
}

func TestSliceCutsDescriptors(t *testing.T) {
	p, err := Pair(4, 8, 8, false, true)
	if err != nil {
		t.Fatal(err)
	}
	prefill := qwen32(Packed, 16)
	prefill.BytesPerTokenPerRank *= 2 // two heads a rank
	if got := p.Slice(prefill).BlockBytes(); got != 8*kib {
		t.Errorf("descriptor of %d bytes, want the 8 KiB of one head", got)
	}
	blocks := span(1, 64)
	if got := p.Slice(prefill).Describe(blocks, blocks, 0, p.Dense); got.Descriptors != 4096 {
		t.Errorf("%d descriptors, want 4,096: nothing merges", got.Descriptors)
	}
}

func TestPairErrors(t *testing.T) {
	tests := []struct {
		prefill, decode, heads int
		want                   string
	}{
		{0, 8, 8, "want 1 or more, have 0 for prefill and 8 for decode"},
		{6, 4, 12, "want one a multiple of the other, have 6 for prefill and 4 for decode"},
		{3, 3, 8, "want 8 KV heads spread evenly, have 3 ranks"},
		{8, 8, 0, "want 0 KV heads spread evenly, have 8 ranks"},
	}
	for _, tt := range tests {
		_, err := Pair(tt.prefill, tt.decode, tt.heads, false, false)
		if err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("Pair(%d, %d, %d): error %v, want %s", tt.prefill, tt.decode, tt.heads, err, tt.want)
		}
	}
}

func TestMatchBlocks(t *testing.T) {
	const pull, push = false, true
	tests := []struct {
		prefillTP, decodeTP, prefill, decode int
		write                                bool
		want                                 int // 0: an error
	}{
		{8, 8, 16, 16, pull, 1},
		{8, 8, 16, 64, pull, 4},
		{4, 8, 16, 64, pull, 4},
		{8, 8, 64, 16, pull, 0},
		{8, 8, 16, 24, pull, 0},
		{8, 4, 16, 64, pull, 0},
		{8, 4, 64, 64, pull, 1},
		{8, 8, 16, 16, push, 1},
		{8, 8, 64, 16, push, 0},
		{8, 8, 16, 64, push, 0},
		{8, 8, 0, 64, pull, 0},
	}
	for _, tt := range tests {
		p, err := Pair(tt.prefillTP, tt.decodeTP, 8, false, tt.write)
		if err != nil {
			t.Fatal(err)
		}
		got, err := MatchBlocks(p, tt.prefill, tt.decode)
		if got != tt.want || (err != nil) != (tt.want == 0) {
			t.Errorf("%+v: %d, %v", tt, got, err)
		}
	}
}
