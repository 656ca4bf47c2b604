package webhooks

import "sync"

// How many deliveries a process has claimed at a time.
const (
	maxHeld     = 1024 // in all
	maxUnproven = 512  // of them for targets that have not just shown that they are quick
	maxWindow   = 16   // tries under way to one target
	firstWindow = 2    // to one of which nothing is known
	ahead       = 4    // claimed for a quick target, for each that may be under way
	maxLanes    = 4096 // targets that are remembered
)

// pace is how a target bears what it is sent.
type pace int

const (
	steady pace = iota
	quick
	failing
)

// crowd says how many deliveries each target may have under way. A target
// begins with few; each quick success permits one more, up to a bound, and a
// failure leaves it with one. So targets that hang take little from the others,
// and one that is quick is sent as much as it can take.
type crowd struct {
	mu       sync.Mutex
	lanes    map[string]*lane
	held     int
	unproven int  // of held
	starved  bool // somebody found no room
}

// lane is what is known of one target.
type lane struct {
	window  int
	tries   int // under way
	waiting []claimed
}

func newCrowd() *crowd { return &crowd{lanes: map[string]*lane{}} }

func (l *lane) proven() bool { return l.window > firstWindow }

// capacity is how many the target may hold.
func (l *lane) capacity() int {
	if l.proven() {
		return l.window * ahead
	}
	return l.window
}

func (l *lane) held() int { return l.tries + len(l.waiting) }

// lane returns what is known of a target.
func (c *crowd) lane(target string) *lane {
	l := c.lanes[target]
	if l == nil {
		c.forget(func(l *lane) bool { return !l.proven() })
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
		if l.held() == 0 && which(l) {
			delete(c.lanes, name)
		}
	}
}

// room returns how many deliveries to a target may be claimed: none until it
// has worked off half of what it may hold.
func (c *crowd) room(target string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lane(target)
	free := maxHeld - c.held
	if !l.proven() {
		free = min(free, maxUnproven-c.unproven)
	}
	if free <= 0 {
		c.starved = true
		return 0
	}
	if 2*l.held() > l.capacity() {
		return 0
	}
	return min(free, l.capacity()-l.held())
}

// add takes in a delivery that was claimed.
func (c *crowd) add(d claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lane(d.Target)
	d.unproven = !l.proven()
	l.waiting = append(l.waiting, d)
	c.count(d, 1)
}

func (c *crowd) count(d claimed, n int) {
	c.held += n
	if d.unproven {
		c.unproven += n
	}
}

// begin returns a delivery that may be tried now.
func (c *crowd) begin(target string) (claimed, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lane(target).begin()
}

func (l *lane) begin() (d claimed, ok bool) {
	if len(l.waiting) == 0 || l.tries >= l.window {
		return claimed{}, false
	}
	d, l.waiting = l.waiting[0], l.waiting[1:]
	l.tries++
	return d, true
}

// end says that a try has ended, and how. It returns those that may be tried
// now, those that are to be given back, since their target has failed, and
// whether there is room for more.
func (c *crowd) end(d claimed, p pace) (next, back []claimed, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.lane(d.Target)
	l.tries--
	c.count(d, -1)
	switch p {
	case steady:
	case quick:
		l.window = min(l.window+1, maxWindow)
	case failing:
		l.window = 1
		back, l.waiting = l.waiting, nil
		for _, d := range back {
			c.count(d, -1)
		}
	}
	for {
		d, ok := l.begin()
		if !ok {
			break
		}
		next = append(next, d)
	}
	more = c.starved || 2*l.held() <= l.capacity()
	c.starved = false
	return next, back, more
}

// drop gives up what was claimed and is not under way.
func (c *crowd) drop() (back []claimed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.lanes {
		back = append(back, l.waiting...)
		l.waiting = nil
	}
	return back
}
