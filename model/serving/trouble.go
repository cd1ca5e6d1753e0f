package serving

// Trouble is what the KV connector's metrics count besides transfers.
type Trouble uint8

// The kinds of trouble.
const (
	FailedTransfer Trouble = iota // a transfer, or the handshake before it
	LostNote                      // a notification that did not arrive
	ExpiredLease                  // blocks that nobody fetched in time
)

// trouble counts something that went wrong with what e had posted, sent or kept.
func (e *Engine) trouble(kind Trouble) {
	st := &e.c.Stats
	switch kind {
	case FailedTransfer:
		st.FailedTransfers++
	case LostNote:
		st.LostNotes++
	case ExpiredLease:
		st.Expired++
	}
	if st.Trouble != nil {
		st.Trouble(e, kind, e.c.Sim.Now())
	}
}

// sender is the engine that sent a notification of a kind about r.
func (r *Request) sender(kind uint8) *Engine {
	if kind == KVWritten {
		return r.P.Engine
	}
	return r.D.Engine
}
