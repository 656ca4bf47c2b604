package webhooks

import (
	"testing"

	"github.com/octavo-docs/octavo/internal/store"
)

// underWay is how many deliveries are claimed.
func (c *crowd) underWay() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}

// fill claims for a target as much as there is room for, and begins it.
func fill(c *crowd, target string) (begun []claimed) {
	for range c.room(target) {
		c.add(claimed{Delivery: store.Delivery{Target: target}})
	}
	for {
		d, ok := c.begin(target)
		if !ok {
			return begun
		}
		begun = append(begun, d)
	}
}

// TestCrowdGrowsAndShrinks: a target that is quick is sent more and more at
// once, one that fails is sent one.
func TestCrowdGrowsAndShrinks(t *testing.T) {
	c := newCrowd()
	under := fill(c, "a")
	if len(under) != firstWindow {
		t.Fatalf("have %d tries under way to a new target, want %d", len(under), firstWindow)
	}
	for range 100 {
		next, back, _ := c.end(under[0], quick)
		if len(back) != 0 {
			t.Fatal("a success gives something back")
		}
		under = append(append(under[1:], next...), fill(c, "a")...)
	}
	if len(under) != maxWindow || c.underWay() > maxWindow*ahead {
		t.Errorf("have %d under way of %d claimed, want %d of at most %d", len(under), c.underWay(), maxWindow, maxWindow*ahead)
	}
	held := c.underWay()
	next, back, _ := c.end(under[0], failing)
	if len(next) != 0 || len(back) != held-len(under) {
		t.Errorf("a failure begins %d and gives %d back, want none and %d", len(next), len(back), held-len(under))
	}
	for _, d := range under[1:] {
		c.end(d, failing)
	}
	if n := len(fill(c, "a")); n != 1 {
		t.Errorf("have %d under way to a target that fails, want 1", n)
	}
}

// TestCrowdLeavesRoom: targets that hang leave half of the room to those that
// have shown that they are quick.
func TestCrowdLeavesRoom(t *testing.T) {
	c := newCrowd()
	for _, d := range fill(c, "quick") {
		c.end(d, quick)
	}
	for i := range 10_000 {
		fill(c, string(rune('a'+i%26))+string(rune(0x4e00+i)))
	}
	if c.unproven > maxUnproven || c.underWay() > maxUnproven {
		t.Errorf("%d deliveries are held by %d that hang, want at most %d", c.underWay(), c.unproven, maxUnproven)
	}
	if n := len(fill(c, "quick")); n <= firstWindow {
		t.Errorf("a quick target has %d under way, want more than %d", n, firstWindow)
	}
	if len(c.lanes) > maxLanes+maxUnproven {
		t.Errorf("%d targets are remembered, want at most %d and those that are held", len(c.lanes), maxLanes)
	}
}
