package main

import (
	"runtime"
	"sync"
)

// inParallel does n jobs on all cores and returns the error of the first one, by number, that failed. A job that has not
// begun when another fails is left out. done is told of each that has ended.
func inParallel(n int, do func(i int) error, done func()) error {
	errs := make([]error, n)
	var (
		mu     sync.Mutex
		next   int
		failed bool
		wait   sync.WaitGroup
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == n || failed {
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i, ok := take(); ok; i, ok = take() {
				if errs[i] = do(i); errs[i] != nil {
					mu.Lock()
					failed = true
					mu.Unlock()
				}
				done()
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
