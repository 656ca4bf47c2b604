package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// How the clock of a database is kept to.
const (
	// clockLook is how often it is asked for.
	clockLook = time.Second
	// clockPatience is the longest answer that is believed: half of it is how
	// wrong the clock can be.
	clockPatience = time.Second
	// clockSlack is how much two clocks may differ without being set.
	clockSlack = 100 * time.Millisecond
	// clockTold is the smallest difference that is logged.
	clockTold = 5 * time.Second
)

// Clock follows the clock of a shared database once set by it, and the local clock
// before. So leases and ages are the same for all processes, even if the clock of a
// machine is wrong or changes. Between settings it uses the monotonic clock.
type Clock struct {
	local func() time.Time
	log   *slog.Logger
	set   atomic.Pointer[clockSetting] // nil before the first
}

// clockSetting is the time of both clocks at one moment.
type clockSetting struct{ shared, local time.Time }

// NewClock returns a clock based on local. It is safe for concurrent use, but Set and
// Run must not be called concurrently.
func NewClock(local func() time.Time, log *slog.Logger) *Clock { return &Clock{local: local, log: log} }

// Now returns the time. The difference of two times is what passed between them,
// by the machine's measure, unless the clock of the database was set meanwhile.
func (c *Clock) Now() time.Time { return c.at(c.local()) }

func (c *Clock) at(local time.Time) time.Time {
	set := c.set.Load()
	if set == nil {
		return local
	}
	return set.shared.Add(local.Sub(set.local))
}

// Set sets the clock by what ask returns, the time in the database. A first
// answer is always believed, later ones when they come within a second.
func (c *Clock) Set(ctx context.Context, ask func(context.Context) (time.Time, error)) error {
	asked := c.local()
	shared, err := ask(ctx)
	if err != nil {
		return err
	}
	answered := c.local()
	took := answered.Sub(asked)
	first := c.set.Load() == nil
	if took > clockPatience && !first {
		return nil
	}
	set := &clockSetting{shared.Add(took / 2), answered}
	ahead := c.at(answered).Sub(set.shared).Round(time.Millisecond)
	if !first && ahead.Abs() <= clockSlack+took/2 { // by so much the answer may be wrong
		return nil
	}
	c.set.Store(set)
	if ahead.Abs() >= clockTold {
		c.log.WarnContext(ctx, "the clock of this machine differs from the clock of the database, which is used", "ahead", ahead)
	}
	return nil
}

// Run keeps the clock set until ctx ends. While the database does not answer,
// time goes on by itself.
func (c *Clock) Run(ctx context.Context, ask func(context.Context) (time.Time, error)) {
	tick := time.NewTicker(clockLook)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			look, cancel := context.WithTimeout(ctx, clockPatience)
			_ = c.Set(look, ask) // others tell that the database is away
			cancel()
		case <-ctx.Done():
			return
		}
	}
}
