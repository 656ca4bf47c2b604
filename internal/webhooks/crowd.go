package webhooks

import (
	"sync"
	"time"
)

// How many deliveries a process has claimed at a time.
const (
	maxProven   = 1024 // to targets that were quick the last time
	maxUnproven = 512  // to all others
	maxSilent   = 1024 // written off
	maxWindow   = 16   // tries under way to one target, and as many written off
	firstWindow = 2    // to one of which nothing is known
	ahead       = 4    // claimed for a quick target, for each that may be under way
	maxLanes    = 4096 // targets that are remembered
	// trustTime is how long a target that is sent nothing keeps its window.
	trustTime = time.Second
	// hushRest is the least time between two looks for those that are silent.
	hushRest = quickTime / 4
)

// pace is how a target bears what it is sent.
type pace int

const (
	steady pace = iota
	quick
	failing
)

// crowd says how many deliveries each target may have under way. A target
// begins with few; each quick success permits one more where that many are
// wanted, up to a bound, and a failure leaves it with one. So targets that hang
// take little from the others, and one that is quick is sent as much as it can
// take.
//
// There is a room for targets that were quick the last time and one for all
// others, so that those that fail leave the first alone. Tries to a target that
// has fallen silent are written off: they go on, in a room of their own, and
// the target begins with one again, for it may be one page that it hangs at.
type crowd struct {
	mu      sync.Mutex
	lanes   map[string]*lane
	held    [2]int // by unproven and proven targets
	silent  int    // tries that were written off
	starved bool   // somebody found no room
	hushed  time.Time
}

// The rooms.
const (
	unproven = iota
	proven
)

// lane is what is known of one target.
type lane struct {
	window  int
	tries   int // under way
	waiting []claimed
	room    int
	silent  int       // tries under way that were written off
	age     int       // how often that was done
	sign    time.Time // the last sign of life, or when tries began to be under way
}

func newCrowd() *crowd { return &crowd{lanes: map[string]*lane{}} }

// capacity is how many the target may hold.
func (l *lane) capacity() int {
	if l.window > firstWindow {
		return l.window * ahead
	}
	return l.window
}

func (l *lane) held() int { return l.tries + len(l.waiting) }

// lane returns what is known of a target.
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

// forget removes targets that have nothing, if there are too many.
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

// move has what a lane holds counted elsewhere.
func (c *crowd) move(l *lane, to int) {
	c.held[l.room] -= l.held()
	l.room = to
	c.held[to] += l.held()
}

// roomFor returns how many deliveries to a target may be claimed: none until it
// has worked off half of what it may hold. none says that this is for want of
// room that others have.
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

// add takes in a delivery that was claimed.
func (c *crowd) add(d claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lane(d.Target)
	l.waiting = append(l.waiting, d)
	c.held[l.room]++
}

// begin returns a delivery that may be tried now.
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

// end says that a try has ended, and how. It returns those that may be tried
// now, those that are to be given back, since their target has failed, and
// whether there is room for more.
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

// distrust leaves a target with one try at a time, and returns what waits for
// it, which is to be given back.
func (c *crowd) distrust(l *lane) (back []claimed) {
	l.window = 1
	back, l.waiting = l.waiting, nil
	c.held[l.room] -= len(back)
	c.move(l, unproven)
	return back
}

// hush writes the tries off to targets that have given no sign of life for
// quickTime, as far as there may be such, and returns what waits behind them,
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

// drop gives up what was claimed and is not under way.
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
