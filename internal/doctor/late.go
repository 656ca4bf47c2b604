package doctor

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// Delays beyond these are findings.
const (
	unheardAfter = 2 * time.Hour    // the oldest event that is not yet queued for webhooks, see [changelog.Log.FollowerSince]
	stuckAfter   = time.Hour        // a delivery
	exportAfter  = 15 * time.Minute // an export

	// overdueGrace is how late a scheduled change may be, which a server makes within two
	// seconds, and how much longer than its pause a delivery may wait, by which its clock may
	// differ.
	overdueGrace = time.Minute
)

// Remedies for delays.
const (
	mendLate  = "start a server with the role worker, or look at the log of the one that runs"
	mendAhead = "start a server with the role worker: it makes them due within seconds"
)

// checkLate looks for overdue work of a server.
func checkLate(ctx context.Context, st *store.Store, now time.Time) (findings []storecheck.Finding, err error) {
	late := func(rule, subject string) {
		findings = append(findings, storecheck.Finding{Rule: rule, Subject: subject, Mend: mendLate})
	}
	stuck, err := st.Hooks.Stuck(ctx, stuckAfter)
	if err != nil {
		return nil, err
	}
	for _, b := range stuck {
		late("a server sends deliveries when they are due", b.Target+" since "+b.Due.Format(time.RFC3339))
	}
	ahead, err := st.Hooks.PutOff(ctx, webhooks.Waits(), overdueGrace)
	if err != nil {
		return findings, err
	}
	for _, b := range ahead {
		findings = append(findings, storecheck.Finding{
			Rule: "a delivery waits no longer than its backoff, whatever a clock said", Subject: b.Target + " until " + b.Due.Format(time.RFC3339), Mend: mendAhead,
		})
	}
	since, err := st.Log.FollowerSince(ctx, webhooks.FollowerName)
	if err != nil {
		return findings, err
	}
	if !since.IsZero() && now.Sub(since) > unheardAfter {
		late("a server queues events for webhooks when they happen", webhooks.FollowerName+" since "+since.Format(time.RFC3339))
	}
	exported, err := st.Exports.Stuck(ctx, exportAfter)
	if err != nil {
		return findings, err
	}
	for _, id := range exported {
		late("a server starts an export within 15 minutes after it is due", string(id))
	}
	waiting, err := st.Imports.Stuck(ctx, exportAfter)
	if err != nil {
		return findings, err
	}
	for _, id := range waiting {
		late("a server starts an import within 15 minutes after it is due", string(id))
	}
	overdue, err := st.Pages.Overdue(ctx, now.Add(-overdueGrace))
	for _, id := range overdue {
		late("a page changes at its publishAt and unpublishAt, while a server runs", string(id))
	}
	return findings, err
}
