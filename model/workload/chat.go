package workload

import (
	"fmt"
	"math"
	"math/rand/v2"

	"pdsim/sim"
)

// Chat is a load of conversations. Each turn's prompt is the whole conversation so far, answers included, and new tokens
// of the user; a turn arrives a think time after the answer to the former one was complete.
type Chat struct {
	Rate          // of first turns; Requests is the number of conversations
	Turns  Length // turns of a conversation
	First  Length // tokens of the first prompt after the common prefix
	User   Length // tokens that the user adds in each later turn
	Output Length // tokens of an answer

	PrefixTokens int          // a prefix that all conversations share, such as a system prompt; on top of First
	MaxInput     int          // a conversation ends rather than send a longer prompt, in tokens; 0 for no limit
	Think        sim.Duration // mean time between an answer's end and the next turn
	RandomThink  bool         // think times are exponential instead of all alike
}

// Conversations yields the arrivals of a Chat: first turns as a Source, later ones as Feedback. It remembers the
// conversations that are under way. What a turn contains depends on the conversation and the number of the turn, not on
// the order in which turns end.
type Conversations struct {
	chat   Chat
	times  *instants
	pcg    rand.PCG
	draws  draws
	active map[uint64]*conversation
}

// conversation is where one conversation stands.
type conversation struct {
	turn, turns int
	context     int // tokens of the latest prompt and its answer
}

// NewConversations returns the arrivals of c, or says what is wrong with c.
func NewConversations(c Chat) (*Conversations, error) {
	if err := c.Rate.check(); err != nil {
		return nil, err
	}
	names := []string{"turns", "first", "user", "output"}
	if err := checkLengths(names, c.Turns, c.First, c.User, c.Output); err != nil {
		return nil, err
	}
	if c.PrefixTokens < 0 || c.PrefixTokens > maxTokens {
		return nil, fmt.Errorf("prefix: want 0 to %d tokens, have %d", maxTokens, c.PrefixTokens)
	}
	if c.MaxInput < 0 {
		return nil, fmt.Errorf("max input: want 0 or more tokens, have %d", c.MaxInput)
	}
	if c.Think < 0 {
		return nil, fmt.Errorf("think: want 0s or more, have %v", c.Think)
	}
	s := &Conversations{chat: c, times: newInstants(c.Rate), active: make(map[uint64]*conversation)}
	s.draws.rng = rand.New(&s.pcg)
	return s, nil
}

// Next returns the first turn of the next conversation, or false after the last. Conversations are numbered from 1.
func (s *Conversations) Next() (Arrival, bool) {
	at, ok := s.times.next()
	if !ok {
		return Arrival{}, false
	}
	session := uint64(s.times.done)
	s.enter(session, 0)
	state := &conversation{turns: s.chat.Turns.draw(&s.draws)}
	input := s.chat.PrefixTokens + s.chat.First.draw(&s.draws)
	if s.chat.MaxInput > 0 {
		input = min(input, s.chat.MaxInput)
	}
	s.active[session] = state
	return s.arrive(session, state, at, input), true
}

// Done returns the session's next turn after its latest one ended at the given time, or false when that was the last turn,
// when the next prompt would be too long, or when there is no such conversation.
func (s *Conversations) Done(session uint64, at sim.Time) (Arrival, bool) {
	state := s.active[session]
	if state == nil {
		return Arrival{}, false
	}
	state.turn++
	s.enter(session, state.turn)
	input := state.context + s.chat.User.draw(&s.draws)
	tooLong := input > maxTokens || s.chat.MaxInput > 0 && input > s.chat.MaxInput
	if state.turn == state.turns || tooLong {
		delete(s.active, session)
		return Arrival{}, false
	}
	think := s.chat.Think
	if s.chat.RandomThink {
		think = sim.Duration(math.Round(float64(float64(think) * -math.Log(1-s.draws.rng.Float64()))))
	}
	return s.arrive(session, state, at.Add(think), input), true
}

// enter puts the random stream where the given turn begins.
func (s *Conversations) enter(session uint64, turn int) {
	s.pcg.Seed(hash(s.chat.Seed, kindOwn, session), uint64(turn))
	s.draws.gauss = polar{}
}

// arrive makes the arrival of a turn and draws its answer's length.
func (s *Conversations) arrive(session uint64, state *conversation, at sim.Time, input int) Arrival {
	a := Arrival{
		At:      at,
		Input:   input,
		Output:  s.chat.Output.draw(&s.draws),
		Prompt:  Prompt{ID: hash(s.chat.Seed, kindOwn, session)},
		Session: session,
	}
	if s.chat.PrefixTokens > 0 {
		a.Prompt.Prefix = hash(s.chat.Seed, kindPrefix, 0)
		a.Prompt.PrefixTokens = s.chat.PrefixTokens
	}
	state.context = input + a.Output
	return a
}
