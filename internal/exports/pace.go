package exports

import (
	"context"
	"time"
)

// How the making of an export gives way: while more requests a second are
// answered than manyRequests, it works for no longer than about a slice and then
// rests so many times as long, and once more for each further moreRequests, but
// not longer than longestRest. A slice is short beside what a request takes,
// since one that comes meanwhile may wait for it; the more requests there are,
// the more of them do.
const (
	manyRequests = 100
	moreRequests = 150
	slice        = 150 * time.Microsecond
	restTimes    = 4
	mostTimes    = 16
	longestRest  = 250 * time.Millisecond
	lookInterval = 50 * time.Millisecond // how often requests are counted
)

// pace is how fast an export is made beside requests. It is used by one
// goroutine.
type pace struct {
	now      func() time.Time
	answered func() uint64 // nil where there are no requests
	begun    time.Time     // when work began after the last rest
	looked   time.Time     // when requests were counted
	seen     uint64        // how many had been answered by then
	times    int           // how many times as long as it works it rests
}

func (s *Service) newPace() *pace {
	p := &pace{now: s.Now, answered: s.Answered}
	if p.answered != nil {
		p.begun, p.seen = p.now(), p.answered()
		p.looked = p.begun
	}
	return p
}

// rest returns how long to rest now.
func (p *pace) rest() time.Duration {
	if p.answered == nil {
		return 0
	}
	at := p.now()
	if passed := at.Sub(p.looked); passed >= lookInterval {
		answered := p.answered()
		p.times = timesOf(float64(answered-p.seen) / passed.Seconds())
		p.looked, p.seen = at, answered
	}
	worked := at.Sub(p.begun)
	if p.times == 0 {
		p.begun = at
		return 0
	}
	if worked < slice {
		return 0
	}
	return min(time.Duration(p.times)*worked, longestRest)
}

// timesOf returns how many times as long as an export works it rests beside so
// many requests a second.
func timesOf(rate float64) int {
	if rate <= manyRequests {
		return 0
	}
	return int(min(restTimes+rate/moreRequests, mostTimes))
}

// step is called between pieces of work, and rests where that is called for.
func (p *pace) step(ctx context.Context) {
	rest := p.rest()
	if rest == 0 {
		return
	}
	timer := time.NewTimer(rest)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	p.begun = p.now()
}
