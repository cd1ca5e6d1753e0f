package sim

// event is one entry of the queue: 32 bytes, no pointers, so that the heap is moved without write barriers.
type event struct {
	at    Time
	key   uint64 // class, then sequence
	cause SpanID
	arg   uint32
	op    Op
	to    HandlerID
}

func (a *event) before(b *event) bool {
	return a.at < b.at || a.at == b.at && a.key < b.key
}

// queue is a binary heap written out for its one entry type: a comparison through an interface or a generic parameter
// is not inlined and costs half as much again.
//
// Most events plant a successor, so take leaves a hole at the top that the next push fills on its way down; only when
// somebody asks for the next event while the hole is open does the last entry fill it.
type queue struct {
	heap []event
	hole bool // heap[0] has been taken
}

// next is the time of the earliest event, or Never.
func (q *queue) next() Time {
	if q.hole {
		q.fill()
	}
	if len(q.heap) == 0 {
		return Never
	}
	return q.heap[0].at
}

// take removes the earliest event. The queue must not be empty and must have been asked for its next since the last
// take.
func (q *queue) take() event {
	q.hole = true
	return q.heap[0]
}

// push adds an event.
func (q *queue) push(e event) {
	if q.hole {
		q.hole = false
		q.down(e)
		return
	}
	q.heap = append(q.heap, e)
	q.up(len(q.heap)-1, e)
}

// replace puts e in the place of the pending event of the same handler at a later time.
func (q *queue) replace(later Time, e event) {
	q.next() // what is being handled is no longer pending
	for i := range q.heap {
		if q.heap[i].to == e.to && q.heap[i].at == later {
			q.up(i, e)
			return
		}
	}
}

// size is the number of pending events.
func (q *queue) size() int {
	if q.hole {
		return len(q.heap) - 1
	}
	return len(q.heap)
}

// fill closes the hole at the top with the last entry.
func (q *queue) fill() {
	q.hole = false
	n := len(q.heap) - 1
	last := q.heap[n]
	q.heap = q.heap[:n]
	if n > 0 {
		q.down(last)
	}
}

// up finds the place for e from position i, which is free, towards the top.
func (q *queue) up(i int, e event) {
	h := q.heap
	for i > 0 {
		parent := (i - 1) / 2
		if !e.before(&h[parent]) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = e
}

// down finds the place for e from the top, which is free.
func (q *queue) down(e event) {
	h := q.heap
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(&h[child]) {
			child++
		}
		if !h[child].before(&e) {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = e
}
