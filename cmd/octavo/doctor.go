package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	JSON bool `name:"json" help:"Print a JSON object for each finding."`
}

// Help says what the command does and does not do.
func (doctorCommand) Help() string {
	return "Checks the database file, that secrets can be opened, that the files of assets and the results of exports are there in full and no others, that the search index, and the newest one that servers share, agree with the pages, that no page is overdue to change, that no event has waited for more than two hours to be put in line for webhooks, no delivery has been due for more than an hour and no export for more than 15 minutes, and every rule that binds one stored thing to another. " +
		"Prints a line for each finding: what it is about, and the rule that does not hold there. " +
		"Exits with 1 when there is any. It reads everything, which takes a while on a large store, works beside a running server, and mends nothing."
}

// checkFiles looks for assets and results of exports whose bytes are not there,
// and for bytes that nothing has.
func (c *doctorCommand) checkFiles(ctx context.Context, s *storage) (findings []store.Finding, err error) {
	stats, err := s.Stats(ctx)
	if err != nil {
		return nil, err
	}
	results, err := s.ExportBlobs(ctx, "", 1)
	if err != nil {
		return nil, err
	}
	if stats.Blobs == 0 && len(results) == 0 && !c.hasFiles() {
		return nil, nil // nor does it create a folder that nothing needs
	}
	blobs, err := openBlobs(ctx, c.Storage)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	findings, err = assets.Check(ctx, s.Store, blobs)
	if err != nil {
		return findings, err
	}
	missing, err := exports.Check(ctx, s.Store, blobs)
	if findings = append(findings, missing...); err != nil {
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

// hasFiles reports whether there is a place for files.
func (c *doctorCommand) hasFiles() bool {
	if c.BlobURL != "" {
		return true
	}
	_, err := os.Stat(filepath.Join(c.Data, filesFolder))
	return !errors.Is(err, fs.ErrNotExist)
}

// overdueGrace is how late a page may change, which a server does within two
// seconds.
const overdueGrace = time.Minute

// finding is what --json tells of a finding.
type finding struct {
	Subject string `json:"subject"`
	Rule    string `json:"rule"`
}

// Run checks the data.
func (c *doctorCommand) Run(p *program) error {
	return p.withStorage(c.Storage, refuseMissing, func(s *storage) error {
		checked, err := s.Check(p.ctx)
		if err != nil {
			return err
		}
		missing, err := c.checkFiles(p.ctx, s)
		if err != nil {
			return err
		}
		checked = append(checked, missing...)
		unlike, err := live.Check(p.ctx, s.Store, filepath.Join(c.Data, app.SearchFolder))
		if err != nil {
			return err
		}
		checked = append(checked, unlike...)
		stuck, err := s.StuckDeliveries(p.ctx, stuckAfter)
		if err != nil {
			return err
		}
		for _, b := range stuck {
			checked = append(checked, store.Finding{
				Rule:    "a server sends deliveries when they are due, but one has waited since " + b.Due.Format(time.RFC3339),
				Subject: b.Target,
			})
		}
		since, err := s.FollowerSince(p.ctx, webhooks.FollowerName)
		if err != nil {
			return err
		}
		if !since.IsZero() && p.now().Sub(since) > unheardAfter {
			checked = append(checked, store.Finding{
				Rule:    "a server puts events in line for webhooks when they happen, but one has waited since " + since.Format(time.RFC3339),
				Subject: webhooks.FollowerName,
			})
		}
		late, err := s.StuckExports(p.ctx, exports.StuckAfter)
		if err != nil {
			return err
		}
		for _, id := range late {
			checked = append(checked, store.Finding{Rule: "a server works on an export within 15 minutes of its being due", Subject: string(id)})
		}
		var findings []finding
		for _, f := range checked {
			findings = append(findings, finding{f.Subject, f.Rule})
		}
		if _, err := s.credentials(p.ctx, c.SecretKey, ""); err != nil {
			findings = append(findings, finding{err.Error(), "the secrets of the installation can be opened"})
		}
		overdue, err := s.Overdue(p.ctx, p.now().Add(-overdueGrace))
		if err != nil {
			return err
		}
		for _, id := range overdue {
			findings = append(findings, finding{string(id), "a page changes at its publishAt and unpublishAt, while a server runs"})
		}
		for _, f := range findings {
			if c.JSON {
				err = printJSON(p.stdout, f)
			} else {
				err = printLine(p.stdout, f.Subject+": broken rule: "+f.Rule)
			}
			if err != nil {
				return err
			}
		}
		if len(findings) > 0 {
			return fmt.Errorf("doctor found %d things wrong; keep a copy of the data before anything is changed", len(findings))
		}
		fmt.Fprintln(p.stderr, "octavo: nothing is wrong")
		return nil
	})
}
