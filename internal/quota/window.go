package quota

import "time"

// window is what a limiter knows of a key's present window.
type window struct {
	key  Key
	ends time.Time
	used int // requests answered here

	// What follows is of use with a source only.
	leased  int           // requests that the source lent in this window
	left    int           // what it had left to lend then
	spent   int           // the limit at which it had nothing left; 0 while it had
	source  int64         // its name of the window; 0 before the first lease
	renewed int           // how often the source began another while it lasted here
	waiting int           // requests that wait for a lease
	leasing chan struct{} // closed when the lease under way is there; nil without one
}

// begin returns the key's present window, beginning one where none is.
func (l *Limiter) begin(key Key, now time.Time) *window {
	if ahead := l.turn.Sub(now); ahead <= 0 || ahead > l.o.Window {
		l.old = l.young
		if ahead.Abs() >= l.o.Window { // also where the clock went back
			l.old, l.rest = nil, time.Time{}
		}
		l.young, l.turn = map[Key]*window{}, now.Add(l.o.Window)
	}
	w := l.find(key, now)
	if w == nil && len(l.young)+len(l.old) >= maxWindows {
		key = others
		w = l.find(key, now)
	}
	if w == nil {
		w = &window{key: key, ends: now.Add(l.o.Window)}
		l.young[key] = w
	}
	return w
}

func (l *Limiter) find(key Key, now time.Time) *window {
	w := l.young[key]
	if w == nil {
		w = l.old[key]
	}
	if w == nil || !now.Before(w.ends) {
		return nil
	}
	return w
}

// have is how many requests can be answered without asking anybody. It is
// negative after an answer on credit, or when the limit was lowered.
func (l *Limiter) have(w *window, limit int) int {
	if l.o.Source == nil {
		return limit - w.used
	}
	return min(limit, w.leased) - w.used
}

func (l *Limiter) quota(w *window, limit int, now time.Time) Quota {
	remaining := l.have(w, limit) + w.left
	if l.o.Source != nil && w.source == 0 {
		remaining = limit - w.used // answered on credit before the first lease
	}
	return Quota{Limit: limit, Remaining: max(0, min(limit, remaining)), Reset: w.ends.Sub(now)}
}

// share is the most that one lease takes of what is left, at least one.
func share(left int) int { return (left + 7) / 8 }
