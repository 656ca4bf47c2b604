// Package site makes a site of many pages of documentation: a zip whose files
// open in a browser straight from a disk, with navigation, search, light and
// dark colours and a style for print, and that asks no server for anything. The
// same book gives the same bytes.
//
// The package walks no trees itself: package html makes each page of its
// document, and package look what stands around it. Here belong how files are
// named, and the script that searches. It finds no pages and no assets: Options resolve
// addresses. Pages are written as they come; what stays in memory is their
// titles and a bounded piece of the search index, and what a Cache keeps of them
// for the next site.
package site

import (
	"bytes"
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

// Book is what becomes one site.
type Book struct {
	Title    string
	Language string    // a tag of BCP 47; "" is English
	Made     time.Time // shown on the first page; the zero time is not

	// Address is where the site will lie, of http or https and with a slash at
	// its end. Then the site has a sitemap, whose form wants whole addresses.
	// "" is unknown.
	Address string

	// Contents are all pages in order. They are known before the first page is
	// written, since each page leads to those that follow it.
	Contents []Entry

	// Pages are the same pages in the same order. One that does not come is
	// shown as its title, with a warning. An error ends the site.
	Pages iter.Seq2[Page, error]

	// Assets are files that the site holds although no page may show them.
	Assets []Asset
}

// Entry is what the site says about a page elsewhere than on the page.
type Entry struct {
	Key    string // by which links find it, unique in the book
	Slug   string // names its file, as far as a file can have that name
	Title  string
	Level  int      // in the tree of pages, from 0
	Former []string // earlier slugs, which lead to the page unless another has taken them
}

// Page is a page of documentation.
type Page struct {
	Key         string
	Language    string // "" is that of the book
	Description string
	Updated     time.Time // the zero time is not shown

	// Document returns what the page says. It is called when the page is made,
	// once. Nil says nothing.
	Document func() *document.Document
	// Digest is a hash of all that Document is made of, by which a Cache finds
	// what the page became before. The zero value has it made anew.
	Digest [sha256.Size]byte
}

// Target is where a link leads: to a page of the book, or to an address. One
// with both leads to the address when the book lacks the page.
type Target struct {
	Key      string
	Fragment string // of that page, "" for its start
	Address  string
}

// Asset is a file that pages show or link to.
type Asset struct {
	Key     string // the same for the same file
	Name    string // names it in the site, as far as a file can have that name
	Address string // where it lies when Open is nil: the site then does not hold it

	// Open returns its bytes; it is called once. An error ends the site, but one
	// that is fs.ErrNotExist leaves the file out, with a warning.
	Open func(context.Context) (io.ReadCloser, error)
}

// Options tell how a site is made.
type Options struct {
	Highlighter *highlight.Highlighter
	Theme       html.Theme
	Cache       *Cache // of what pages became; nil keeps nothing

	// Link returns where a link on a page leads, given what was written. When
	// found is false it may still lead to an Asset or to another site; otherwise
	// its text is shown without a link, with a notice. Nil finds nothing.
	Link func(page Page, href string) (to Target, found bool)

	// Asset returns the file that an image or a link on a page means. An image
	// that is not found is shown as its text, with a notice. Nil finds none.
	Asset func(page Page, href string) (asset Asset, found bool)
}

// Report tells what of a site is not as its author meant it.
type Report struct {
	Pages    int
	Notices  []PageNotice
	Warnings []string // about the whole
}

// PageNotice is a notice of one page.
type PageNotice struct {
	Key string
	document.Notice
}

// maxReported bounds the notices of a report.
const maxReported = 10_000

// Write makes the zip. When it returns an error, what was written is of no use.
func Write(ctx context.Context, out io.Writer, book Book, o Options) (Report, error) {
	if book.Language == "" {
		book.Language = "en"
	}
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

// builder makes one site.
type builder struct {
	book     Book
	options  Options
	renderer *html.Renderer
	zip      *archive
	report   Report
	words    words.Words // of what stands around pages
	site     look.Site

	items  []*item // the pages in order
	byKey  map[string]*item
	taken  names
	assets map[string]string // files of assets, by key
	queue  []queued          // assets of the page at hand that are not written yet
	search searchIndex
	filled bytes.Buffer // a part of a file, before it is compressed

	fragment []byte // what the last page says; the next is written in its place
}

// begin returns what writes the next part of a file; the last is good no more.
func (b *builder) begin() look.Out {
	b.filled.Reset()
	return look.Out{Buffer: &b.filled}
}

// judgeTheme reports what of the theme will not work.
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
