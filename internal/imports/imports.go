// Package imports runs imports as jobs. It accepts a zip, reads it in the background
// like the command octavo import, and writes pages, or a proposal, in the name of its
// owner. Each write follows the rules of a request of theirs: their role, the site's
// approvals, and the rules of the store.
//
// An import is its own job: a row with a lease in importstore. An installation runs one
// at a time, in small transactions.
//
//   - [Service] has the operations of the API on imports, and [Service.Run] works on
//     them.
//   - [Target] writes to a store of this process, for a job and for the command.
//   - [Source] is what is imported.
package imports

import (
	"context"
	"encoding/hex"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/moving"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

type Options struct {
	Store     *store.Store
	Pages     *pages.Service
	Assets    *assets.Service
	Proposals *proposals.Service
	Blobs     blob.Store
	Now       func() time.Time
	Random    io.Reader
	Log       *slog.Logger

	// Alone means that no other process works on the imports of the store. Interrupted
	// imports then continue at the start, before their lease ends.
	Alone bool
	// MaxFile is the maximum size of a zip in bytes, and a quarter of the maximum size of its
	// content; 0 means 4 GiB.
	MaxFile int64
	// Bounds limit unfinished imports; the zero value allows 20 for each subject and 1,000
	// overall.
	Bounds importstore.Bounds

	// Answered returns the number of requests that the server has answered so far. Imports
	// pause between transactions while it grows; nil disables that.
	Answered func() uint64

	// Observe is called with the result and duration of each import; may be nil.
	Observe func(status octavo.ImportStatus, took time.Duration)
}

// Service accepts imports and works on them. It is safe for concurrent use.
type Service struct {
	Options
	wake sqldb.Bell

	mu      sync.Mutex
	running *job                    // that this process runs; nil for none
	stop    context.CancelCauseFunc // stops running
}

// New returns the imports of a store.
func New(o Options) *Service {
	if o.Bounds == (importstore.Bounds{}) {
		o.Bounds = importstore.Bounds{PerSubject: 20, Overall: 1000}
	}
	if o.MaxFile == 0 {
		o.MaxFile = moving.MaxZip
	}
	return &Service{Options: o, wake: make(sqldb.Bell, 1)}
}

// Check validates options before a file is uploaded.
func (s *Service) Check(ctx context.Context, o octavo.ImportOptions) error {
	var faults octavo.Faults
	if o.From != moving.Auto && !slices.Contains(importer.Systems(), o.From) && !slices.Contains(moving.Systems(), o.From) {
		faults.Add("/options/from", "must be auto, or one of %s", Systems())
	}
	if o.ParentID != "" {
		_, err := s.Pages.Get(ctx, octavo.Audience{}, o.ParentID, pages.Include{})
		if octavo.IsType(err, octavo.NotFound) {
			faults.Add("/options/parentId", "must be the identifier of a page that exists")
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return faults.Err()
}

// Create accepts an import of an uploaded file, which it discards if it refuses the
// import. reply makes the response that is stored for repeated requests.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, who octavo.Principal, up *assets.Upload, o octavo.ImportOptions, reply func(octavo.Import) sqldb.Response) (v octavo.Import, err error) {
	cause = cause.Replying(func() sqldb.Response { return reply(v) })
	file := up.Blob()
	n := importstore.NewImport{Scopes: who.Scopes, Request: o, Name: up.Name(), Blob: file.Key, Size: file.Size, SHA256: hex.EncodeToString(file.Hash[:])}
	err = s.Store.DB.Write(ctx, cause, func(tx *sqldb.Tx) error {
		x, err := s.Store.Imports.Create(tx, n, s.Bounds)
		v = view(x)
		return err
	})
	if err != nil {
		s.Assets.Discard(ctx, up)
		return octavo.Import{}, err
	}
	s.wake.Ring()
	return v, nil
}

// Get returns an import. It is only visible to its owner and to administrators.
func (s *Service) Get(ctx context.Context, who octavo.Principal, id octavo.ID) (octavo.Import, error) {
	x, err := s.find(ctx, who, id)
	v := view(x)
	s.mu.Lock()
	defer s.mu.Unlock()
	if v.Status == octavo.ImportRunning && s.running != nil && s.running.ID == id {
		v.Progress = s.running.progress() // the row has this from the next heartbeat on
	}
	return v, err
}

// Await waits until an import has ended. If ctx ends first, it returns the error of ctx.
func (s *Service) Await(ctx context.Context, who octavo.Principal, id octavo.ID) error {
	return sqldb.Await(ctx, func() (bool, error) {
		x, err := s.find(ctx, who, id)
		return x.Status.Ended(), err
	})
}

func (s *Service) find(ctx context.Context, who octavo.Principal, id octavo.ID) (importstore.Import, error) {
	x, err := s.Store.Imports.Get(ctx, id)
	if err == nil && x.Asker.ID != who.ID && !who.Scopes.Allow(octavo.ScopeAdmin) {
		return importstore.Import{}, importstore.ErrNone(id)
	}
	return x, err
}

// List returns up to limit imports that are visible to the caller, newest first, after the
// import before, and whether more follow.
func (s *Service) List(ctx context.Context, who octavo.Principal, before octavo.ID, limit int) ([]octavo.Import, bool, error) {
	subject := who.ID
	if who.Scopes.Allow(octavo.ScopeAdmin) {
		subject = ""
	}
	found, more, err := s.Store.Imports.List(ctx, subject, before, limit)
	list := make([]octavo.Import, len(found))
	for i, x := range found {
		list[i] = view(x)
	}
	return list, more, err
}

// Lines returns up to limit lines of the report starting at line from, and whether more
// follow.
func (s *Service) Lines(ctx context.Context, who octavo.Principal, id octavo.ID, from, limit int) ([]importstore.Line, bool, error) {
	if _, err := s.find(ctx, who, id); err != nil {
		return nil, false, err
	}
	return s.Store.Imports.Lines(ctx, id, from, limit)
}

// Delete cancels an unfinished import, and removes a finished one. Written pages remain.
func (s *Service) Delete(ctx context.Context, cause sqldb.Cause, who octavo.Principal, id octavo.ID) error {
	if _, err := s.find(ctx, who, id); err != nil {
		return err
	}
	key, err := s.Store.Imports.Delete(ctx, cause, id)
	if err != nil {
		return err
	}
	if key != "" {
		blob.Discard(ctx, s.Blobs, key, s.Log)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running != nil && s.running.ID == id {
		s.stop(errCancelled) // other processes see it at the next heartbeat
	}
	s.wake.Ring()
	return nil
}

func view(x importstore.Import) octavo.Import {
	v := octavo.Import{
		ID: x.ID, Status: x.Status, Name: x.Name, Size: x.Size, Options: x.Request, Progress: x.Progress,
		Report: x.Report, Error: x.Problem, CreatedAt: x.CreatedAt,
	}
	if !x.EndedAt.IsZero() {
		v.EndedAt = &x.EndedAt
	}
	return v
}
