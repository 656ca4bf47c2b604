package main

import (
	"runtime/debug"
	"sync"
)

// How much the heap may grow between two cycles of the garbage collector, in
// percent of what is alive: usually, as Go has it (runtime/debug.SetGCPercent),
// and while exports are made.
const (
	usualGrowth = 100
	easedGrowth = 300
)

// relief has the garbage collector run less often while exports are made: its
// cycles are what requests beside an export wait for longest. Where GOGC says
// something else than usual, that stays. GOMEMLIMIT holds in any case.
type relief struct {
	mu     sync.Mutex
	making int // exports
}

// begin is called when an export begins to be made, and end when it is no
// longer.
func (r *relief) begin() (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.making++; r.making == 1 {
		exchangeGrowth(usualGrowth, easedGrowth)
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.making--; r.making == 0 {
			exchangeGrowth(easedGrowth, usualGrowth)
		}
	}
}

// exchangeGrowth sets the growth unless it is another than before.
func exchangeGrowth(before, after int) {
	if have := debug.SetGCPercent(after); have != before {
		debug.SetGCPercent(have)
	}
}
