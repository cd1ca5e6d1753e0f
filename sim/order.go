package sim

// Class ranks events of one instant.
type Class uint8

// The classes in the order in which events of one instant run. Within a class the earlier planted runs first.
const (
	// Completion is the end of work, of a transfer or of a message: whoever looks at the same instant sees it.
	Completion Class = iota
	// Arrival is something new from outside: it finds freed resources free.
	Arrival
	// Boundary is a loop that looks at its surroundings, such as an engine's step or a poll.
	Boundary
	// Timeout fires last: what completes at the very instant of its deadline is in time.
	Timeout
)

// classShift leaves the low bits of an event's key to its sequence: enough for 36 years at a nanosecond an event.
const classShift = 60
