package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// workers is the number of files that an import on a server reads concurrently.
const workers = 1

// rest is the pause after a transaction if requests were answered meanwhile.
const rest = 50 * time.Millisecond

type job struct {
	importstore.Import
	s *Service

	done, total atomic.Int64
	answered    atomic.Uint64 // answered requests at the last write

	mu     sync.Mutex
	broken error // of the store, not of the file

	found  importer.Found
	source *Source // nil until the file was read
	report importer.Report
	made   octavo.ID // the proposal that was created
}

func (j *job) progress() octavo.ImportProgress {
	return octavo.ImportProgress{Done: int(j.done.Load()), Total: int(j.total.Load())}
}

// run carries out the import. Even with an error, the report describes what was done.
func (j *job) run(ctx context.Context) error {
	switch {
	case j.Cancelled:
		return errCancelled
	case j.Attempt > sqldb.MaxAttempts:
		return j.failed(octavo.Errorf(octavo.Internal, "The import was started %d times and never finished.", sqldb.MaxAttempts))
	}
	file, size, closeFile, err := j.s.openFile(ctx, j.Blob)
	if err != nil {
		return j.failed(err)
	}
	defer closeFile()
	if j.source, err = OpenZip(file, size, j.s.MaxFile, j.Request.From); err != nil {
		return err
	}
	name, set := strings.TrimSuffix(j.Name, ".zip"), j.Request.Set
	if moved := j.source.Moved; moved != nil {
		name, set = cmp.Or(moved.Name, name), cmp.Or(set, moved.Name)
	}
	target := Target{store: j.s.Store, pages: j.s.Pages, assets: j.s.Assets, OverrideReview: j.Overridden, job: j}
	o := importer.Options{
		Status: j.Request.Status, Now: j.s.Now(), Name: name, Language: j.Request.Language, Dialect: j.Request.Dialect, Set: set, Gone: j.Request.Gone, Overwrite: j.Request.Overwrite, DryRun: j.Request.DryRun,
		Workers: workers, Parent: j.Request.ParentID, From: j.source.From,
		Found:    func(f importer.Found) { j.found = f },
		Progress: func(done, total int) { j.done.Store(int64(done)); j.total.Store(int64(total)) },
	}
	if j.Request.As == octavo.ImportPages && j.Request.Status == octavo.Published && !j.Request.DryRun {
		err := target.Check(ctx)
		if octavo.IsType(err, octavo.ReviewRequired) {
			return octavo.Errorf(octavo.ReviewRequired, "Changes of published pages need approvals on this site: import as a proposal, or as drafts.")
		}
		if err != nil {
			return j.failed(err)
		}
	}
	if j.Request.As == octavo.ImportProposal {
		err = j.propose(ctx, target, o)
	} else {
		j.report, err = importer.Run(ctx, j.source, target, o)
	}
	j.report = j.source.Tell(j.report)
	if err == nil && !o.DryRun && j.Request.As == octavo.ImportPages {
		err = j.failed(j.source.Settle(ctx, target, j.found, &j.report))
	}
	return err
}

// openFile opens the zip of an import, which needs random access: if it is not a local
// file it is copied to one.
func (s *Service) openFile(ctx context.Context, key string) (file io.ReaderAt, size int64, closeFile func(), err error) {
	from, err := s.Blobs.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		err = octavo.Errorf(octavo.Gone, "The file of the import no longer exists. Send it again.")
	}
	if err != nil {
		return nil, 0, nil, err
	}
	if file, ok := from.(io.ReaderAt); ok {
		return file, from.Size(), func() { _ = from.Close() }, nil // nothing was written to it
	}
	defer from.Close()
	to, err := os.CreateTemp("", "octavo-import-*")
	if err != nil {
		return nil, 0, nil, fmt.Errorf("copy the file of an import: %w", err)
	}
	closeFile = func() { _ = errors.Join(to.Close(), os.Remove(to.Name())) } // a file that remains is in the system's temporary folder
	if _, err := io.Copy(to, blob.ContextReader{Context: ctx, Reader: from}); err != nil {
		closeFile()
		return nil, 0, nil, fmt.Errorf("copy the file of an import: %w", err)
	}
	return to, from.Size(), closeFile, nil
}

// goOn reports whether to continue: the job was not cancelled and its owner may still
// write pages.
func (j *job) goOn(ctx context.Context) error {
	if n := j.s.Answered; n != nil && n() != j.answered.Swap(n()) {
		sqldb.Pause(ctx, rest)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	scopes, err := j.s.standing(ctx, j.Import)
	if err == nil && !scopes.Allow(octavo.ScopeWrite) {
		err = octavo.Errorf(octavo.Forbidden, "The person who started the import may no longer write pages.")
	}
	if err == nil && j.Overridden && !scopes.Allow(octavo.ScopeAdmin) {
		err = octavo.Errorf(octavo.Forbidden, "The person who started the import is no longer an administrator, so approvals are required.")
	}
	return j.failed(err)
}

// failed records an error of the store, for which the file is not at fault.
func (j *job) failed(err error) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.broken = cmp.Or(j.broken, err)
	return err
}

// problem converts a failure for the job's owner: faults of the file, or a refusal.
// Details are only logged.
func (j *job) problem(err error) *octavo.Problem {
	var known *octavo.Error
	switch {
	case errors.As(err, &known):
	case j.broken == nil:
		known = octavo.Errorf(octavo.InvalidRequest, "%s", err)
	default:
		known = octavo.Errorf(octavo.Internal, "The import failed. The server's log has the cause.")
	}
	info := known.Type.Info()
	return &octavo.Problem{Type: "/problems/" + string(info.Type), Title: info.Title, Status: info.Status, Detail: known.Detail}
}

// noting records what a batch wrote in the transaction of the batch. So the report is
// complete, and a job that another process has taken over writes nothing.
func (j *job) noting(batch []octavo.BulkOperation) func(*sqldb.Tx, []pages.BulkResult) error {
	return func(tx *sqldb.Tx, results []pages.BulkResult) error {
		var list []importstore.Written
		for i, op := range batch {
			w := importstore.Written{ID: op.ID}
			if op.Source != nil {
				w.Path = *op.Source
			}
			switch page := results[i].Page; {
			case results[i].Err != nil, op.Create == nil && op.Imported != nil: // changes nothing of the page
				continue
			case op.Op == octavo.BulkDelete:
				w.Action = string(importer.Deleted)
			case op.Op == octavo.BulkCreate:
				w.ID, w.Action = page.ID, string(importer.Created)
			default:
				w.Path, w.Action = cmp.Or(w.Path, page.Source), string(importer.Updated)
			}
			list = append(list, w)
		}
		return j.s.Store.Imports.Wrote(tx, j.Import, list)
	}
}

func (j *job) putAsset(ctx context.Context, up *assets.Upload, create func(context.Context) (octavo.Asset, error)) (octavo.Asset, error) {
	if err := j.goOn(ctx); err != nil {
		j.s.Assets.Discard(ctx, up)
		return octavo.Asset{}, err
	}
	ctx = context.WithoutCancel(ctx)
	asset, err := create(ctx)
	if err != nil {
		return asset, j.failed(err)
	}
	w := importstore.Written{ID: asset.ID, Path: asset.Source, Action: string(importer.Created)}
	return asset, j.failed(j.s.Store.Imports.NoteWritten(ctx, j.Import, []importstore.Written{w}))
}
