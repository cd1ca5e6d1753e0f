package workload

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pdsim/sim"
)

// chat is a small valid load of conversations.
func chat() Chat {
	return Chat{
		Rate:         Rate{Requests: 20, PerSecond: 2, Burstiness: 1, Seed: 3},
		Turns:        Range{Mean: 4, Ratio: 0.5},
		First:        Fixed(500),
		User:         LogNormal{Mean: 60, Sigma: 1},
		Output:       Range{Mean: 100, Ratio: 0.5},
		PrefixTokens: 128,
		Think:        2 * sim.Second,
	}
}

// talk plays all conversations, each request taking a second, and returns the turns of each. Conversations are advanced
// in the order of their numbers or backwards.
func talk(t *testing.T, c Chat, backwards bool) map[uint64][]Arrival {
	t.Helper()
	s, err := NewConversations(c)
	if err != nil {
		t.Fatal(err)
	}
	turns := make(map[uint64][]Arrival)
	open := all(t, s)
	for len(open) > 0 {
		var next []Arrival
		for i := range open {
			if backwards {
				i = len(open) - 1 - i
			}
			a := open[i]
			turns[a.Session] = append(turns[a.Session], a)
			if b, ok := s.Done(a.Session, a.At.Add(sim.Second)); ok {
				next = append(next, b)
			}
		}
		open = next
	}
	if len(s.active) != 0 {
		t.Errorf("%d conversations are remembered after their end", len(s.active))
	}
	return turns
}

func TestTurnsContinueTheConversation(t *testing.T) {
	turns := talk(t, chat(), false)
	if len(turns) != 20 {
		t.Fatalf("%d conversations", len(turns))
	}
	for session, list := range turns {
		if n := len(list); n < 2 || n > 6 {
			t.Errorf("session %d has %d turns", session, n)
		}
		if list[0].Input != 628 {
			t.Errorf("session %d starts with %d tokens", session, list[0].Input)
		}
		for i := 1; i < len(list); i++ {
			before, now := list[i-1], list[i]
			context := before.Input + before.Output
			if now.At != before.At.Add(3*sim.Second) || now.Input <= context {
				t.Errorf("session %d, turn %d: %+v after %+v", session, i, now, before)
			}
			if got := common(&before.Prompt, &now.Prompt, 16, context/16); got != context/16 {
				t.Errorf("session %d, turn %d: %d of %d blocks are cached", session, i, got, context/16)
			}
		}
	}
	if got := common(&turns[1][0].Prompt, &turns[2][0].Prompt, 16, 30); got != 8 {
		t.Errorf("two conversations have %d blocks in common, want the prefix of 8", got)
	}
}

func TestTurnsDoNotDependOnOrder(t *testing.T) {
	c := chat()
	c.RandomThink = true
	if diff := cmp.Diff(talk(t, c, false), talk(t, c, true)); diff != "" {
		t.Errorf("the order of completions changes turns:\n%s", diff)
	}
}

func TestMaxInputEndsConversations(t *testing.T) {
	c := chat()
	c.Turns, c.MaxInput = Fixed(1000), 2000
	for session, list := range talk(t, c, false) {
		last := list[len(list)-1]
		if last.Input > 2000 || last.Input < 1000 {
			t.Errorf("session %d ends with a prompt of %d tokens", session, last.Input)
		}
	}
	c.MaxInput = 300
	if list := talk(t, c, false)[1]; len(list) != 1 || list[0].Input != 300 {
		t.Errorf("a first prompt that is too long: %+v", list)
	}
}

func TestDoneOfNoConversation(t *testing.T) {
	s, err := NewConversations(chat())
	if err != nil {
		t.Fatal(err)
	}
	if a, ok := s.Done(99, 0); ok {
		t.Errorf("a turn of a conversation that has not begun: %+v", a)
	}
}

func TestChatErrors(t *testing.T) {
	tests := []struct {
		change func(*Chat)
		want   string
	}{
		{func(c *Chat) { c.Requests = -1 }, "requests: want 1 or more"},
		{func(c *Chat) { c.Turns = Fixed(0) }, "turns: want 1 to"},
		{func(c *Chat) { c.User = nil }, "user: want a length"},
		{func(c *Chat) { c.PrefixTokens = -1 }, "prefix: want 0 to"},
		{func(c *Chat) { c.MaxInput = -1 }, "max input: want 0 or more tokens, have -1"},
		{func(c *Chat) { c.Think = -sim.Second }, "think: want 0s or more, have -1s"},
	}
	for _, test := range tests {
		c := chat()
		test.change(&c)
		if _, err := NewConversations(c); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("have error %v, want %s", err, test.want)
		}
	}
}
