// Package format has the formats of exports: a site, a PDF, or the original
// files (decisions 27, 53 and 54). Each is a book.Format; package book
// chooses the pages. Start with [All].
package format

import (
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/site"
)

// How much a server caches of pages for the next site, about 9,000 pages of
// documentation, and for how long.
const (
	keptOfSites  = 64 << 20
	keptForSites = 6 * time.Hour
)

// All returns all formats. With a clock, the pages of a site are cached for the next
// one; nil disables the cache. siteURL is the future address of sites, with a trailing
// slash, or "". fonts is a folder with additional fonts, or "".
func All(now func() time.Time, siteURL, fonts string) map[octavo.ExportFormat]book.Format {
	var cache *site.Cache
	if now != nil {
		cache = site.NewCache(keptOfSites, keptForSites, now)
	}
	return map[octavo.ExportFormat]book.Format{octavo.ExportMarkdown: NewMarkdown(), octavo.ExportHTML: NewHTML(cache, siteURL), octavo.ExportPDF: NewPDF(fonts)}
}

// remembered limits the cache of coloured code of an export, in bytes.
const remembered = 4 << 20

// kept reports whether a page still exists, and warns if it does not.
func kept(b *book.Book, t book.Text) bool {
	if !t.Kept {
		b.Warn(octavo.ExportWarning{Page: t.ID, Message: "The page was permanently removed and is left out."})
	}
	return t.Kept
}

// made is the newest change of the pages: the same for the same book.
func made(b *book.Book) (newest time.Time) {
	for _, p := range b.Pages {
		if at := b.Updated(p); at.After(newest) {
			newest = at
		}
	}
	return newest
}

// notice passes on a warning of a rendering.
func notice(b *book.Book, slug string, n document.Notice) {
	if n.Kind.Warning() {
		b.Warn(octavo.ExportWarning{Page: b.Page(slug).ID, Line: n.Line, Message: fmt.Sprintf("%s: %s", n.Kind, n.Text)})
	}
}
