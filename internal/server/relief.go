package server

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
	making int  // exports
	eased  bool // whether the growth is what begin has set
}

// begin is called when an export begins to be made, and end when it is no
// longer.
func (r *relief) begin() (end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.making++; r.making == 1 {
		r.eased = exchangeGrowth(usualGrowth, easedGrowth)
	}
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.making--; r.making == 0 && r.eased {
			exchangeGrowth(easedGrowth, usualGrowth)
		}
	}
}

// exchangeGrowth sets the growth unless it is another than before, and reports
// whether it did.
func exchangeGrowth(before, after int) bool {
	have := debug.SetGCPercent(after)
	if have != before {
		debug.SetGCPercent(have)
	}
	return have == before
}
