// Package book chooses pages and arranges them as a book, from which a
// format makes a file (decisions 27, 28 and 51 to 54).
//
//   - [Maker.Render] makes the file of a request.
//   - [Maker.Choose] and [Maker.Open] are its two steps, for a caller that
//     stores [Contents] in between, so that later changes of pages have no
//     effect.
//   - A [Format] writes a [Book], which reads the texts, resolves links
//     and opens assets.
//
// It knows no formats and no jobs. Start with [Maker].
package book

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Maker makes books from the pages of a store. It is safe for concurrent use.
type Maker struct {
	Pages     *pagestore.Selection
	Assets    *assetstore.Assets
	Blobs     blob.Store
	Formats   map[octavo.ExportFormat]Format
	PublicURL string // of the server, without trailing slash; "" if there is none

	// AssetURL returns the address of the bytes of an asset. It may be nil
	// if PublicURL is "".
	AssetURL func(octavo.Asset) string

	// Undated leaves dates out, if those of the store are meaningless.
	Undated bool

	// Answered, if non-nil, returns how many requests the server has served
	// so far. Books rest between pages while there are requests.
	Answered func() uint64
}

// Tidy removes old entries from the caches of formats.
func (m *Maker) Tidy() {
	for _, f := range m.Formats {
		if t, ok := f.(interface{ Tidy() }); ok {
			t.Tidy()
		}
	}
}

// Render makes the file of a request and writes it to out. It calls progress
// after each page, with the number of pages done and the total.
func (m *Maker) Render(ctx context.Context, r octavo.ExportRequest, out io.Writer, progress func(done, total int)) (octavo.ExportReport, error) {
	c, err := m.Choose(ctx, octavo.Audience{}, r)
	if err != nil {
		return octavo.ExportReport{}, err
	}
	b, err := m.Open(ctx, octavo.Audience{PublishedOnly: r.Scope == octavo.ExportPublished}, c, r)
	if err != nil {
		return octavo.ExportReport{}, err
	}
	n := 0
	err = b.Write(ctx, out, func() { n++; progress(n, len(b.Pages)) })
	return b.Report(), err
}

// Write writes the book in its format, and calls done after each page. It
// turns a panic of the format into an error.
func (b *Book) Write(ctx context.Context, out io.Writer, done func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while the %s is made: %v\n%s", b.Request.Format, p, debug.Stack())
		}
	}()
	format := b.maker.Formats[b.Request.Format]
	if format == nil {
		return octavo.Errorf(octavo.NotImplemented, "This server does not make exports in the format %s.", b.Request.Format)
	}
	return format.Write(ctx, out, b, done)
}
