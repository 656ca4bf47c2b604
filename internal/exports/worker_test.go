package exports_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// download reads the result of an export.
func (r *rig) download(e octavo.Export) ([]byte, error) {
	r.Helper()
	u, err := url.Parse(*e.DownloadURL)
	exporttest.Must(r, err)
	file, err := r.Open(context.Background(), e.ID, u.Query())
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	return content, errors.Join(err, file.Close())
}

// TestExportAsAccepted shows that what changes after an export was
// accepted does not change it.
func TestExportAsAccepted(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		root := r.page(exporttest.Published("a", "first"))
		b := r.page(exporttest.Published("b", "to be deleted"))
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		exporttest.Must(t, r.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			text, draft := "second", octavo.Draft
			if _, err := r.Store.Pages.Update(tx, root.ID, pagestore.Change{Content: &text, Status: &draft}, nil); err != nil {
				return err
			}
			return r.Store.Pages.Delete(tx, b.ID, pagestore.ChildrenRefuse, nil)
		}))
		r.page(exporttest.Published("c", "too late"))
		r.run(r.Service)
		e = r.await(e.ID)
		if e.Status != octavo.ExportReady || e.Progress != (octavo.ExportProgress{Done: 2, Total: 2}) {
			t.Fatalf("have %+v", e)
		}
		archive, err := r.download(e)
		exporttest.Must(t, err)
		files := exporttest.Unzip(t, archive)
		if len(files) != 2 || !strings.HasSuffix(files["a.md"], "first") || !strings.HasSuffix(files["b.md"], "to be deleted") || int64(len(archive)) != e.Size {
			t.Errorf("have %q", files)
		}
	})
}

// gated is a format that waits, and then writes what it waited for.
type gated struct {
	begun chan struct{}
	pass  chan error
	runs  atomic.Int64
}

func newGated() *gated { return &gated{begun: make(chan struct{}, 100), pass: make(chan error)} }

func (*gated) File() (suffix, mediaType string) { return ".zip", "application/zip" }

func (g *gated) Write(ctx context.Context, out io.Writer, _ *book.Book, done func()) error {
	run := g.runs.Add(1)
	if _, err := out.Write(bytes.Repeat([]byte("x"), 100_000)); err != nil {
		return err
	}
	g.begun <- struct{}{}
	select {
	case err := <-g.pass:
		done()
		if err == nil {
			_, err = fmt.Fprintf(out, "run %d", run)
		}
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *rig) gate() *gated {
	g := newGated()
	r.Formats[octavo.ExportMarkdown] = g
	return g
}

// blobs returns how many results there are.
func (r *rig) results() (n int) {
	r.Helper()
	for _, err := range r.Blobs.All(context.Background()) {
		exporttest.Must(r, err)
		n++
	}
	return n
}

func TestCancelRunningExport(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		g := r.gate()
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		stop := r.run(r.Service)
		<-g.begun
		exporttest.Must(t, r.Delete(t.Context(), sqldb.Cause{}, ann, e.ID))
		next := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		<-g.begun // so the first has ended
		g.pass <- nil
		if e := r.await(next.ID); e.Status != octavo.ExportReady {
			t.Errorf("have %+v", e)
		}
		stop()
		if n := r.results(); n != 1 {
			t.Errorf("have %d results, want that of the second alone", n)
		}
	})
}

// TestExportExpiresBeforeReady shows that an expired export is neither made nor announced.
func TestExportExpiresBeforeReady(t *testing.T) {
	t.Parallel()
	rigsAt(t, func(t *testing.T, r *rig, clock *exporttest.Clock) {
		g := r.gate()
		var late []octavo.Export
		expires := clock.Now().Add(time.Hour)
		for range 2 {
			late = append(late, r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{ExpiresAt: &expires}}))
		}
		r.run(r.Service)
		<-g.begun
		clock.Forward(time.Hour)
		g.pass <- nil
		for _, e := range late { // the second is not even begun: the gate would hold it
			e = r.await(e.ID)
			if e.Status != octavo.ExportFailed || e.Error == nil || e.Error.Type != "/problems/gone" {
				t.Errorf("have %s for %+v, want it failed since it expired", e.Status, e.Error)
			}
		}
		if n := r.results(); n != 0 {
			t.Errorf("have %d results", n)
		}
	})
}

// TestStopReleasesExports shows that what is under way when a
// server stops is made anew by the next.
func TestStopReleasesExports(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		g := r.gate()
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		stop := r.run(r.Service)
		<-g.begun
		stop()
		x, err := r.Store.Exports.Get(t.Context(), e.ID)
		exporttest.Must(t, err)
		if x.Status != octavo.ExportQueued || x.Attempt != 0 || x.Lease != 0 || r.results() != 0 {
			t.Errorf("given back: have %+v", x)
		}
		r.run(exports.New(r.Options))
		<-g.begun
		g.pass <- nil
		content, err := r.download(r.await(e.ID))
		if err != nil || !bytes.HasSuffix(content, []byte("run 2")) || r.results() != 1 {
			t.Errorf("have %d results, the last ending in %q, %v", r.results(), content[len(content)-5:], err)
		}
	})
}

// An export whose worker has died is claimed by another one, and cannot be ended twice.
func TestTakeOverExport(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.page(exporttest.Published("a", "a"))
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		dead, found, err := r.Store.Exports.Claim(t.Context(), 1, "deadblob", []time.Duration{0})
		exporttest.Must(t, err)
		if !found {
			t.Fatal("nothing was claimed")
		}
		o := r.Options
		o.Alone = true // as a server that finds the folder of a dead one
		r.run(exports.New(o))
		ready := r.await(e.ID)
		kept, err := r.Store.Exports.Finish(t.Context(), exportstore.Outcome{Export: dead})
		exporttest.Must(t, err)
		if after := r.await(e.ID); kept || after.SHA256 != ready.SHA256 || after.SHA256 == "" {
			t.Errorf("the dead one's end was kept: %v; have %+v, want %+v", kept, after, ready)
		}
	})
}

// failing is a blob store that fails so often.
type failing struct {
	blob.Store
	left atomic.Int64
	err  error
}

func (f *failing) Put(ctx context.Context, key string, r io.Reader) error {
	if f.left.Add(-1) >= 0 {
		if _, err := io.CopyN(io.Discard, r, 10); err != nil {
			return err
		}
		return f.err
	}
	return f.Store.Put(ctx, key, r)
}

func TestFailingBlobStore(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.page(exporttest.Published("a", "a"))
		f := &failing{Store: r.Blobs, err: octavo.Errorf(octavo.StorageFull, "no space")}
		f.left.Store(1)
		r.Service.Blobs = f
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		r.run(r.Service)
		exporttest.Until(r, func() bool {
			x, err := r.Store.Exports.Get(context.Background(), e.ID)
			exporttest.Must(t, err)
			return x.Attempt == 1 && x.Lease == 0 && x.ReadyAt.After(time.Now())
		})
		// Permanent errors end the export, and their details are hidden from its owner.
		f.left.Store(1)
		f.err = errors.New("a secret path")
		broken := r.await(r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished}).ID)
		if broken.Status != octavo.ExportFailed || broken.Error == nil || broken.DownloadURL != nil || strings.Contains(broken.Error.Detail, "secret") {
			t.Errorf("have %+v", broken)
		}
	})
}

// panicking is a format that panics.
type panicking struct{ gated }

func (*panicking) Write(context.Context, io.Writer, *book.Book, func()) error { panic("no") }

func TestFormatPanics(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.Formats[octavo.ExportMarkdown] = &panicking{}
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished})
		r.run(r.Service)
		if e = r.await(e.ID); e.Status != octavo.ExportFailed || e.Error.Status != 500 || r.results() != 0 {
			t.Errorf("have %+v", e)
		}
	})
}

// TestDownloadsEnd shows that a download answers 410 when its time is over, and
// that its file is gone then.
func TestDownloadsEnd(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.page(exporttest.Published("a", "a"))
		soon := time.Now().Add(3 * time.Second)
		stop := r.run(r.Service)
		e := r.await(r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{ExpiresAt: &soon}}).ID)
		stop()
		if _, err := r.download(e); err != nil {
			t.Fatal(err)
		}
		exporttest.Until(r, func() bool { return time.Now().After(soon) })
		_, err := r.download(e)
		var known *octavo.Error
		if !errors.As(err, &known) || known.Type != octavo.Gone {
			t.Errorf("have %v, want Gone", err)
		}
		if n, err := r.Expire(context.Background()); n != 1 || err != nil || r.results() != 0 {
			t.Errorf("expired: have %d, %v and %d results", n, err, r.results())
		}
	})
}
