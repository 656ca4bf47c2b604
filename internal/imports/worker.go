package imports

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	// pollInterval is how often the worker looks for what other processes have accepted,
	// or left behind.
	pollInterval = time.Second
	// beatInterval is how often a job tells how far it is, which keeps its lease, and
	// learns that it is to stop.
	beatInterval = 2 * time.Second
	// maxAttempts is how often an import is begun: one that takes its process down must
	// not do so for ever.
	maxAttempts = 5
	// endTimeout bounds what is written down of a job in the end.
	endTimeout = 30 * time.Second
)

// errCancelled ends the work on an import that is to stop.
var errCancelled = errors.New("the import was cancelled")

// Run works on imports until ctx ends. What is under way then is given back, and goes
// on with the next who looks. It may run once at a time.
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
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-time.After(pollInterval):
		}
	}
}

func (s *Service) claim(ctx context.Context) (importstore.Import, bool, error) {
	lease, err := sqldb.DrawLease(s.Random)
	if err != nil {
		return importstore.Import{}, false, err
	}
	waits := []time.Duration{0}
	for n := 1; n < maxAttempts; n++ {
		waits = append(waits, retryAfter(n))
	}
	return s.Store.Imports.Claim(ctx, lease, waits)
}

// retryAfter is when a failed try is followed by the next: after 5, 20, 80 and 320 seconds.
func retryAfter(attempt int) time.Duration {
	return 5 * time.Second << (2 * min(max(attempt-1, 0), maxAttempts))
}

// passing reports whether an error may be gone later.
func passing(err error) bool {
	return octavo.IsType(err, octavo.Unavailable) || octavo.IsType(err, octavo.StorageFull)
}

// work carries a claimed import out and writes down what became of it.
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
	var beats sync.WaitGroup
	stop := make(chan struct{})
	beats.Go(func() { j.beat(run, stop, cancel) })
	err := j.run(run)
	close(stop)
	beats.Wait()
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
	case ctx.Err() != nil, passing(err) && x.Attempt < maxAttempts:
		tried, after := ctx.Err() == nil, time.Duration(0)
		if tried {
			log.WarnContext(ctx, "import failed and will be retried", "attempt", x.Attempt, "error", err)
			after = retryAfter(x.Attempt)
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
	s.remove(ctx, x.Blob)
	if s.Observe != nil {
		s.Observe(status, s.Now().Sub(begun))
	}
}

// beat keeps the lease of a job until stop is closed. It ends the work when that is to
// stop, or the lease cannot be kept.
func (j *job) beat(ctx context.Context, stop <-chan struct{}, cancel context.CancelCauseFunc) {
	held := j.s.Now()
	ticker := time.NewTicker(beatInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-stop:
			return
		case <-ticker.C:
		}
		at := j.s.Now()
		look, end := context.WithTimeout(ctx, beatInterval)
		cancelled, err := j.s.Store.Imports.Beat(look, j.Import, j.progress())
		end()
		switch {
		case err == nil && cancelled:
			cancel(errCancelled)
			return
		case err == nil:
			held = at
		case errors.Is(err, importstore.ErrLost), j.s.Now().Sub(held).Abs() > importstore.LeaseTime*3/4:
			cancel(fmt.Errorf("%w: %w", importstore.ErrLost, err))
			return
		}
	}
}
