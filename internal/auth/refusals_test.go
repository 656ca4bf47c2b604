package auth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// auditLog is an audit log in memory.
type auditLog struct {
	lines []string
	err   error
}

func (l *auditLog) Record(_ context.Context, e octavo.AuditEntry, keep time.Duration) error {
	if keep != RefusalsKept {
		return fmt.Errorf("kept for %s", keep)
	}
	l.lines = append(l.lines, fmt.Sprintf("%s %.20s %s %v", e.Action, e.Subject, e.Address, e.Detail))
	return l.err
}

// take returns what was recorded since it was called last.
func (l *auditLog) take() []string {
	lines := l.lines
	l.lines = nil
	slices.Sort(lines)
	return lines
}

func TestRefusalLimit(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	log := &auditLog{}
	var logged strings.Builder
	r := NewRefusals(Env{Now: func() time.Time { return now }}, log, slog.New(slog.NewTextHandler(&logged, nil)))
	note := func(subject, address string) {
		r.Note(t.Context(), subject, octavo.AuditEntry{
			Action: octavo.SignInRefused, Subject: subject, Address: address, Detail: map[string]any{"reason": "password"},
		})
	}
	want := func(doing string, lines ...string) {
		t.Helper()
		if have := log.take(); !slices.Equal(have, lines) {
			t.Errorf("%s: have %q, want %q", doing, have, lines)
		}
	}

	note("ann", "192.0.2.1")
	note("ann", "192.0.2.2")
	want("the first of each", "signin.refused ann 192.0.2.1 map[reason:password]", "signin.refused ann 192.0.2.2 map[reason:password]")
	for range 1000 {
		note("ann", "192.0.2.1")
	}
	want("repetitions")
	if err := r.Flush(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	want("within the window")

	now = now.Add(RefusalWindow)
	if err := r.Flush(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	want("when the window is over", "signin.refused ann 192.0.2.1 map[reason:password repeated:1000]")

	for i := range 5000 {
		note(fmt.Sprint(strings.Repeat("x", i), i), "192.0.2.1")
	}
	if have := len(log.take()); have != maxRefusals {
		t.Errorf("5,000 accounts: have %d entries, want %d", have, maxRefusals)
	}
	now = now.Add(-time.Hour) // a clock that goes back does not keep the window open
	note("bob", "192.0.2.1")
	want("others", "signin.refused   map[others:4980]", "signin.refused bob 192.0.2.1 map[reason:password]")

	note("bob", "192.0.2.1")
	if err := r.Flush(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	want("when stopping", "signin.refused bob 192.0.2.1 map[reason:password repeated:1]")

	// A name that nobody has is noted like any other, and is not in the log.
	for _, who := range []string{"a password", "another", "a password"} {
		r.Note(t.Context(), who, octavo.AuditEntry{Action: octavo.SignInRefused, Address: "192.0.2.9"})
	}
	want("names of nobody", "signin.refused  192.0.2.9 map[]", "signin.refused  192.0.2.9 map[]")

	log.err = errors.New("disk full")
	note("cid", "192.0.2.1")
	if !strings.Contains(logged.String(), "disk full") {
		t.Errorf("the failure is not in the log: %q", logged.String())
	}
}
