package workload

import (
	"testing"

	"pgregory.net/rapid"
)

// common returns how many leading blocks of two prompts are equal.
func common(a, b *Prompt, blockSize, blocks int) int {
	for i := range blocks {
		if a.BlockHash(i, blockSize) != b.BlockHash(i, blockSize) {
			return i
		}
	}
	return blocks
}

func TestCommonBlocks(t *testing.T) {
	chunks := func(ids ...uint64) Prompt { return Prompt{ID: 1, Chunks: ids, ChunkTokens: 512} }
	other := func(p Prompt) Prompt { p.ID = 2; return p }
	tests := []struct {
		name  string
		a, b  Prompt
		block int
		want  int // of 100 blocks
	}{
		{"same", Prompt{ID: 1}, Prompt{ID: 1}, 16, 100},
		{"different", Prompt{ID: 1}, Prompt{ID: 2}, 16, 0},
		{"a prefix without tokens is none", Prompt{ID: 1, Prefix: 5}, Prompt{ID: 1, Prefix: 6}, 16, 100},
		{"prefix of whole blocks", Prompt{1, 9, 64, nil, 0}, Prompt{2, 9, 64, nil, 0}, 16, 4},
		{"prefix and part of a block", Prompt{1, 9, 70, nil, 0}, Prompt{2, 9, 70, nil, 0}, 16, 4},
		{"prefix shorter than a block", Prompt{1, 9, 15, nil, 0}, Prompt{2, 9, 15, nil, 0}, 16, 0},
		{"shorter and longer of one prefix", Prompt{1, 9, 32, nil, 0}, Prompt{1, 9, 64, nil, 0}, 16, 2},
		{"same tail after different prefixes", Prompt{1, 8, 64, nil, 0}, Prompt{1, 9, 64, nil, 0}, 16, 0},
		{"chunks, then the same ID", chunks(3, 4), chunks(3, 4), 16, 100},
		{"chunks, then different IDs", chunks(3, 4), other(chunks(3, 4)), 16, 64},
		{"first chunk only", chunks(3, 4), other(chunks(3, 5)), 16, 32},
		{"block over a border of chunks", chunks(3, 4), other(chunks(3, 5)), 384, 1},
		{"block of several chunks", chunks(3, 4, 6), other(chunks(3, 4, 7)), 1024, 1},
		{"chunk against own content", chunks(1), Prompt{ID: 1}, 16, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := common(&test.a, &test.b, test.block, 100); got != test.want {
				t.Errorf("%d blocks in common, want %d", got, test.want)
			}
		})
	}
}

// A hash stands for the block and all before it, so that equal blocks come first.
func TestEqualBlocksComeFirst(t *testing.T) {
	prompts := rapid.Custom(func(t *rapid.T) Prompt {
		return Prompt{
			ID:           rapid.Uint64Range(0, 2).Draw(t, "id"),
			Prefix:       rapid.Uint64Range(0, 2).Draw(t, "prefix"),
			PrefixTokens: rapid.IntRange(0, 100).Draw(t, "tokens"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := prompts.Draw(t, "a"), prompts.Draw(t, "b")
		block := rapid.IntRange(1, 64).Draw(t, "block")
		for i := common(&a, &b, block, 200); i < 200; i++ {
			if a.BlockHash(i, block) == b.BlockHash(i, block) {
				t.Fatalf("block %d is equal after one that is not", i)
			}
		}
	})
}

func TestHashesDiffer(t *testing.T) {
	seen := make(map[uint64]bool)
	for id := range uint64(1000) {
		p := Prompt{ID: id}
		for i := range 100 {
			seen[p.BlockHash(i, 16)] = true
		}
	}
	if len(seen) != 100_000 {
		t.Errorf("%d different hashes of 100,000", len(seen))
	}
}
