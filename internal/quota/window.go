package quota

import "time"

// window is the current window of a key.
type window struct {
	key  Key
	ends time.Time
	used int // requests answered by this process

	// The rest is only used with a source.
	leased  int           // requests that the source has leased in this window
	left    int           // rest of the source at the last lease
	spent   int           // the limit at which the source had nothing left; 0 if it has
	source  int64         // the source's window; 0 before the first lease
	renewed int           // number of windows that the source started during this one
	waiting int           // requests waiting for a lease
	leasing chan struct{} // closed when the running lease ends; nil without one
}

// begin returns the current window of the key, or starts one.
func (l *Limiter) begin(key Key, now time.Time) *window {
	if ahead := l.turn.Sub(now); ahead <= 0 || ahead > l.o.Window {
		l.old = l.young
		if ahead.Abs() >= l.o.Window { // or the clock was set back
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

// have returns how many requests can be allowed without asking the source. It is negative
// after requests on credit, or when the limit was lowered.
func (l *Limiter) have(w *window, limit int) int {
	if l.o.Source == nil {
		return limit - w.used
	}
	return min(limit, w.leased) - w.used
}

func (l *Limiter) quota(w *window, limit int, now time.Time) Quota {
	remaining := l.have(w, limit) + w.left
	if l.o.Source != nil && w.source == 0 {
		remaining = limit - w.used // allowed on credit before the first lease
	}
	return Quota{Limit: limit, Remaining: max(0, min(limit, remaining)), Reset: w.ends.Sub(now)}
}

// share is the maximum of one lease: an eighth of the rest, at least one.
func share(left int) int { return (left + 7) / 8 }
