package sim

import "fmt"

// Gate opens after a number of arrivals. Its zero value is open.
type Gate struct {
	left int
	then Call
	came []SpanID // the causes of the arrivals, while spans are kept
}

// Close makes the gate wait for n arrivals and then call then. With none to wait for it stays open and calls nothing.
func (g *Gate) Close(n int, then Call) {
	if n < 0 {
		panic(fmt.Sprintf("sim: Gate.Close: %d arrivals", n))
	}
	g.left, g.then, g.came = n, then, g.came[:0]
}

// Arrive counts one arrival. The last one opens the gate, within its own event, so that its cause is the cause of
// what follows. Arrivals at an open gate pass.
func (g *Gate) Arrive(s *Sim) {
	if g.left == 0 {
		return
	}
	if s.rec != nil {
		g.came = append(g.came, s.cause)
	}
	if g.left--; g.left == 0 {
		s.Do(g.then)
	}
}

// Open says whether nobody is missing.
func (g *Gate) Open() bool { return g.left == 0 }

// Others are, at the opening and while spans are kept, the causes of all arrivals but the last: what else the span that
// follows depended on. They are good until the gate is closed again.
func (g *Gate) Others() []SpanID { return g.came[:max(0, len(g.came)-1)] }
