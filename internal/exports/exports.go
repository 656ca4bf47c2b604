// Package exports runs exports as jobs. It accepts requests and fixes the
// pages of an export and their state. In the background it lets package book
// make the file. It keeps the result until its download expires, and sends
// notifications by mail and callback (decisions 29 to 32).
//
// An export is its own job: a row with a lease in exportstore.
//
//   - [Service] has the operations of the API on exports.
//   - [Service.Run] works on them. Any number of processes may run on one
//     database.
//
// Mail goes through a [Mailer]. Webhooks get rows, which package webhooks
// sends. Start with [Service], then job.go.
package exports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Options configure the service. Mailer and the fields after it are optional.
type Options struct {
	DB        *sqldb.DB
	Exports   *exportstore.Exports
	Pages     *pagestore.Selection
	Assets    *assetstore.Assets
	Blobs     blob.Store
	Now       func() time.Time
	Random    io.Reader
	Log       *slog.Logger
	PublicURL string // prefix of addresses, without trailing slash
	Key       []byte // signs the addresses of results

	// AssetURL returns the address of the bytes of an asset.
	AssetURL func(octavo.Asset) string

	Formats map[octavo.ExportFormat]book.Format

	// Answered, if non-nil, returns how many requests the server has served
	// so far. Exports rest between pages while there are requests.
	Answered func() uint64

	// Mailer sends messages; nil if the server sends no mail.
	Mailer Mailer

	// Messages counts messages by subject, in windows of MessageWindow; nil
	// means no limit.
	Messages *quota.Limiter

	// Alone says that no other process works on the exports of the store, so
	// that exports of a dead process are started again.
	Alone bool
	// Workers is the number of concurrent exports; 0 means 2. Each subject
	// has only one, in all processes together.
	Workers int
	// Bounds limit the accepted exports. The zero value means 100 unfinished
	// ones for each subject and 10,000 overall, and 2,000 results of 10 GiB
	// together for each subject.
	Bounds exportstore.Bounds
	Trace  *tracing.Tracer // nil records no traces

	// Observe, if non-nil, receives the result of each export, its duration,
	// and the size of the file.
	Observe func(format octavo.ExportFormat, status octavo.ExportStatus, took time.Duration, size int64)

	// ObserveMessage, if non-nil, receives the result of each attempt to
	// send a message: succeeded, failed and retried later, or abandoned.
	ObserveMessage func(status octavo.DeliveryStatus)
}

// Service accepts exports and works on them. It is safe for concurrent use.
type Service struct {
	Options
	books *book.Maker
	wake  sqldb.Bell // wakes the worker

	mu      sync.Mutex
	running map[octavo.ID]context.CancelCauseFunc
}

// New returns the export service of a store.
func New(o Options) *Service {
	if o.Workers <= 0 {
		o.Workers = 2
	}
	if o.Bounds == (exportstore.Bounds{}) {
		o.Bounds = exportstore.Bounds{PerSubject: 100, Overall: 10_000, Results: 2000, Bytes: 10 << 30}
	}
	books := &book.Maker{Pages: o.Pages, Assets: o.Assets, Blobs: o.Blobs, Formats: o.Formats, PublicURL: o.PublicURL, AssetURL: o.AssetURL, Answered: o.Answered}
	return &Service{Options: o, books: books, wake: make(sqldb.Bell, 1), running: map[octavo.ID]context.CancelCauseFunc{}}
}

// Caller is the subject of a request, and its version of the API.
type Caller struct {
	octavo.Principal
	Version string
}

// Reply makes the response to an accepted export. It runs before the commit,
// so that the response can be stored for a repeated request.
type Reply func(octavo.Export) sqldb.Response

// Create accepts an export. Its pages and their state are fixed from then on.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, who Caller, r octavo.ExportRequest, reply Reply) (octavo.Export, error) {
	if s.Formats[r.Format] == nil {
		return octavo.Export{}, octavo.Errorf(octavo.NotImplemented, "This server does not make exports in the format %s.", r.Format)
	}
	contents, err := s.books.Choose(ctx, who.Audience(), r)
	if err != nil {
		return octavo.Export{}, err
	}
	parts, err := contents.Encode()
	if err != nil {
		return octavo.Export{}, err
	}
	uncount, err := s.countMessages(ctx, who, r.Delivery.Channels)
	if err != nil {
		return octavo.Export{}, err
	}
	if s.Mailer == nil {
		r.Warnings = append(r.Warnings, unmailed(r.Delivery.Channels)...)
	}
	expires := s.Now().Add(octavo.DefaultExportLife)
	if r.Delivery.ExpiresAt != nil {
		expires = *r.Delivery.ExpiresAt
	}
	n := exportstore.NewExport{
		Public: who.Audience().PublishedOnly || r.Scope == octavo.ExportPublished, Version: who.Version,
		Request: r, Warnings: r.Warnings, Total: len(contents.Pages), Parts: parts, ExpiresAt: expires,
	}
	n.Request.Selection = octavo.ExportSelection{Mode: r.Selection.Mode} // the parts have it, resolved
	var export octavo.Export
	cause = cause.Replying(func() sqldb.Response { return reply(export) })
	err = s.DB.Write(ctx, cause, func(tx *sqldb.Tx) error {
		x, err := s.Exports.Create(tx, n, s.Bounds)
		export = s.view(x, who.Version, nil)
		return err
	})
	if err != nil { // also if the same request was handled meanwhile
		uncount()
		return octavo.Export{}, err
	}
	s.wake.Ring()
	return export, nil
}

func unmailed(channels []octavo.ExportChannel) (list []octavo.ExportWarning) {
	for i, c := range channels {
		if c.Kind == octavo.ChannelEmail {
			list = append(list, octavo.ExportWarning{Path: octavo.PointerIndex("/delivery/channels", i), Message: "has no effect: this server sends no mail"})
		}
	}
	return list
}

// Get returns an export. It does not exist for other subjects, except
// administrators, nor for callers that may see less than it may contain.
func (s *Service) Get(ctx context.Context, who Caller, id octavo.ID) (octavo.Export, error) {
	x, err := s.find(ctx, who, id)
	if err != nil {
		return octavo.Export{}, err
	}
	channels, err := s.Exports.Channels(ctx, []octavo.ID{id})
	if err != nil {
		return octavo.Export{}, err
	}
	return s.view(x, who.Version, channels[id]), nil
}

// Await waits until an export has ended. If ctx ends first, it returns the reason.
func (s *Service) Await(ctx context.Context, who Caller, id octavo.ID) error {
	return sqldb.Await(ctx, func() (bool, error) {
		x, err := s.find(ctx, who, id)
		return x.Status.Ended(), err
	})
}

func (s *Service) find(ctx context.Context, who Caller, id octavo.ID) (exportstore.Export, error) {
	x, err := s.Exports.Get(ctx, id)
	if err != nil {
		return x, err
	}
	own := x.Subject == who.ID || who.Scopes.Allow(octavo.ScopeAdmin)
	if !own || who.Audience().PublishedOnly && !x.Public {
		return exportstore.Export{}, octavo.Errorf(octavo.NotFound, "There is no export %q.", id)
	}
	return x, nil
}

// List returns up to limit exports that the caller may see, by creation,
// after the given one, and whether more follow.
func (s *Service) List(ctx context.Context, who Caller, after octavo.ID, limit int) ([]octavo.Export, bool, error) {
	q := exportstore.Query{Subject: who.ID, Public: who.Audience().PublishedOnly, After: after, Limit: limit}
	if who.Scopes.Allow(octavo.ScopeAdmin) {
		q.Subject = ""
	}
	found, more, err := s.Exports.List(ctx, q)
	if err != nil {
		return nil, false, err
	}
	ids := make([]octavo.ID, len(found))
	for i, x := range found {
		ids[i] = x.ID
	}
	channels, err := s.Exports.Channels(ctx, ids)
	if err != nil {
		return nil, false, err
	}
	list := make([]octavo.Export, len(found))
	for i, x := range found {
		list[i] = s.view(x, who.Version, channels[x.ID])
	}
	return list, more, nil
}

// Delete cancels an unfinished export, and removes a finished one with its result.
func (s *Service) Delete(ctx context.Context, cause sqldb.Cause, who Caller, id octavo.ID) error {
	if _, err := s.find(ctx, who, id); err != nil {
		return err
	}
	key, err := s.Exports.Delete(ctx, cause, id)
	if err != nil {
		return err
	}
	s.cancel(id)
	if key != "" {
		blob.Discard(ctx, s.Blobs, key, s.Log)
	}
	return nil
}

var errCancelled = errors.New("the export was cancelled")

// cancel ends the work on an export in this process. Others notice at their
// next progress report.
func (s *Service) cancel(id octavo.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.running[id]; stop != nil {
		stop(errCancelled)
	}
}

func (s *Service) view(x exportstore.Export, version string, channels []exportstore.Channel) octavo.Export {
	e := octavo.Export{
		ID: x.ID, Status: x.Status, Format: x.Format, Progress: x.Progress, Size: x.Size, SHA256: x.SHA256,
		Error: x.Problem, CreatedAt: x.CreatedAt, ExpiresAt: x.ExpiresAt, Report: octavo.ExportReport{Warnings: x.Warnings},
	}
	if x.Status == octavo.ExportReady {
		address := s.address(x, version)
		e.DownloadURL = &address
	}
	for _, c := range channels {
		note := octavo.ExportDeliveryNote{ExportChannel: octavo.ExportChannel{Kind: c.Kind}, Status: c.Status, Attempts: c.Attempt, Error: c.Error}
		if c.Kind == octavo.ChannelEmail {
			note.Email = c.Address
		} else {
			note.URL = redacted(c.Address)
			// Only administrators may see what the server's network reports
			// about an address.
			if c.Error != "" && !c.Answered {
				note.Error = "The receiver sent no response."
			}
		}
		e.Deliveries = append(e.Deliveries, note)
	}
	return e
}

func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Redacted()
}

// Message returns the address and the body for the end of an export: the
// export as clients see it. found is false if it is gone.
func (s *Service) Message(ctx context.Context, id octavo.ID, number int) (address string, data []byte, found bool, err error) {
	address, found, err = s.Exports.Address(ctx, id, number)
	if err != nil || !found {
		return "", nil, false, err
	}
	x, err := s.Exports.Get(ctx, id)
	if octavo.IsType(err, octavo.NotFound) {
		return "", nil, false, nil
	}
	if err != nil {
		return "", nil, false, fmt.Errorf("tell of export %s: %w", id, err)
	}
	e := s.view(x, x.Version, nil)
	return address, e.AppendJSON(nil), true, nil
}
