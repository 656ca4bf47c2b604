package doctor

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// What is late by so much is a finding.
const (
	unheardAfter = 2 * time.Hour    // the first event that was not put in line for webhooks, see [changelog.Log.FollowerSince]
	stuckAfter   = time.Hour        // a delivery
	exportAfter  = 15 * time.Minute // an export

	// overdueGrace is how late a page may change, which a server does within two
	// seconds, and by how much a delivery may wait longer than its pause, which its
	// clock may differ by.
	overdueGrace = time.Minute
)

// What mends what is late.
const (
	mendLate  = "start a server with the role worker, or look at the log of the one that runs"
	mendAhead = "start a server with the role worker: it makes them due within seconds"
)

// checkLate looks for what a server should have done by now.
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
