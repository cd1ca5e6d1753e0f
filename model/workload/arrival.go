package workload

import "pdsim/sim"

// Arrival is one request as it reaches the router.
type Arrival struct {
	At      sim.Time // when the client sends it
	Input   int      // tokens of the prompt, 1 or more
	Output  int      // tokens that it generates, 1 or more
	Prompt  Prompt   // what the prompt's tokens are, as far as caches can tell
	Session uint64   // the conversation that it belongs to; 0 when it stands alone
}

// Source yields arrivals in time order, lazily: memory does not grow with the number of requests.
type Source interface {
	// Next returns the next arrival, or false when there are no more.
	Next() (Arrival, bool)
}

// Feedback is a source that answers the end of a request with a further arrival.
type Feedback interface {
	// Done tells that the session's latest request ended at the given time. It returns the session's next one, which
	// arrives no earlier than that, or false when the session is over.
	Done(session uint64, at sim.Time) (Arrival, bool)
}
