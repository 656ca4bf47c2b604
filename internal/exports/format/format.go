// Package format has the formats of exports: how a book of pages becomes a site, a
// PDF or the files that it was written in (decisions 27, 53 and 54).
package format

import (
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/site"
)

// How much a server keeps of pages for the next site that has them, about 9,000
// pages of documentation, and for how long.
const (
	keptOfSites  = 64 << 20
	keptForSites = 6 * time.Hour
)

// All returns all formats. With a clock, what pages become in a site is kept for
// the next one; nil keeps nothing. Sites will lie at an address with a slash at
// its end; "" where it is not known. The folder of fonts is for what those of the
// program do not have, "" for none.
func All(now func() time.Time, siteURL, fonts string) map[octavo.ExportFormat]book.Format {
	var cache *site.Cache
	if now != nil {
		cache = site.NewCache(keptOfSites, keptForSites, now)
	}
	return map[octavo.ExportFormat]book.Format{octavo.ExportMarkdown: NewMarkdown(), octavo.ExportHTML: NewHTML(cache, siteURL), octavo.ExportPDF: NewPDF(fonts)}
}

// remembered is how many bytes of code an export remembers the colours of.
const remembered = 4 << 20

// kept reports whether a page is still there, with a warning of one that is not.
func kept(b *book.Book, t book.Text) bool {
	if !t.Kept {
		b.Warn(octavo.ExportWarning{Page: t.ID, Message: "The page was permanently removed and is left out."})
	}
	return t.Kept
}

// made is when the newest of the pages was changed: the same for the same book.
func made(b *book.Book) (newest time.Time) {
	for _, p := range b.Pages {
		if at := b.Updated(p); at.After(newest) {
			newest = at
		}
	}
	return newest
}

// notice passes the warnings of a rendering on.
func notice(b *book.Book, slug string, n document.Notice) {
	if n.Kind.Warning() {
		b.Warn(octavo.ExportWarning{Page: b.Page(slug).ID, Line: n.Line, Message: fmt.Sprintf("%s: %s", n.Kind, n.Text)})
	}
}
