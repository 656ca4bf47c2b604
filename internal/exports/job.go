package exports

import (
	"bufio"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// errLost ends the work on an export whose lease may have been lost.
var errLost = errors.New("the lease of the export was lost")

// pipeSize is how many bytes are passed to the blob store at once.
const pipeSize = 64 << 10

type result struct {
	size     int64
	sum      string
	warnings []octavo.ExportWarning
}

func (s *Service) work(ctx context.Context, x exportstore.Export) {
	begun := s.Now()
	log := s.Log.With("export", x.ID)
	if x.Attempt > sqldb.MaxAttempts {
		s.end(ctx, x, begun, result{}, octavo.Errorf(octavo.Internal, "The export was started %d times and never finished.", sqldb.MaxAttempts))
		return
	}
	ctx, span := s.beginSpan(ctx, x)
	defer span.End()
	run, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s.mu.Lock()
	s.running[x.ID] = cancel
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, x.ID)
	}()
	var done atomic.Int64
	stop := s.keepLease(run, x, &done, cancel)
	made, err := s.makeInTime(run, x, func() { done.Add(1) })
	stop()
	cause := context.Cause(run)
	span.FailIf(err)
	switch {
	case errors.Is(cause, errCancelled), errors.Is(cause, errLost):
		log.InfoContext(ctx, "export did not continue", "reason", cause)
		blob.Discard(ctx, s.Blobs, x.Blob, s.Log)
	case err != nil && ctx.Err() != nil:
		blob.Discard(ctx, s.Blobs, x.Blob, s.Log)
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
		defer cancel()
		if err := s.Exports.Release(ending, x.ID, x.Lease); err != nil {
			log.WarnContext(ctx, "export not released; another attempt starts when its lease ends", "error", err)
		}
	case err != nil && sqldb.Passing(err) && x.Attempt < sqldb.MaxAttempts:
		log.WarnContext(ctx, "export failed and will be retried", "attempt", x.Attempt, "error", err)
		blob.Discard(ctx, s.Blobs, x.Blob, s.Log)
		if err := s.Exports.Retry(ctx, x.ID, x.Lease, sqldb.RetryAfter(x.Attempt)); err != nil && ctx.Err() == nil {
			log.WarnContext(ctx, "export not queued again; another attempt starts when its lease ends", "error", err)
		}
	default:
		s.end(ctx, x, begun, made, err)
	}
}

// end stores the result of an export or, on failure, the reason. If that
// cannot be stored, the export starts again when its lease ends.
func (s *Service) end(ctx context.Context, x exportstore.Export, begun time.Time, made result, failure error) {
	o := exportstore.Outcome{Export: x, Size: made.size, SHA256: made.sum, Done: x.Progress.Total, Warnings: made.warnings}
	status := octavo.ExportReady
	if failure != nil {
		s.Log.ErrorContext(ctx, "export failed", "export", x.ID, "attempt", x.Attempt, "error", failure)
		status, o.Problem, o.Done, o.Warnings = octavo.ExportFailed, problemOf(failure), x.Progress.Done, x.Warnings
		blob.Discard(ctx, s.Blobs, x.Blob, s.Log)
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	kept, err := s.Exports.Finish(ending, o)
	switch {
	case err != nil: // it may have been kept all the same: the bytes stay
		s.Log.ErrorContext(ctx, "the outcome of an export was not recorded", "export", x.ID, "error", err)
	case !kept:
		blob.Discard(ctx, s.Blobs, x.Blob, s.Log)
	case s.Observe != nil:
		s.Observe(x.Format, status, s.Now().Sub(begun), made.size)
	}
}

func problemOf(err error) *octavo.Problem {
	var known *octavo.Error
	if !errors.As(err, &known) {
		known = octavo.Errorf(octavo.Internal, "The export could not be made. The server's log has the cause.")
	}
	info := known.Type.Info()
	return &octavo.Problem{Type: "/problems/" + string(info.Type), Title: info.Title, Status: info.Status, Detail: known.Detail}
}

// keepLease renews the lease of an export until stop is called. It ends the work
// if the export was removed, or the lease cannot be renewed.
func (s *Service) keepLease(ctx context.Context, x exportstore.Export, done *atomic.Int64, end context.CancelCauseFunc) (stop func()) {
	return sqldb.KeepLease(ctx, s.Now, end, errLost, func(ctx context.Context) (why, err error) {
		kept, err := s.Exports.Beat(ctx, x.ID, x.Lease, int(done.Load()))
		if err == nil && !kept {
			why = errLost
		}
		return why, err
	})
}

// makeInTime is make, but fails if the export has expired by then: its owner
// could not read the result.
func (s *Service) makeInTime(ctx context.Context, x exportstore.Export, done func()) (made result, err error) {
	if s.Now().Before(x.ExpiresAt) {
		made, err = s.make(ctx, x, done)
	}
	if err == nil && !s.Now().Before(x.ExpiresAt) {
		err = octavo.Errorf(octavo.Gone, "The export was not ready when it expired. Request it again with a later expiresAt.")
	}
	return made, err
}

// make makes the file of an export and stores it in the blob store. It calls
// done after each page.
func (s *Service) make(ctx context.Context, x exportstore.Export, done func()) (made result, err error) {
	c, err := s.contents(ctx, x.ID)
	if err != nil {
		return made, err
	}
	if len(c.Pages) != x.Progress.Total {
		return made, fmt.Errorf("read what export %s holds: have %d pages of %d", x.ID, len(c.Pages), x.Progress.Total)
	}
	x.Request.Warnings = x.Warnings
	b, err := s.books.Open(ctx, octavo.Audience{PublishedOnly: x.Public}, c, x.Request)
	if err != nil {
		return made, err
	}
	from, to := io.Pipe()
	sum := blob.NewSummer(from)
	buffered := bufio.NewWriterSize(to, pipeSize)
	var writing sync.WaitGroup
	var failure error
	writing.Go(func() {
		if failure = b.Write(ctx, buffered, done); failure == nil {
			failure = buffered.Flush()
		}
		_ = to.CloseWithError(failure) // a pipe always accepts it
	})
	err = s.Blobs.Put(ctx, x.Blob, sum)
	_ = from.CloseWithError(io.ErrClosedPipe) // later writes are discarded
	writing.Wait()
	switch {
	case failure != nil && !errors.Is(failure, io.ErrClosedPipe):
		err = failure
	case err != nil:
		err = fmt.Errorf("keep the result: %w", err)
	}
	hash := sum.SHA256()
	return result{sum.Size(), hex.EncodeToString(hash[:]), b.Report().Warnings}, err
}

func (s *Service) contents(ctx context.Context, id octavo.ID) (c book.Contents, err error) {
	for number := 0; ; number++ {
		part, found, err := s.Exports.Part(ctx, id, number)
		if err != nil || !found {
			return c, err
		}
		if err := c.Decode(part); err != nil {
			return c, fmt.Errorf("read part %d of export %s: %w", number, id, err)
		}
	}
}
