// Package pdf makes one PDF of a book of pages: title page, table of contents with page numbers,
// pages with links between them, bookmarks and tags. It decides the look of each node in a
// document tree; below it, layout breaks lines, font makes glyphs, picture converts
// images and writer writes the file.
//
// Each sheet is written when it is full, and only the headings of a page stay in memory, so that
// memory does not grow with the book. The table of contents is made last and comes first.
// Options resolve addresses, as the package knows no pages and assets.
package pdf

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/document/token"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/picture"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Book is the content of one file.
type Book struct {
	Title    string
	Language string    // BCP 47 tag; "" is English
	Made     time.Time // the zero time omits dates
	Producer string

	// Pages yields the pages in order. An error ends the book.
	Pages iter.Seq2[Page, error]
}

type Page struct {
	Key      string // identifies it for links, unique in the book
	Title    string
	Level    int // in the page tree, from 0
	Language string
	Document *document.Document
	Break    bool // starts on a new sheet
}

// Target is the target of a link: a page of the book, an attached file, or an address.
type Target struct {
	Key      string
	Fragment string // on that page, "" for its start
	File     string // name of a file whose bytes Options.Image returns
	Address  string
}

// Colors tokenises code for highlighting.
type Colors interface {
	// Tokens returns the tokens of code; their texts together are the code. An error explains why
	// they are plain.
	Tokens(ctx context.Context, language, code string) ([]token.Token, error)
}

// Options configure a book.
type Options struct {
	Fonts  font.Sources
	Colors Colors // nil disables highlighting
	Theme  Theme

	// Hyphens caches hyphenation patterns across books; if nil, the book has its own.
	Hyphens *hyphen.Library

	// Link resolves a URI reference on a page. If found is false, its text is set without a link,
	// with a notice. If nil, only fragments of the page and absolute addresses resolve.
	Link func(page Page, href string) (to Target, found bool)

	// Image returns the bytes of an image by its URI reference on a page. If found is false, its text
	// is set instead, with a notice. If nil, no image is found.
	Image func(page Page, src string) (data []byte, found bool)

	// Parallel compresses sheets in another goroutine, for processes that only make a book.
	Parallel bool
}

// Report lists what was not set as intended.
type Report struct {
	Sheets  int
	Notices []PageNotice
	Missing []rune  // characters without a glyph in any font
	Faults  []error // of fonts that should have had them
}

// PageNotice is a notice about a page.
type PageNotice struct {
	Key string
	document.Notice
}

// maxReported limits the notices of a report.
const maxReported = 10_000

// Write writes the file. On error the output is unusable.
func Write(ctx context.Context, out io.Writer, book Book, o Options) (Report, error) {
	guessed := book.Language == ""
	if guessed {
		book.Language = "en"
	}
	fonts := font.NewSet(o.Fonts)
	w := writer.New(out, writer.Info{
		Title: book.Title, Language: book.Language, Made: book.Made, Producer: book.Producer,
	})
	if o.Parallel {
		defer w.Beside()()
	}
	b := &builder{
		ctx: ctx, book: book, options: o, file: w, fonts: fonts, theme: o.Theme.withDefaults(),
		typesetter: layout.New(font.NewShaper(fonts, book.Language)), library: cmp.Or(o.Hyphens, hyphen.NewLibrary()), guessed: guessed, head: w.Reserve(), fontList: w.Reserve(),
		pictures: map[[sha256.Size]byte]*picture.Picture{}, loaded: map[*document.Image]loaded{}, attached: map[string]writer.Ref{},
	}
	b.flow = newFlow(b)
	if err := b.pages(); err != nil {
		return b.report, err
	}
	b.resolveMissing()
	b.report.Sheets = b.flow.number
	b.front()
	b.report.Missing, b.report.Faults = fonts.Missing(), fonts.Faults()
	if err := fonts.Err(); err != nil {
		return b.report, fmt.Errorf("fonts: %w", err)
	}
	resources, err := b.resources()
	if err != nil {
		return b.report, err
	}
	if err := b.library.Err(); err != nil {
		return b.report, fmt.Errorf("divide words: %w", err)
	}
	if err := w.Close(resources); err != nil {
		return b.report, fmt.Errorf("finish PDF: %w", err)
	}
	return b.report, nil
}

type builder struct {
	ctx        context.Context
	book       Book
	options    Options
	file       *writer.Writer
	fonts      *font.Set
	typesetter *layout.Typesetter
	library    *hyphen.Library
	guessed    bool // the book's language is unknown
	theme      palette
	flow       *flow
	head       writer.Ref // the form shared by sheets
	fontList   writer.Ref // the dictionary of all fonts
	report     Report

	page     Page
	turns    bool // the page has right-to-left text
	contents []entry
	roots    int    // number of top-level pages
	label    *label // of a list item, pending for its first row
	pictures map[[sha256.Size]byte]*picture.Picture
	loaded   map[*document.Image]loaded // for the current page: table images are measured first
	attached map[string]writer.Ref      // files by name and hash
	images   string                     // entries for the resources
	shown    map[*document.Image]bool   // images of the current paragraph, and whether they can be set
}

type entry struct {
	level       int
	title       string
	destination string
	sheet       int
}

func (b *builder) pages() error {
	for page, err := range b.book.Pages {
		if err != nil {
			return fmt.Errorf("next page: %w", err)
		}
		b.setPage(page)
		if err := b.ctx.Err(); err != nil { // the page is incomplete
			return fmt.Errorf("page %s: %w", page.Key, err)
		}
		if err := b.file.Broken(); err != nil {
			return err
		}
		if err := b.fonts.Err(); err != nil {
			return fmt.Errorf("fonts: %w", err)
		}
	}
	b.flow.flush()
	b.flow.endSheet()
	return nil
}

func (b *builder) setPage(page Page) {
	b.page, b.loaded = page, map[*document.Image]loaded{}
	if page.Level == 0 {
		b.roots++
	}
	if page.Break {
		b.flow.breakSheet()
	}
	language := ""
	if page.Language != b.book.Language { // otherwise the file's language applies
		language = page.Language
	}
	section := b.file.Root().Child("Sect", writer.Properties{Title: page.Title, Language: language})
	at := b.whole(section, cmp.Or(page.Language, b.book.Language))
	at.mirrored = direction.Page(page.Document, cmp.Or(page.Language, b.book.Language))
	b.turns = at.mirrored || direction.Turns(page.Document)
	at.style = with(at.style, func(s *layout.Style) { s.Hyphens = b.hyphens(page) })
	blocks := page.Document.Blocks
	var own *document.Heading // the heading that already shows the title
	if h, at := page.Document.Says(page.Title); at >= 0 {
		own, blocks = h, slices.Delete(slices.Clone(blocks), at, at+1)
	}
	b.title(at, own)
	b.blocks(at, blocks)
	b.footnotes(at, page.Document.Footnotes)
	b.flow.flush()
	section.Release()
	for _, n := range page.Document.Notices {
		b.notice(n)
	}
}

// title sets the title of a page, by its own heading if it has one, with entries in contents and
// outline.
func (b *builder) title(at area, own *document.Heading) {
	title := cmp.Or(b.page.Title, b.page.Key)
	b.enter(b.page.Level, title, b.page.Key)
	style, space := b.theme.heading(1), spacing{before: 30, after: 10, keep: true}
	if own != nil {
		b.flow.destination(b.page.Key + "#" + own.Anchor)
		b.text(at, "H1", own.Inlines, style, space)
		return
	}
	b.lines(at, "H1", []layout.Span{{Text: title, Style: style}}, space)
}

// enter adds an entry for the next row to contents and outline. It clones the title, which
// may be a substring of the page's text.
func (b *builder) enter(level int, title, destination string) {
	title = strings.Clone(title)
	b.flow.destination(destination)
	b.file.Bookmark(writer.OutlineItem{Level: level, Title: title, Destination: destination})
	b.contents = append(b.contents, entry{level: level, title: title, destination: destination})
	index := len(b.contents) - 1
	b.flow.marks = append(b.flow.marks, func(*sheet, float64) { b.contents[index].sheet = b.flow.number })
}

// whole returns the area within the margins of a sheet for a language.
func (b *builder) whole(e *writer.Element, language string) area {
	return area{left: marginLeft, width: sheetWidth - marginLeft - marginRight, element: e, style: b.theme.body, mirrored: direction.RightToLeft(language)}
}

// words returns the generated texts in the language of the current page.
func (b *builder) words() words.Words {
	return words.In(cmp.Or(b.page.Language, b.book.Language))
}

func (b *builder) notice(n document.Notice) {
	if len(b.report.Notices) < maxReported {
		n.Text = strings.Clone(n.Text) // otherwise the page's text stays in memory
		b.report.Notices = append(b.report.Notices, PageNotice{b.page.Key, n})
	}
}

// warn records a notice, except about an address of an embedded page, which has it itself.
func (b *builder) warn(kind document.NoticeKind, n document.Node, text string) {
	if on, _ := reference.Off(text); on != "" {
		return
	}
	const most = 80
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	b.notice(document.Notice{Kind: kind, Position: b.page.Document.Position(n.Pos()), Text: text})
}

// resources writes the fonts and returns the resources shared by all sheets.
func (b *builder) resources() (string, error) {
	fonts := ""
	for _, f := range b.fonts.Faces() {
		entries, err := f.Embed(b.file)
		if err != nil {
			return "", err
		}
		fonts += entries
	}
	b.file.Object(b.fontList, "<<"+fonts+">>")
	return "<</Font " + b.fontList.String() + "/XObject<</Head " + b.head.String() + b.images + ">>>>", nil
}
