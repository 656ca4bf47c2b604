package webhooks

import (
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store/hookstore"
)

// underWay is how many deliveries are claimed.
func (c *inFlight) underWay() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.claimed[unproven] + c.claimed[proven]
}

// fill claims for a target as much as there is room for, and begins it.
func fill(c *inFlight, target string) (begun []claimed) {
	return fillAt(c, target, time.Time{})
}

func fillAt(c *inFlight, target string, now time.Time) (begun []claimed) {
	n, _ := c.claimable(target, now)
	for range n {
		c.add(claimed{Delivery: hookstore.Delivery{Target: target}})
	}
	for {
		d, ok := c.begin(target, now)
		if !ok {
			return begun
		}
		begun = append(begun, d)
	}
}

// TestWindowGrowsAndShrinks: a target that is quick is sent more and more at
// once, one that fails is sent one.
func TestWindowGrowsAndShrinks(t *testing.T) {
	c := newInFlight()
	under := fill(c, "a")
	if len(under) != firstWindow {
		t.Fatalf("have %d tries under way to a new target, want %d", len(under), firstWindow)
	}
	for range 100 {
		next, back, _ := c.end(under[0], quick, time.Time{})
		if len(back) != 0 {
			t.Fatal("a success gives something back")
		}
		under = append(append(under[1:], next...), fill(c, "a")...)
	}
	if len(under) != maxWindow || c.underWay() > maxWindow*ahead {
		t.Errorf("have %d under way of %d claimed, want %d of at most %d", len(under), c.underWay(), maxWindow, maxWindow*ahead)
	}
	held := c.underWay()
	next, back, _ := c.end(under[0], failing, time.Time{})
	if len(next) != 0 || len(back) != held-len(under) {
		t.Errorf("a failure begins %d and gives %d back, want none and %d", len(next), len(back), held-len(under))
	}
	for _, d := range under[1:] {
		c.end(d, failing, time.Time{})
	}
	if n := len(fill(c, "a")); n != 1 {
		t.Errorf("have %d under way to a target that fails, want 1", n)
	}
}

// TestHangingTargetsLeaveRoom: targets that hang leave half of the room to those that
// have shown that they are quick.
func TestHangingTargetsLeaveRoom(t *testing.T) {
	c := newInFlight()
	for _, d := range fill(c, "quick") {
		c.end(d, quick, time.Time{})
	}
	for i := range 10_000 {
		fill(c, string(rune('a'+i%26))+string(rune(0x4e00+i)))
	}
	if c.claimed[unproven] > maxUnproven || c.underWay() > maxUnproven {
		t.Errorf("%d deliveries are held by %d that hang, want at most %d", c.underWay(), c.claimed[unproven], maxUnproven)
	}
	if n := len(fill(c, "quick")); n <= firstWindow {
		t.Errorf("a quick target has %d under way, want more than %d", n, firstWindow)
	}
	if len(c.targets) > maxWindows+maxUnproven {
		t.Errorf("%d targets are remembered, want at most %d and those that are held", len(c.targets), maxWindows)
	}
}

// TestAbandonSilentAttempts: a target that was quick and then says nothing gives back
// what waits for it, its tries take nothing from the others, and it is tried
// once more, for other pages' sake.
func TestAbandonSilentAttempts(t *testing.T) {
	c, now := newInFlight(), time.Unix(0, 0)
	under := fillAt(c, "a", now)
	for range 100 {
		next, _, _ := c.end(under[0], quick, now)
		under = append(append(under[1:], next...), fillAt(c, "a", now)...)
	}
	now = now.Add(quickTime)
	if back := c.writeOffSilent(now); len(back) != 0 {
		t.Errorf("%d are given back in time", len(back))
	}
	now = now.Add(silenceInterval)
	held := c.underWay()
	if back := c.writeOffSilent(now); len(back) != held-len(under) || c.underWay() != 0 || c.silent != len(under) {
		t.Errorf("have %d given back, %d held and %d silent, want %d, none and %d", len(back), c.underWay(), c.silent, held-len(under), len(under))
	}
	if again := fillAt(c, "a", now); len(again) != 1 {
		t.Errorf("have %d under way to a target that says nothing, want 1", len(again))
	}
	now = now.Add(quickTime + 1)
	if c.writeOffSilent(now); c.underWay() != 1 || c.silent != maxWindow {
		t.Errorf("have %d held and %d silent, want 1 and %d", c.underWay(), c.silent, maxWindow)
	}
	for _, d := range under {
		c.end(d, failing, now)
	}
	if c.underWay() != 1 || c.silent != 0 {
		t.Errorf("have %d held and %d silent, want 1 and none", c.underWay(), c.silent)
	}
}

// TestForgetIdleTargets: after a rest a target begins with few again, and one
// that never needed more never has more.
func TestForgetIdleTargets(t *testing.T) {
	c, now := newInFlight(), time.Unix(0, 0)
	for range 100 {
		c.add(claimed{Delivery: hookstore.Delivery{Target: "a"}})
		d, _ := c.begin("a", now)
		c.end(d, quick, now)
	}
	if n, _ := c.claimable("a", now); n != firstWindow {
		t.Errorf("have room for %d where one at a time was sent, want %d", n, firstWindow)
	}
	under := fillAt(c, "a", now)
	for range 100 {
		next, _, _ := c.end(under[0], quick, now)
		under = append(append(under[1:], next...), fillAt(c, "a", now)...)
	}
	for len(under) > 0 {
		next, _, _ := c.end(under[0], quick, now)
		under = append(under[1:], next...)
	}
	if n, _ := c.claimable("a", now.Add(trustTime)); n != maxWindow*ahead {
		t.Errorf("have room for %d just after many were sent, want %d", n, maxWindow*ahead)
	}
	if n, _ := c.claimable("a", now.Add(trustTime+1)); n != firstWindow {
		t.Errorf("have room for %d after a rest, want %d", n, firstWindow)
	}
}
