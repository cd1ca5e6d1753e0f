package sim

// ring is a first-in first-out queue that reuses its memory. Its length is a power of two, so that positions wrap by a
// mask.
type ring[T any] struct {
	items []T
	head  int
	n     int
}

func (r *ring[T]) len() int { return r.n }

func (r *ring[T]) push(v T) {
	if r.n == len(r.items) {
		grown := make([]T, max(8, 2*r.n))
		for i := range r.n {
			grown[i] = r.items[(r.head+i)&(r.n-1)]
		}
		r.items, r.head = grown, 0
	}
	r.items[(r.head+r.n)&(len(r.items)-1)] = v
	r.n++
}

// front is the entry that pop takes next.
func (r *ring[T]) front() *T { return &r.items[r.head] }

func (r *ring[T]) pop() T {
	v := r.items[r.head]
	r.head = (r.head + 1) & (len(r.items) - 1)
	r.n--
	return v
}
