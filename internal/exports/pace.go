package exports

import (
	"context"
	"time"
)

// How the making of an export gives way: while more requests a second are
// answered than manyRequests, it rests after each page so many times as long as
// the page took, but not longer than longestRest.
const (
	manyRequests = 100
	restTimes    = 4
	longestRest  = 250 * time.Millisecond
)

// pace is how fast an export is made beside requests. It is used by one
// goroutine.
type pace struct {
	now      func() time.Time
	answered func() uint64 // nil where there are no requests
	begun    time.Time     // when work on the page began
	seen     uint64        // requests answered by then
}

func (s *Service) newPace() *pace {
	p := &pace{now: s.Now, answered: s.Answered}
	p.start()
	return p
}

// start begins a page.
func (p *pace) start() {
	if p.answered != nil {
		p.begun, p.seen = p.now(), p.answered()
	}
}

// rest returns how long to rest after a page.
func (p *pace) rest() time.Duration {
	if p.answered == nil {
		return 0
	}
	worked := p.now().Sub(p.begun)
	if answered := p.answered() - p.seen; worked <= 0 || float64(answered) <= manyRequests*worked.Seconds() {
		return 0
	}
	return min(restTimes*worked, longestRest)
}

// step ends a page, rests where that is called for, and begins the next.
func (p *pace) step(ctx context.Context) {
	if rest := p.rest(); rest > 0 {
		timer := time.NewTimer(rest)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	p.start()
}
