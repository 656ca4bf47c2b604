package webhooks

import (
	"sync"
	"time"
)

// Limits of the deliveries that a process has claimed at a time.
const (
	maxProven   = 1024 // to targets that were quick the last time
	maxUnproven = 512  // to all others
	maxSilent   = 1024 // written off
	maxWindow   = 16   // attempts in progress to one target, and as many written off
	firstWindow = 2    // for an unknown target
	ahead       = 4    // claimed for a quick target, for each that may be in progress
	maxLanes    = 4096 // targets that are remembered
	// trustTime is how long an idle target keeps its window.
	trustTime = time.Second
	// hushRest is the minimum time between two searches for silent targets.
	hushRest = quickTime / 4
)

// pace is how quickly a target responds.
type pace int

const (
	steady pace = iota
	quick
	failing
)

// crowd limits how many deliveries to each target may be in progress (its
// window). A window starts small. Each quick success adds one if that many
// are wanted, up to a limit, and a failure reduces it to one. So hanging
// targets take little from the others, and a quick target gets as much as it
// can take.
//
// There is one overall limit for targets that were quick the last time and
// another for all others, so that failing targets do not affect the first.
// Attempts to a silent target are written off: they continue under a third
// limit, and the target starts again with a window of one, since perhaps
// only one page makes it hang.
type crowd struct {
	mu      sync.Mutex
	lanes   map[string]*lane
	held    [2]int // deliveries of unproven and proven targets
	silent  int    // attempts that were written off
	starved bool   // a target found no free capacity
	hushed  time.Time
}

// The limits.
const (
	unproven = iota
	proven
)

// lane is the state of one target.
type lane struct {
	window  int
	tries   int // in progress
	waiting []claimed
	room    int
	silent  int       // attempts in progress that were written off
	age     int       // number of times that happened
	sign    time.Time // of the last response, or when attempts began to be in progress
}

func newCrowd() *crowd { return &crowd{lanes: map[string]*lane{}} }

// capacity is how many deliveries the target may hold.
func (l *lane) capacity() int {
	if l.window > firstWindow {
		return l.window * ahead
	}
	return l.window
}

func (l *lane) held() int { return l.tries + len(l.waiting) }

// lane returns the state of a target.
func (c *crowd) lane(target string) *lane {
	l := c.lanes[target]
	if l == nil {
		c.forget(func(l *lane) bool { return l.room != proven })
		c.forget(func(*lane) bool { return true })
		l = &lane{window: firstWindow}
		c.lanes[target] = l
	}
	return l
}

// forget removes idle targets if there are too many.
func (c *crowd) forget(which func(*lane) bool) {
	if len(c.lanes) < maxLanes {
		return
	}
	for name, l := range c.lanes {
		if l.held() == 0 && l.silent == 0 && which(l) {
			delete(c.lanes, name)
		}
	}
}

// move counts a lane's deliveries under another limit.
func (c *crowd) move(l *lane, to int) {
	c.held[l.room] -= l.held()
	l.room = to
	c.held[to] += l.held()
}

// roomFor returns how many deliveries to a target may be claimed: none until
// it has finished half of its capacity. none reports that other targets use
// up the limit.
func (c *crowd) roomFor(target string, now time.Time) (n int, none bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lane(target)
	if l.held() == 0 && now.Sub(l.sign) > trustTime {
		l.window = min(l.window, firstWindow)
	}
	limit := [...]int{unproven: maxUnproven, proven: maxProven}[l.room]
	if 2*l.held() > l.capacity() {
		return 0, false
	}
	free := limit - c.held[l.room]
	if free <= 0 {
		c.starved = true
		return 0, true
	}
	return min(free, l.capacity()-l.held()), false
}

// add adds a claimed delivery.
func (c *crowd) add(d claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lane(d.Target)
	l.waiting = append(l.waiting, d)
	c.held[l.room]++
}

// begin returns a delivery that may be sent now.
func (c *crowd) begin(target string, now time.Time) (claimed, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lane(target).begin(now)
}

func (l *lane) begin(now time.Time) (d claimed, ok bool) {
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

// end records the end of an attempt, and how quick it was. It returns
// deliveries that may be sent now, those to give back because their target
// has failed, and whether more may be claimed.
func (c *crowd) end(d claimed, p pace, now time.Time) (next, back []claimed, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lane(d.Target)
	full := l.tries >= l.window
	l.sign = now
	if d.age == l.age {
		l.tries--
		c.held[l.room]--
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
	more = c.starved || 2*l.held() <= l.capacity()
	c.starved = false
	return next, back, more
}

// distrust reduces a target's window to one, and returns what waits for it,
// which is to be given back.
func (c *crowd) distrust(l *lane) (back []claimed) {
	l.window = 1
	back, l.waiting = l.waiting, nil
	c.held[l.room] -= len(back)
	c.move(l, unproven)
	return back
}

// hush writes off the attempts to targets that have not responded for
// quickTime, as far as the limit allows. It returns what waits behind them,
// which is to be given back.
func (c *crowd) hush(now time.Time) (back []claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.hushed).Abs() < hushRest {
		return nil
	}
	c.hushed = now
	for _, l := range c.lanes {
		if l.tries == 0 || now.Sub(l.sign) <= quickTime || l.silent+l.tries > maxWindow || c.silent+l.tries > maxSilent {
			continue
		}
		back = append(back, c.distrust(l)...)
		l.silent += l.tries
		c.silent += l.tries
		c.held[l.room] -= l.tries
		l.tries = 0
		l.age++
	}
	return back
}

// drop gives up claimed deliveries that are not in progress.
func (c *crowd) drop() (back []claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lanes {
		back = append(back, l.waiting...)
		c.held[l.room] -= len(l.waiting)
		l.waiting = nil
	}
	return back
}
