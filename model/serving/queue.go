package serving

// legQueue is a queue of legs that preempted ones rejoin at the head.
type legQueue struct {
	items []*Leg
	head  int
	n     int
}

func (q *legQueue) len() int { return q.n }

func (q *legQueue) front() *Leg { return q.items[q.head] }

func (q *legQueue) at(i int) *Leg { return q.items[(q.head+i)%len(q.items)] }

func (q *legQueue) push(l *Leg) {
	q.grow()
	q.items[(q.head+q.n)%len(q.items)] = l
	q.n++
}

func (q *legQueue) pushFront(l *Leg) {
	q.grow()
	q.head = (q.head - 1 + len(q.items)) % len(q.items)
	q.items[q.head] = l
	q.n++
}

func (q *legQueue) pop() *Leg {
	l := q.items[q.head]
	q.items[q.head] = nil
	q.head = (q.head + 1) % len(q.items)
	q.n--
	return l
}

func (q *legQueue) grow() {
	if q.n < len(q.items) {
		return
	}
	items := make([]*Leg, max(16, 2*q.n))
	for i := range q.n {
		items[i] = q.at(i)
	}
	q.items, q.head = items, 0
}

// remove takes a leg out of the middle.
func (q *legQueue) remove(l *Leg) {
	for i := range q.n {
		if q.at(i) != l {
			continue
		}
		for ; i+1 < q.n; i++ {
			q.items[(q.head+i)%len(q.items)] = q.at(i + 1)
		}
		q.n--
		q.items[(q.head+q.n)%len(q.items)] = nil
		return
	}
}
