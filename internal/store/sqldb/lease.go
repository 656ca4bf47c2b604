package sqldb

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"time"
)

// DrawLease draws a lease number: not 0, and unique for each claim.
func DrawLease(random io.Reader) (int64, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return 0, fmt.Errorf("draw a lease: %w", err)
	}
	return int64(binary.BigEndian.Uint64(b[:])>>1) | 1, nil
}

// ClockSlack is more than the clocks of two processes can differ, also in
// the second after the clock of the database was set.
const ClockSlack = 10 * time.Second

// Waits are the longest waits of a job: Lease while it is leased, else Retry[n] at
// attempt n, or the last of Retry at a later attempt. A job that is due later got its
// time from a clock that was ahead and has been set back since. It is due now.
type Waits struct {
	Lease time.Duration
	Retry []time.Duration
}

// Latest returns the latest possible due time of a row, in SQL.
func (w Waits) Latest(a *Args, now time.Time) string {
	at := func(wait time.Duration) string { return "CAST(" + a.Add(now.Add(wait).UnixMilli()) + " AS BIGINT)" }
	var b strings.Builder
	b.WriteString("(CASE WHEN lease <> 0 THEN " + at(w.Lease))
	last := len(w.Retry) - 1
	for n, wait := range w.Retry[:last] {
		fmt.Fprintf(&b, " WHEN attempt <= %d THEN %s", n, at(wait))
	}
	b.WriteString(" ELSE " + at(w.Retry[last]) + " END)")
	return b.String()
}

// Due returns the condition, in SQL, under which a row may be claimed. The plus keeps
// SQLite from searching both ends of an index one after the other.
func (w Waits) Due(a *Args, now time.Time) string {
	return "(+ready_at <= " + a.Add(now.UnixMilli()) + " OR +ready_at > " + w.Latest(a, now.Add(ClockSlack)) + ")"
}
