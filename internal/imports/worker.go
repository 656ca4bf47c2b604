package imports

import (
	"context"
	"errors"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	// pollInterval is how often the worker looks for imports that other processes accepted or
	// abandoned.
	pollInterval = time.Second
	// endTimeout limits storing the outcome of a job.
	endTimeout = 30 * time.Second
)

var errCancelled = errors.New("the import was cancelled")

// Run works on imports until ctx ends. It then releases unfinished ones for another
// worker. It must not run twice at the same time.
func (s *Service) Run(ctx context.Context) {
	if s.Alone {
		freed, err := s.Store.Imports.Free(ctx)
		if err != nil {
			s.Log.ErrorContext(ctx, "leases of imports were not freed", "error", err)
		} else if freed > 0 {
			s.Log.InfoContext(ctx, "an import interrupted when a server ended continues", "imports", freed)
		}
	}
	for ctx.Err() == nil {
		x, found, err := s.claim(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.WarnContext(ctx, "no import was claimed; trying again", "error", err)
		}
		if found {
			s.work(ctx, x)
			continue
		}
		s.wake.Wait(ctx, pollInterval)
	}
}

func (s *Service) claim(ctx context.Context) (importstore.Import, bool, error) {
	lease, err := sqldb.DrawLease(s.Random)
	if err != nil {
		return importstore.Import{}, false, err
	}
	return s.Store.Imports.Claim(ctx, lease, sqldb.Retries())
}

func (s *Service) work(ctx context.Context, x importstore.Import) {
	log := s.Log.With("import", x.ID)
	begun := s.Now()
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	j := &job{Import: x, s: s}
	s.mu.Lock()
	s.running, s.stop = j, cancel
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.running, s.stop = nil, nil
	}()
	stop := sqldb.KeepLease(run, s.Now, cancel, importstore.ErrLost, j.beat)
	err := j.run(run)
	stop()
	if cause := context.Cause(run); errors.Is(cause, errCancelled) || errors.Is(cause, importstore.ErrLost) {
		err = cause
	}
	ending, end := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer end()
	var problem *octavo.Problem
	status := octavo.ImportReady
	switch {
	case err == nil:
	case errors.Is(err, importstore.ErrLost):
		log.InfoContext(ctx, "import did not continue", "reason", err)
		return
	case errors.Is(err, errCancelled):
		status = octavo.ImportCancelled
	case ctx.Err() != nil, sqldb.Passing(err) && x.Attempt < sqldb.MaxAttempts:
		tried, after := ctx.Err() == nil, time.Duration(0)
		if tried {
			log.WarnContext(ctx, "import failed and will be retried", "attempt", x.Attempt, "error", err)
			after = sqldb.RetryAfter(x.Attempt)
		}
		if err := s.Store.Imports.GiveBack(ending, x, tried, after); err != nil {
			log.WarnContext(ctx, "import not released; it continues when its lease ends", "error", err)
		}
		return
	default:
		log.WarnContext(ctx, "import failed", "attempt", x.Attempt, "error", err)
		status, problem = octavo.ImportFailed, j.problem(err)
	}
	if err := j.finish(ending, status, problem); err != nil {
		log.ErrorContext(ctx, "the outcome of an import was not recorded", "error", err)
		return
	}
	blob.Discard(ctx, s.Blobs, x.Blob, s.Log)
	if s.Observe != nil {
		s.Observe(status, s.Now().Sub(begun))
	}
}

func (j *job) beat(ctx context.Context) (why, err error) {
	cancelled, err := j.s.Store.Imports.Beat(ctx, j.Import, j.progress())
	switch {
	case err == nil && cancelled:
		why = errCancelled
	case errors.Is(err, importstore.ErrLost):
		why = err
	}
	return why, err
}
