package app

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"
)

// How the clock of the database is followed.
const (
	// clockLook is the interval of reading it.
	clockLook = time.Second
	// clockPatience is the longest round trip of a reading that is used. The error of the
	// clock is at most half of it.
	clockPatience = time.Second
	// clockSlack is the difference between two clocks that is tolerated.
	clockSlack = 100 * time.Millisecond
	// clockLogged is the smallest difference that is logged.
	clockLogged = 5 * time.Second
)

// Clock follows the clock of a shared database once Set was called, and the local clock
// before. So leases and ages agree between processes, even if the clock of a machine is
// wrong or changes. Between readings it uses the monotonic clock.
type Clock struct {
	local func() time.Time
	log   *slog.Logger
	set   atomic.Pointer[clockSetting] // nil before the first
}

// clockSetting has the readings of both clocks at one moment.
type clockSetting struct{ shared, local time.Time }

// NewClock returns a clock based on local. It is safe for concurrent use, but Set and
// Run must not be called concurrently.
func NewClock(local func() time.Time, log *slog.Logger) *Clock { return &Clock{local: local, log: log} }

// Now returns the time. Differences are measured by the monotonic clock of the machine,
// unless the clock of the database was set meanwhile.
func (c *Clock) Now() time.Time { return c.at(c.local()) }

func (c *Clock) at(local time.Time) time.Time {
	set := c.set.Load()
	if set == nil {
		return local
	}
	return set.shared.Add(local.Sub(set.local))
}

// Set sets the clock to the time that ask returns from the database. It always uses the
// first reading, and later ones within clockPatience.
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
	if !first && ahead.Abs() <= clockSlack+took/2 { // within the error of the reading
		return nil
	}
	c.set.Store(set)
	if ahead.Abs() >= clockLogged {
		c.log.WarnContext(ctx, "the clock of this machine differs from the clock of the database, which is used", "ahead", ahead)
	}
	return nil
}

// Run keeps the clock set until ctx ends. While the database does not respond, the
// monotonic clock goes on.
func (c *Clock) Run(ctx context.Context, ask func(context.Context) (time.Time, error)) {
	tick := time.NewTicker(clockLook)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			look, cancel := context.WithTimeout(ctx, clockPatience)
			_ = c.Set(look, ask) // others report that the database is unavailable
			cancel()
		case <-ctx.Done():
			return
		}
	}
}
