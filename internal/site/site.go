// Package site makes a documentation site as a zip that opens in a browser from a disk, with navigation,
// search, light and dark theme and a print style. It needs no server. Output is
// deterministic.
//
// Package html renders the documents and package look their surroundings; this one names files and
// builds the search index. Options resolve addresses, as it knows no pages and assets. Pages
// are written as they come: only titles, a bounded part of the search index and the Cache stay
// in memory.
package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/site/look"
)

// Book is the content of one site.
type Book struct {
	Title    string
	Language string    // BCP 47 tag; "" is English
	Made     time.Time // shown on the first page unless zero

	// Address is the future address of the site, http or https with a trailing slash, or "". If set, the
	// site has a sitemap.
	Address string

	// Contents are all pages in order. They are needed first, since pages link to later ones.
	Contents []Entry

	// Pages yields the same pages in the same order. A missing one is shown as its title, with a warning. An
	// error ends the site.
	Pages iter.Seq2[Page, error]

	// Assets are files to include even if no page shows them.
	Assets []Asset
}

// Entry is what the site shows of a page in lists.
type Entry struct {
	Key    string // identifies it for links, unique in the book
	Slug   string // basis of its file name
	Title  string
	Level  int      // in the page tree, from 0
	Former []string // former slugs, redirected unless in use
}

type Page struct {
	Key         string
	Language    string // "" is that of the book
	Description string
	Updated     time.Time // hidden if zero

	// Document returns the parsed page. It is called at most once. Nil means empty.
	Document func() *document.Document
	// Digest is a hash of all input of Document, the key of the Cache. Zero disables caching.
	Digest [sha256.Size]byte
}

// Target is the target of a link: a page of the book or an address. With both, the address applies if the
// book lacks the page.
type Target struct {
	Key      string
	Fragment string // on that page, "" for its start
	Address  string
}

// Asset is a file that pages show or link to.
type Asset struct {
	Key     string // identifies the file
	Name    string // basis of its name in the site
	Address string // external address if Open is nil

	// Open returns the bytes; it is called once. An error ends the site, except fs.ErrNotExist, which omits
	// the file with a warning.
	Open func(context.Context) (io.ReadCloser, error)
}

// Options configure a site.
type Options struct {
	Highlighter *highlight.Highlighter
	Theme       html.Theme
	Cache       *Cache // nil disables caching

	// Link resolves a link on a page. If found is false, it may still be an Asset or an external link;
	// otherwise its text is shown with a notice. Nil resolves nothing.
	Link func(page Page, href string) (to Target, found bool)

	// Asset resolves an image or file link. If found is false, an image is replaced by its text, with a
	// notice. Nil resolves nothing.
	Asset func(page Page, href string) (asset Asset, found bool)
}

// Report lists what was not rendered as intended.
type Report struct {
	Pages    int
	Notices  []PageNotice
	Warnings []string // about the site as a whole
}

// PageNotice is a notice about a page.
type PageNotice struct {
	Key string
	document.Notice
}

// maxReported limits the notices of a report.
const maxReported = 10_000

// Write writes the zip. On error the output is unusable.
func Write(ctx context.Context, out io.Writer, book Book, o Options) (Report, error) {
	book.Language = cmp.Or(book.Language, "en")
	b := &builder{book: book, options: o, renderer: html.New(o.Highlighter), zip: newArchive(out, o.Cache), assets: map[string]string{}, words: words.In(book.Language)}
	b.site = look.Site{
		Title: book.Title, Language: book.Language, Theme: o.Theme, Words: &b.words, Home: indexFile,
		More: func(*look.Node) string { return indexFile },
		Files: `<link rel="stylesheet" href="site/site.css">
<script src="site/words.js"></script>
<script src="site/site.js"></script>
<script src="site/find.js"></script>
`,
	}
	if err := b.plan(); err != nil {
		return b.report, err
	}
	b.judgeTheme()
	for _, step := range []func(context.Context) error{b.frame, b.pages, b.others, b.redirects, b.lists} {
		if err := step(ctx); err != nil {
			return b.report, err
		}
	}
	return b.report, b.zip.close()
}

type builder struct {
	book     Book
	options  Options
	renderer *html.Renderer
	zip      *archive
	report   Report
	words    words.Words // of the surroundings
	site     look.Site

	items  []*item // pages in order
	byKey  map[string]*item
	taken  names
	assets map[string]string // files by key
	queue  []queued          // of the current page, still to be written
	search searchIndex
	filled bytes.Buffer // uncompressed

	fragment []byte // of the last page, reused as memory
}

// begin returns a writer for the next part of a file; it invalidates the previous one.
func (b *builder) begin() look.Out {
	b.filled.Reset()
	return look.Out{Buffer: &b.filled}
}

// judgeTheme warns about invalid parts of the theme.
func (b *builder) judgeTheme() {
	_, rejected := b.options.Theme.CSS()
	for _, name := range rejected {
		b.warn("theme token %q is left out: its name or value is not safe in CSS", name)
	}
}

func (b *builder) warn(format string, args ...any) {
	b.report.Warnings = append(b.report.Warnings, fmt.Sprintf(format, args...))
}

func (b *builder) notice(key string, notices ...document.Notice) {
	for _, n := range notices {
		if len(b.report.Notices) < maxReported {
			b.report.Notices = append(b.report.Notices, PageNotice{key, n})
		}
	}
}
