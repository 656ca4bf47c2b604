package webhooks

import (
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// GiveUp is after how long without success a webhook is disabled.
const GiveUp = 5 * 24 * time.Hour

// maxRetryAfter limits how long a receiver can delay the next attempt.
const maxRetryAfter = 24 * time.Hour

// pauses are the backoff times between failed attempts (decision 36).
func pauses() [9]time.Duration {
	return [9]time.Duration{
		5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
		10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
	}
}

// pause returns the backoff after an attempt, which counts from 1; false
// means that there is no further one. chance, from 0 to 1, adds jitter of up
// to a tenth, so that simultaneous failures are not retried at once.
func pause(attempt int, chance float64) (time.Duration, bool) {
	list := pauses()
	if attempt < 1 || attempt > len(list) {
		return 0, false
	}
	d := list[attempt-1]
	return d + time.Duration(chance*float64(d)/10), true
}

// Waits are the longest waits of a delivery, by attempt: none for the first,
// then its backoff or what its receiver may ask for.
func Waits() sqldb.Waits {
	w := sqldb.Waits{Lease: hookstore.LeaseTime, Retry: []time.Duration{0, 0}}
	for attempt := 1; ; attempt++ {
		after, again := pause(attempt, 1)
		if !again {
			return w
		}
		w.Retry = append(w.Retry, max(after, maxRetryAfter))
	}
}

// draw returns a random number from 0 up to 1.
func draw(random io.Reader) (float64, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return 0, fmt.Errorf("draw a number: %w", err)
	}
	return float64(binary.BigEndian.Uint64(b[:])>>11) / (1 << 53), nil
}

// retryAfter reads how long a response asks to wait: in seconds, or until a
// date (RFC 9110 section 10.2.3). Invalid values are 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := h.Get("Retry-After")
	var d time.Duration
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		d = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		d = at.Sub(now)
	}
	return min(max(d, 0), maxRetryAfter)
}
