package imports

import (
	"context"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/importer/changes"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

type gathering struct{ *changes.Target }

// Apply implements importer.Target.
func (g gathering) Apply(ctx context.Context, operations []octavo.BulkOperation) ([]importer.Result, error) {
	for _, op := range operations {
		if op.Op == octavo.BulkDelete {
			g.Delete(op.ID)
		}
	}
	results, err := g.Target.Apply(ctx, operations)
	if err == nil && len(g.List) > octavo.MaxChanges {
		err = octavo.Errorf(octavo.InvalidRequest, "The file changes more than %d pages, the most that a proposal can have: import it as pages, or in parts.", octavo.MaxChanges)
	}
	return results, err
}

// propose creates a proposal of the changes that the import would make. It contains no
// pictures or other files.
func (j *job) propose(ctx context.Context, target importer.Target, o importer.Options) (err error) {
	if j.made, err = j.proposed(ctx); err != nil {
		return j.failed(err)
	}
	defer func() {
		if err == nil || j.made != "" {
			return
		}
		for i := range j.report {
			j.report[i].Action = importer.Skipped // nothing is proposed
		}
	}()
	to := gathering{changes.New(target)}
	dry := o.DryRun
	o.DryRun = false // gathering already changes nothing
	if j.report, err = importer.Run(ctx, j.source, to, o); err != nil || dry || len(to.List) == 0 || j.made != "" {
		return err
	}
	if err := j.goOn(ctx); err != nil {
		return err
	}
	asker := proposals.AskerOf(octavo.Principal{Actor: j.Asker, Scopes: octavo.ScopeWrite})
	asker.Origin = octavo.OriginImport
	cause := sqldb.Cause{Actor: j.Asker, TraceID: j.TraceID, Traceparent: j.Parent}
	title := []rune("Import " + j.found.Set)
	p, err := j.s.Proposals.Import(context.WithoutCancel(ctx), cause, asker, string(title[:min(len(title), octavo.MaxTitle)]), to.List, func(tx *sqldb.Tx, id octavo.ID) error {
		return j.s.Store.Imports.Wrote(tx, j.Import, []importstore.Written{{ID: id, Action: string(importer.Created)}})
	})
	j.made = p
	return j.failed(err)
}

// proposed returns the proposal that the import created before its process was killed.
func (j *job) proposed(ctx context.Context) (octavo.ID, error) {
	if j.Attempt == 1 {
		return "", nil
	}
	written, err := j.s.Store.Imports.AllWritten(ctx, j.ID)
	if err != nil {
		return "", fmt.Errorf("look for the proposal of import %s: %w", j.ID, err)
	}
	for id := range written {
		return id, nil
	}
	return "", nil
}
