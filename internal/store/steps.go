package store

import "time"

const (
	// clockStep is how far a clock has to go back to be taken for set anew. Those
	// of the processes on one database differ by less.
	clockStep = time.Second
	// stepTail is how long after that others may still write by the time before:
	// who learns of it late, and who had begun to write. stepRest is how long
	// rests what is done about it meanwhile.
	stepTail = time.Minute
	stepRest = 10 * time.Second
)

// Steps tells who has work waiting for a time when it is to be set back, by
// SetBackDeliveries or SetBackExports: at the start, since the clock may have
// gone back while no server ran, when it has gone back, and for a minute after
// both. It is for one goroutine; the zero value is ready.
type Steps struct {
	last        time.Time // what the clock told last; zero before the first
	next, until time.Time // of the machine; next is zero when there is nothing to do
}

// Due reports whether work is to be set back, by what the clock and that of the
// machine tell now. It does until Done.
func (s *Steps) Due(now, machine time.Time) bool {
	if s.last.IsZero() || s.last.Sub(now) >= clockStep {
		s.next, s.until = machine, machine.Add(stepTail)
	}
	s.last = now
	return !s.next.IsZero() && !machine.Before(s.next)
}

// Done says that work was set back.
func (s *Steps) Done(machine time.Time) {
	if s.next = machine.Add(stepRest); s.next.After(s.until) {
		s.next = time.Time{}
	}
}
