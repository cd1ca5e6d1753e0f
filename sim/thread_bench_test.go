package sim

import (
	"fmt"
	"testing"
)

// BenchmarkThread is one piece of work from its asking to its end, with a call at the end that asks for the next, on a
// thread without a line and on one with sixteen pieces in line.
func BenchmarkThread(b *testing.B) {
	for _, line := range []int{1, 16} {
		b.Run(fmt.Sprint("line=", line), func(b *testing.B) {
			s := New(1, nil)
			th := s.NewThread("worker")
			n := 0
			var then Call
			then = call(s, func() {
				th.Do(Work{Kind: "work", Busy: 10, Then: then})
				if n++; n%1024 == 0 {
					s.Stop()
				}
			})
			for range line {
				th.Do(Work{Kind: "work", Busy: 10, Then: then})
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Run(Never); err != nil { // 1,024 pieces
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/work")
		})
	}
}

// BenchmarkSkip is one step of a handler that nothing disturbs, with sixteen events pending later.
func BenchmarkSkip(b *testing.B) {
	s := New(1, nil)
	n := 0
	var c Call
	c = call(s, func() {
		for s.Skip(s.Now() + 10) {
			if n++; n%1024 == 0 {
				break
			}
		}
		s.After(10, Boundary, c)
		s.Stop()
	})
	for i := range 16 {
		s.At(Time(1<<60)+Time(i), Arrival, c)
	}
	s.After(10, Boundary, c)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Run(Never); err != nil { // 1,024 steps
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/skip")
}

// BenchmarkTimer is a timer that is moved sixteen times before it fires.
func BenchmarkTimer(b *testing.B) {
	s := New(1, nil)
	n := 0
	var timer *Timer
	timer = s.NewTimer(Timeout, call(s, func() {
		for i := range Duration(16) {
			timer.Set(s.Now().Add(10 + (i*7)%16))
			n++
		}
		s.Stop()
	}))
	timer.Set(1)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.Run(Never); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/move")
}
