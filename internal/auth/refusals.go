package auth

import (
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// Limits on the audit entries that refused attempts cause. Anybody can cause them, so
// without limits anybody could fill the disk. In a window, each of the first maxRefusals
// combinations of action, name and address has one entry at once and at most one at the
// end, which counts the repetitions. All others share one entry. An entry takes about 300
// bytes, so a constant attack adds 4 MB a day. Since these entries expire, they never
// exceed 400 MB.
const (
	RefusalWindow = 5 * time.Minute
	RefusalsKept  = 90 * day
	maxRefusals   = 20
	maxRefused    = 256 // bytes of a subject
)

// AuditStore records audit entries outside a transaction.
type AuditStore interface {
	Record(ctx context.Context, e octavo.AuditEntry, keep time.Duration) error
}

// Refusals records refused attempts, such as to sign in, in bounded space.
type Refusals struct {
	env   Env
	store AuditStore
	log   *slog.Logger

	mu     sync.Mutex
	ends   time.Time // of the window
	groups map[refusal]*refused
	others int64 // of combinations beyond maxRefusals
}

// refusal identifies repetitions of the same attempt.
type refusal struct {
	action  octavo.AuditAction
	who     [sha256.Size]byte
	address string
}

type refused struct {
	entry octavo.AuditEntry
	again int64
}

// NewRefusals returns refusals that are recorded in a store. It logs entries that the
// store does not accept.
func NewRefusals(env Env, st AuditStore, log *slog.Logger) *Refusals {
	return &Refusals{env: env, store: st, log: log, groups: map[refusal]*refused{}}
}

// Note records a refused attempt: action, subject, address, trace and a detail without
// secrets. It records the first of a kind in a window before it returns; Flush records the
// number of repetitions. The name that was entered only distinguishes kinds and is never
// stored: it may be a password entered by mistake. Unknown names take as long as known
// ones.
func (r *Refusals) Note(ctx context.Context, who string, e octavo.AuditEntry) {
	if len(e.Subject) > maxRefused {
		e.Subject = strings.ToValidUTF8(e.Subject[:maxRefused], "")
	}
	e.Subject = strings.Clone(e.Subject)
	due := r.count(who, e)
	if err := r.write(ctx, due); err != nil && ctx.Err() == nil {
		r.log.ErrorContext(ctx, "a refusal was not recorded", "action", e.Action, "error", err)
	}
}

// count returns the entries to record now.
func (r *Refusals) count(who string, e octavo.AuditEntry) []octavo.AuditEntry {
	r.mu.Lock()
	defer r.mu.Unlock()
	due := r.ended(false)
	key := refusal{e.Action, sha256.Sum256([]byte(who)), e.Address}
	switch g := r.groups[key]; {
	case g != nil:
		g.again++
	case len(r.groups) < maxRefusals:
		r.groups[key] = &refused{entry: e}
		due = append(due, e)
	default:
		r.others++
	}
	return due
}

// ended starts a new window if the current one is over, or if must is set, and returns the
// counts of the old one.
func (r *Refusals) ended(must bool) (due []octavo.AuditEntry) {
	now := r.env.Now()
	if left := r.ends.Sub(now); !must && left > 0 && left <= RefusalWindow { // more than RefusalWindow after the clock was set back
		return nil
	}
	for _, g := range r.groups {
		if g.again > 0 {
			e := g.entry
			e.Detail = maps.Clone(e.Detail)
			if e.Detail == nil {
				e.Detail = map[string]any{}
			}
			e.Detail["repeated"] = g.again
			due = append(due, e)
		}
	}
	if r.others > 0 {
		due = append(due, octavo.AuditEntry{Action: octavo.SignInRefused, Detail: map[string]any{"others": r.others}})
	}
	r.ends, r.others = now.Add(RefusalWindow), 0
	clear(r.groups)
	return due
}

// Flush records the counts of a finished window, and of the current one if stopping. Call
// it about once a minute and before the process stops.
func (r *Refusals) Flush(ctx context.Context, stopping bool) error {
	r.mu.Lock()
	due := r.ended(stopping)
	r.mu.Unlock()
	return octavo.Wrapf(r.write(ctx, due), "record refusals")
}

func (r *Refusals) write(ctx context.Context, due []octavo.AuditEntry) error {
	var errs []error
	for _, e := range due {
		errs = append(errs, r.store.Record(ctx, e, RefusalsKept))
	}
	return errors.Join(errs...)
}
