// Package book makes files of pages: it chooses pages, arranges them as a book
// and writes that in a format (decisions 27, 28 and 51 to 54).
//
//   - [Maker.Render] makes the file of a request.
//   - [Maker.Choose] and [Maker.Open] are its two steps, for a caller that keeps
//     [Contents] in between, so that later changes of pages do not count.
//   - A [Format] writes a [Book], which finds the texts, resolves links and
//     opens assets.
package book

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/site"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Maker makes books of the pages of a store. It is safe for concurrent use.
type Maker struct {
	Pages     *pagestore.Selection
	Assets    *assetstore.Assets
	Blobs     blob.Store
	Formats   map[octavo.ExportFormat]Format
	PublicURL string // of the server, without trailing slash; "" where there is none

	// AssetURL returns the address of the bytes of an asset. It may be nil where
	// PublicURL is "".
	AssetURL func(octavo.Asset) string

	// Undated leaves dates out, where those of the store mean nothing.
	Undated bool

	// SiteURL is where exported sites will lie, with a slash at its end; "" where
	// it is not known.
	SiteURL string

	// Answered, unless nil, returns how many requests the server has answered so
	// far. Books rest between pages while there are requests.
	Answered func() uint64
}

// How much a server keeps of pages for the next site that has them, about 9,000
// pages of documentation, and for how long.
const (
	keptOfSites  = 64 << 20
	keptForSites = 6 * time.Hour
)

// Formats returns all formats. With a clock, what pages become in a site is kept
// for the next one; nil keeps nothing.
func Formats(now func() time.Time) map[octavo.ExportFormat]Format {
	var cache *site.Cache
	if now != nil {
		cache = site.NewCache(keptOfSites, keptForSites, now)
	}
	return map[octavo.ExportFormat]Format{
		octavo.ExportMarkdown: NewMarkdown(), octavo.ExportHTML: NewHTML(cache), octavo.ExportPDF: NewPDF(font.Builtin(), "Octavo"),
	}
}

// Tidy drops what formats have kept for too long.
func (m *Maker) Tidy() {
	for _, f := range m.Formats {
		if t, ok := f.(interface{ tidy() }); ok {
			t.tidy()
		}
	}
}

// Render makes the file of a request and writes it to out. It calls progress
// after each page, with the number of pages done and of all.
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

// Write writes the book in its format, and calls done after each page. A panic
// of the format is an error.
func (b *Book) Write(ctx context.Context, out io.Writer, done func()) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while the %s is made: %v\n%s", b.Request.Format, p, debug.Stack())
		}
	}()
	format := b.maker.Formats[b.Request.Format]
	if format == nil {
		return octavo.Errorf(octavo.NotImplemented, "This server makes no exports of the format %s.", b.Request.Format)
	}
	return format.Write(ctx, out, b, done)
}
