package webhooks

import (
	"sync"
	"time"
)

// Limits of claimed deliveries in one process.
const (
	maxProven   = 1024 // for targets whose last attempt was quick
	maxUnproven = 512  // for all other targets
	maxSilent   = 1024 // abandoned attempts, all targets
	maxWindow   = 16   // concurrent attempts to one target, and as many abandoned ones
	firstWindow = 2    // for a target without a history
	ahead       = 4    // claims of a quick target for each concurrent attempt
	maxWindows  = 4096 // targets kept in memory
	// trustTime is how long an idle target keeps its window.
	trustTime = time.Second
	// silenceInterval is the least time between two checks for silent targets.
	silenceInterval = quickTime / 4
)

// pace is how a target responded.
type pace int

const (
	steady pace = iota
	quick
	failing
)

// inFlight limits how many deliveries each target has claimed and under way. The
// window of a target starts small. Each quick success raises it by one, up to maxWindow,
// and a failure lowers it to one. So a target that hangs takes little from the others,
// and a quick one gets as much as it can take.
//
// Targets whose last attempt was quick share one pool, all others share a second one, so
// that failing targets leave the first alone. Attempts to a silent target are abandoned:
// they continue, counted apart, and the target starts again with a window of one, since
// only one page of it may hang.
type inFlight struct {
	mu             sync.Mutex
	targets        map[string]*targetWindow
	claimed        [2]int // by pool
	silent         int    // abandoned attempts
	starved        bool   // a target found its pool full
	silenceChecked time.Time
}

// The pools.
const (
	unproven = iota
	proven
)

// targetWindow is the state of one target.
type targetWindow struct {
	window  int
	tries   int // under way
	waiting []claimed
	pool    int
	silent  int       // abandoned attempts under way
	age     int       // how often attempts were abandoned
	sign    time.Time // when the target last responded, or the first attempt under way began
}

func newInFlight() *inFlight { return &inFlight{targets: map[string]*targetWindow{}} }

// capacity is how many deliveries the target may have claimed.
func (l *targetWindow) capacity() int {
	if l.window > firstWindow {
		return l.window * ahead
	}
	return l.window
}

func (l *targetWindow) claims() int { return l.tries + len(l.waiting) }

// target returns the state of a target.
func (c *inFlight) target(target string) *targetWindow {
	l := c.targets[target]
	if l == nil {
		c.forget(func(l *targetWindow) bool { return l.pool != proven })
		c.forget(func(*targetWindow) bool { return true })
		l = &targetWindow{window: firstWindow}
		c.targets[target] = l
	}
	return l
}

// forget removes idle targets if there are too many.
func (c *inFlight) forget(which func(*targetWindow) bool) {
	if len(c.targets) < maxWindows {
		return
	}
	for name, l := range c.targets {
		if l.claims() == 0 && l.silent == 0 && which(l) {
			delete(c.targets, name)
		}
	}
}

// move counts the claims of a target in another pool.
func (c *inFlight) move(l *targetWindow, to int) {
	c.claimed[l.pool] -= l.claims()
	l.pool = to
	c.claimed[to] += l.claims()
}

// claimable returns how many deliveries to a target may be claimed now: none until half
// of its capacity is free. full reports that its pool is the reason.
func (c *inFlight) claimable(target string, now time.Time) (n int, full bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.target(target)
	if l.claims() == 0 && now.Sub(l.sign) > trustTime {
		l.window = min(l.window, firstWindow)
	}
	limit := [...]int{unproven: maxUnproven, proven: maxProven}[l.pool]
	if 2*l.claims() > l.capacity() {
		return 0, false
	}
	free := limit - c.claimed[l.pool]
	if free <= 0 {
		c.starved = true
		return 0, true
	}
	return min(free, l.capacity()-l.claims()), false
}

// add registers a claimed delivery.
func (c *inFlight) add(d claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.target(d.Target)
	l.waiting = append(l.waiting, d)
	c.claimed[l.pool]++
}

// begin returns a delivery to attempt now, if the window permits one.
func (c *inFlight) begin(target string, now time.Time) (claimed, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.target(target).begin(now)
}

func (l *targetWindow) begin(now time.Time) (d claimed, ok bool) {
	if len(l.waiting) == 0 || l.tries >= l.window {
		return claimed{}, false
	}
	d, l.waiting = l.waiting[0], l.waiting[1:]
	if l.tries == 0 {
		l.sign = now
	}
	l.tries++
	d.age = l.age
	return d, true
}

// end records the end of an attempt. It returns the deliveries to attempt next, those to
// release because their target failed, and whether more can be claimed.
func (c *inFlight) end(d claimed, p pace, now time.Time) (next, back []claimed, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.target(d.Target)
	full := l.tries >= l.window
	l.sign = now
	if d.age == l.age {
		l.tries--
		c.claimed[l.pool]--
	} else {
		l.silent--
		c.silent--
	}
	switch p {
	case steady:
	case quick:
		if full {
			l.window = min(l.window+1, maxWindow)
		}
		c.move(l, proven)
	case failing:
		back = c.distrust(l)
	}
	for {
		d, ok := l.begin(now)
		if !ok {
			break
		}
		next = append(next, d)
	}
	more = c.starved || 2*l.claims() <= l.capacity()
	c.starved = false
	return next, back, more
}

// distrust sets the window of a target to one and returns its waiting deliveries, which
// the caller releases.
func (c *inFlight) distrust(l *targetWindow) (back []claimed) {
	l.window = 1
	back, l.waiting = l.waiting, nil
	c.claimed[l.pool] -= len(back)
	c.move(l, unproven)
	return back
}

// writeOffSilent abandons the attempts to targets that have not responded for quickTime,
// within the limit, and returns the deliveries waiting for them, which the caller
// releases.
func (c *inFlight) writeOffSilent(now time.Time) (back []claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.silenceChecked).Abs() < silenceInterval {
		return nil
	}
	c.silenceChecked = now
	for _, l := range c.targets {
		if l.tries == 0 || now.Sub(l.sign) <= quickTime || l.silent+l.tries > maxWindow || c.silent+l.tries > maxSilent {
			continue
		}
		back = append(back, c.distrust(l)...)
		l.silent += l.tries
		c.silent += l.tries
		c.claimed[l.pool] -= l.tries
		l.tries = 0
		l.age++
	}
	return back
}

// drop returns the claimed deliveries that are not under way, which the caller releases.
func (c *inFlight) drop() (back []claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.targets {
		back = append(back, l.waiting...)
		c.claimed[l.pool] -= len(l.waiting)
		l.waiting = nil
	}
	return back
}
