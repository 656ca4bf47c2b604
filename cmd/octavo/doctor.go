package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// unheardAfter is how long ago the first event may be that was not put in line
// for webhooks, see [store.Store.FollowerSince].
const unheardAfter = 2 * time.Hour

// stuckAfter is how late a delivery may be.
const stuckAfter = time.Hour

// doctorCommand checks the data.
type doctorCommand struct {
	config.Storage
	Quick bool `help:"Look at the lengths of files alone, and do not read them."`
	JSON  bool `name:"json" help:"Print a JSON object for each finding."`
}

// Help says what the command does and does not do.
func (doctorCommand) Help() string {
	return "Checks the database file, that secrets can be opened, that the files of assets and the results of exports are there as they were written and no others, at the location that the database names, that tables, columns, indexes and keys are there and as they should be, that the search index, and the newest one that servers share, agree with the pages, that no page is overdue to change, that no event has waited for more than two hours to be put in line for webhooks, no delivery has been due for more than an hour, or waits for longer than any may, and no export has been due for more than 15 minutes, and every rule that binds one stored thing to another. " +
		"Prints a line for each finding: what it is about, and the rule that does not hold there. Behind them stands on standard error how to mend each kind. " +
		"Exits with 1 when there is any. It reads everything, files too unless --quick is given, which takes a while on a large store, works beside a running server, and mends nothing."
}

// checkFiles looks for assets and results of exports whose bytes are not there,
// and for bytes that nothing has.
func (c *doctorCommand) checkFiles(ctx context.Context, s *storage) (findings []store.Finding, err error) {
	blobs, err := s.readFiles(ctx, c.Storage)
	if errors.Is(err, assets.ErrElsewhere) {
		return append(findings, store.Finding{Rule: "files lie at the location that the database names", Subject: strings.TrimSuffix(err.Error(), ": "+assets.ErrElsewhere.Error()), Mend: assets.ErrElsewhere.Error()}), nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	findings, unread := assets.Check(ctx, s.Store, blobs, c.Quick)
	missing, err := exports.Check(ctx, s.Store, blobs, c.Quick)
	if findings, err = append(findings, missing...), errors.Join(unread, err); err != nil {
		return findings, err
	}
	orphans, err := exports.CheckOrphans(ctx, s.Store, blobs, s.env.Now())
	if findings = append(findings, orphans...); err != nil || !s.Shared() {
		return findings, err
	}
	shelf, err := blobs.Apart(live.ShelfName)
	if err != nil {
		return findings, err
	}
	defer func() { err = errors.Join(err, shelf.Close()) }()
	unlike, err := live.CheckShelf(ctx, s.Store, shelf)
	return append(findings, unlike...), err
}

// The ways to mend what is found here.
const (
	mendSecret = "give the key that the secrets were encrypted under with OCTAVO_SECRET_KEY or OCTAVO_SECRET_KEY_FILE, as the server has it"
	mendLate   = "start a server with the role worker, or look at the log of the one that runs"
	mendAhead  = "start a server with the role worker: it makes them due within seconds"
	mendUnseen = "see that what the message names can be reached and read by whoever runs doctor, and run it again"
)

// overdueGrace is how late a page may change, which a server does within two
// seconds, and by how much a delivery may wait longer than its pause, which its
// clock may differ by.
const overdueGrace = time.Minute

// finding is what --json tells of a finding.
type finding struct {
	Subject string `json:"subject"`
	Rule    string `json:"rule"`
	Mend    string `json:"mend"`
}

// checkLate looks for what a server should have done by now.
func (c *doctorCommand) checkLate(ctx context.Context, s *storage) (findings []store.Finding, err error) {
	late := func(rule, subject string) {
		findings = append(findings, store.Finding{Rule: rule, Subject: subject, Mend: mendLate})
	}
	stuck, err := s.StuckDeliveries(ctx, stuckAfter)
	if err != nil {
		return nil, err
	}
	for _, b := range stuck {
		late("a server sends deliveries when they are due", b.Target+" since "+b.Due.Format(time.RFC3339))
	}
	ahead, err := s.PutOffDeliveries(ctx, webhooks.Waits(), overdueGrace)
	if err != nil {
		return findings, err
	}
	for _, b := range ahead {
		findings = append(findings, store.Finding{
			Rule: "a delivery waits no longer than its pause, whatever a clock told", Subject: b.Target + " until " + b.Due.Format(time.RFC3339), Mend: mendAhead,
		})
	}
	since, err := s.FollowerSince(ctx, webhooks.FollowerName)
	if err != nil {
		return findings, err
	}
	if !since.IsZero() && s.env.Now().Sub(since) > unheardAfter {
		late("a server puts events in line for webhooks when they happen", webhooks.FollowerName+" since "+since.Format(time.RFC3339))
	}
	exported, err := s.StuckExports(ctx, exports.StuckAfter)
	if err != nil {
		return findings, err
	}
	for _, id := range exported {
		late("a server works on an export within 15 minutes of its being due", string(id))
	}
	overdue, err := s.Overdue(ctx, s.env.Now().Add(-overdueGrace))
	for _, id := range overdue {
		late("a page changes at its publishAt and unpublishAt, while a server runs", string(id))
	}
	return findings, err
}

// checkAll makes every check. One that fails is a finding, so that the others
// still tell what they find.
func (c *doctorCommand) checkAll(ctx context.Context, s *storage) (findings []store.Finding, err error) {
	for _, check := range []func() ([]store.Finding, error){
		func() ([]store.Finding, error) { return s.Check(ctx) },
		func() ([]store.Finding, error) { return c.checkFiles(ctx, s) },
		func() ([]store.Finding, error) {
			return live.Check(ctx, s.Store, filepath.Join(c.Data, app.SearchFolder))
		},
		func() ([]store.Finding, error) { return c.checkLate(ctx, s) },
		func() ([]store.Finding, error) { return app.CheckKept(ctx, s.Store) },
	} {
		found, err := check()
		findings = append(findings, found...)
		if ctx.Err() != nil {
			return findings, errors.New("interrupted; the rest was not looked at")
		}
		if err != nil {
			findings = append(findings, store.Finding{Rule: "doctor can look at everything", Subject: err.Error(), Mend: mendUnseen})
		}
	}
	if err := app.CheckSecrets(ctx, s.env, s.ids, s.Store, string(c.SecretKey)); err != nil {
		findings = append(findings, store.Finding{Rule: "the secrets of the installation can be opened", Subject: err.Error(), Mend: mendSecret})
	}
	return findings, nil
}

// Run checks the data.
func (c *doctorCommand) Run(p *program) error {
	return p.withStorage(c.Storage, refuseMissing, func(s *storage) error {
		findings, stopped := c.checkAll(p.ctx, s)
		var mends []string
		for _, f := range findings {
			var err error
			if c.JSON {
				err = printJSON(p.stdout, finding{f.Subject, f.Rule, f.Mend})
			} else {
				err = printLine(p.stdout, f.Subject+": broken rule: "+f.Rule)
			}
			if err != nil {
				return err
			}
			if mend := fmt.Sprintf("%s: to mend it, %s", f.Rule, f.Mend); !slices.Contains(mends, mend) {
				mends = append(mends, mend)
			}
		}
		for _, mend := range mends {
			fmt.Fprintln(p.stderr, "octavo: "+mend)
		}
		if stopped != nil {
			return stopped
		}
		if len(findings) > 0 {
			return fmt.Errorf("findings: %d; keep a copy of the data before anything is changed", len(findings))
		}
		fmt.Fprintln(p.stderr, "octavo: nothing is wrong")
		return nil
	})
}
