package format_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/exports/format"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// quiet is an idle server, for which one goroutine makes an export.
func quiet() uint64 { return 0 }

// motley makes pages of which many are not as they were meant, each with a
// picture of its own.
func (r *rig) motley() (ids, pictures []octavo.ID) {
	r.Helper()
	for i := range 40 {
		var square bytes.Buffer
		exporttest.Must(r, png.Encode(&square, image.NewRGBA(image.Rect(0, 0, 1, i+1))))
		picture := r.asset(fmt.Sprintf("p%d.png", i), square.String())
		text := fmt.Sprintf("# Title page %d\n\nSee [it](page-%d#part), [nothing](gone-%d.md) and ![a square](%s).\n\n## Part\n\n", i, (i+7)%40, i, octavo.AssetPath(picture.Key, picture.Name))
		switch {
		case i%5 == 0:
			text += "```go\nfunc main() { println(\"x\") }\n```\n\n~~~json\n{\"a\": [1, true]}\n~~~\n"
		case i == 1:
			text += "```go\n" + strings.Repeat("x := 1\n", 20<<10) + "```\n" // too long to be coloured
		case i%5 == 2:
			text += strings.Repeat("The quick brown fox jumps over the lazy dog, and 狗 sleeps. ", 100) + "\n"
		case i%5 == 3:
			text += "<Tabs>\n\n1. a\n2. b[^1]\n\n[^1]: A note with ```code```.\n"
		}
		ids, pictures = append(ids, r.page(exporttest.Published(fmt.Sprint("page-", i), text)).ID), append(pictures, picture.ID)
	}
	return ids, pictures
}

// twice makes a book once as a server does and once as the command line does,
// when it has changed what the book has.
type twice struct {
	format.PDF
	maker  *book.Maker
	change func()
	files  [2]bytes.Buffer
	done   [2]int
}

func (w *twice) Write(ctx context.Context, _ io.Writer, b *book.Book, _ func()) error {
	w.change()
	var failures []error
	for i, answered := range []func() uint64{quiet, nil} {
		w.maker.Answered = answered
		failures = append(failures, w.PDF.Write(ctx, &w.files[i], b, func() { w.done[i]++ }))
	}
	return errors.Join(failures...)
}

// TestReadAheadSameResult checks that what the command line makes, where
// one goroutine reads pages ahead of another, is what a server makes, with the
// same warnings in the same order: also of pages and pictures that are removed
// while it is made.
func TestReadAheadSameResult(t *testing.T) {
	t.Parallel()
	rigsAt(t, func(t *testing.T, r *rig, clock *exporttest.Clock) {
		ids, pictures := r.motley()
		w := &twice{PDF: format.NewPDF(""), maker: r.Maker}
		w.change = func() {
			for _, i := range []int{0, 15, 16, 33, 39} {
				exporttest.Must(r, r.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error { return r.Store.Pages.Delete(tx, ids[i], pagestore.ChildrenRefuse, nil) }))
			}
			clock.Forward(pagestore.KeepDeleted + time.Hour)
			if n, err := r.Store.Sweep(t.Context(), octavo.Actor{}); n != 5 || err != nil {
				t.Errorf("have %d pages removed for good, %v; want 5", n, err)
			}
			for _, i := range []int{14, 17, 32, 34} {
				files, err := r.Store.Assets.FilesByID(t.Context(), octavo.Audience{}, []octavo.ID{pictures[i]})
				exporttest.Must(r, err)
				exporttest.Must(r, r.Blobs.Remove(t.Context(), files[pictures[i]].Blob))
			}
		}
		r.Formats[octavo.ExportPDF] = w
		_, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportPublished})
		if !bytes.Equal(w.files[0].Bytes(), w.files[1].Bytes()) || w.files[0].Len() < 40<<10 {
			t.Errorf("have %d and %d bytes, which are not the same book", w.files[0].Len(), w.files[1].Len())
		}
		if w.done != [2]int{35, 35} {
			t.Errorf("have %d pages told, want 35 twice", w.done)
		}
		half := len(report.Warnings) / 2
		for i, want := range report.Warnings[:half] {
			if have := report.Warnings[half+i]; have != want {
				t.Errorf("warning %d of %d: have %+v, want %+v", i, half, have, want)
			}
		}
		if half*2 != len(report.Warnings) || len(report.Warnings) >= octavo.MaxExportWarnings {
			t.Errorf("have %d warnings of both", len(report.Warnings))
		}
		var gone []string
		for _, m := range warned(report)[:half] {
			switch {
			case strings.Contains(m, "permanently removed"):
				gone = append(gone, "page")
			case strings.Contains(m, "bytes of the asset"):
				gone = append(gone, "picture")
			}
		}
		if have, want := strings.Join(gone, " "), "page picture page page picture picture page picture page"; have != want || half < 50 {
			t.Errorf("have %d warnings with %s, want 50 at least with %s", half, have, want)
		}
	})
}

// breaking is a blob store that gives so many files and then breaks, or ends
// the export.
type breaking struct {
	blob.Store
	left *atomic.Int64
	end  func()
}

func (b breaking) Open(ctx context.Context, key string) (blob.File, error) {
	if b.left.Add(-1) >= 0 {
		return b.Store.Open(ctx, key)
	}
	if b.end != nil {
		b.end()
		return nil, ctx.Err()
	}
	return nil, fmt.Errorf("the disk is broken at %s", key)
}

// TestReadingAheadFailsTheSame shows that an export which breaks off in the
// middle, or is interrupted there, tells the same error, the first one, whether
// pages are read ahead or not.
func TestReadingAheadFailsTheSame(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.motley()
	blobs := r.Blobs
	for _, files := range []int64{0, 1, 20} {
		for _, interrupted := range []bool{false, true} {
			var told [2]string
			for i, answered := range []func() uint64{quiet, nil} {
				ctx, cancel := context.WithCancel(t.Context())
				b := breaking{Store: blobs, left: &atomic.Int64{}}
				b.left.Store(files)
				if interrupted {
					b.end = cancel
				}
				r.Blobs, r.Answered = b, answered
				pages := 0
				_, err := r.Render(ctx, octavo.ExportRequest{
					Format: octavo.ExportPDF, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}, Rendering: octavo.ExportRendering{EmbedAssets: true},
				}, io.Discard, func(done, _ int) { pages = done })
				cancel()
				told[i] = fmt.Sprint(pages, " pages, ", err)
				if interrupted && !errors.Is(err, context.Canceled) || !interrupted && (err == nil || !strings.Contains(err.Error(), "the disk is broken")) {
					t.Errorf("%d files, interrupted %t: have %v", files, interrupted, err)
				}
			}
			if told[0] != told[1] {
				t.Errorf("%d files, interrupted %t:\nhave %s\nwant %s", files, interrupted, told[1], told[0])
			}
		}
	}
}

// Work stops if the caller goes away between two pages.
func TestReadAheadCancelled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.motley()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	last := 0
	_, err := r.Render(ctx, octavo.ExportRequest{Format: octavo.ExportPDF, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}}, io.Discard, func(done, _ int) {
		if last = done; done == 10 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || last > 11 {
		t.Errorf("have %v after %d pages, want it cancelled after 10", err, last)
	}
}
