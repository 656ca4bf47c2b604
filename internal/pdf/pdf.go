// Package pdf makes one PDF of many pages of documentation: a title page, a
// table of contents with page numbers, the pages with links between them,
// bookmarks and tags. It walks the trees of package document and decides how
// each node looks; lines are broken in layout, glyphs come from font, pictures
// from picture, and the file is written by writer, all within this folder.
//
// A sheet is written as soon as it is full, and of a page of documentation
// nothing stays in memory but the names of its headings, so that a book of any
// length takes the same memory. The table of contents is made last and stands
// first. The package finds no pages and no assets: Options resolve addresses.
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
	"github.com/octavo-docs/octavo/internal/document/token"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/hyphen"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/picture"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Book is what becomes one file.
type Book struct {
	Title    string
	Language string    // a tag of BCP 47; "" is English
	Made     time.Time // the zero time leaves dates out
	Producer string

	// Pages are the pages in order. An error ends the book.
	Pages iter.Seq2[Page, error]
}

// Page is a page of documentation.
type Page struct {
	Key      string // by which links find it, unique in the book
	Title    string
	Level    int // in the tree of pages, from 0
	Language string
	Document *document.Document
	Break    bool // whether it starts on a new sheet
}

// Target is where a link leads: to a page of the book, to a file that is attached,
// or to an address.
type Target struct {
	Key      string
	Fragment string // of that page, "" for its start
	File     string // its name; Options.Image returns its bytes
	Address  string
}

// Colors divides code into tokens for colouring.
type Colors interface {
	// Tokens returns the tokens of code; their texts together are the code. An
	// error tells why they are plain.
	Tokens(ctx context.Context, language, code string) ([]token.Token, error)
}

// Options tell how a book is made.
type Options struct {
	Fonts  font.Sources
	Colors Colors // nil leaves code plain
	Theme  Theme

	// Hyphens are the patterns by which words are divided, kept for the next
	// books; nil reads them for this one.
	Hyphens *hyphen.Library

	// Link returns where a link on a page leads, given what was written as a
	// URI reference. When found is false its text is shown without a link, with a notice.
	// Nil resolves nothing but fragments of the page itself and addresses.
	Link func(page Page, href string) (to Target, found bool)

	// Image returns the bytes of an image of a page, given what was written as a
	// URI reference. When found is false its text stands in its place, with a notice. Nil
	// finds none.
	Image func(page Page, src string) (data []byte, found bool)

	// Parallel lets a goroutine compress sheets while the next are set, for processes
	// that only make a book.
	Parallel bool
}

// Report tells what of a book is not as its author meant it.
type Report struct {
	Sheets  int
	Notices []PageNotice
	Missing []rune  // characters for which no font has a glyph
	Faults  []error // of fonts that were to have them
}

// PageNotice is a notice of one page.
type PageNotice struct {
	Key string
	document.Notice
}

// maxReported bounds the notices of a report.
const maxReported = 10_000

// Write makes the file. When it returns an error, what was written is of no
// use.
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

// builder makes one book.
type builder struct {
	ctx        context.Context
	book       Book
	options    Options
	file       *writer.Writer
	fonts      *font.Set
	typesetter *layout.Typesetter
	library    *hyphen.Library
	guessed    bool // whether nobody said the language of the book
	theme      palette
	flow       *flow
	head       writer.Ref // the form that sheets share
	fontList   writer.Ref // the dictionary of all fonts
	report     Report

	page     Page
	turns    bool // blocks of the page are asked for their direction
	contents []entry
	roots    int    // pages that are below no other
	label    *label // of a list item, shown with its first row
	pictures map[[sha256.Size]byte]*picture.Picture
	loaded   map[*document.Image]loaded // of this page: those in tables are measured before they are set
	attached map[string]writer.Ref      // files, by name and hash
	images   string                     // entries of the resources
	shown    map[*document.Image]bool   // images of the paragraph under way, and whether they can be shown
}

// entry is a line of the table of contents.
type entry struct {
	level       int
	title       string
	destination string
	sheet       int
}

// pages sets all pages of the book.
func (b *builder) pages() error {
	for page, err := range b.book.Pages {
		if err != nil {
			return fmt.Errorf("next page: %w", err)
		}
		b.setPage(page)
		if err := b.ctx.Err(); err != nil { // then the page is not whole
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

// setPage sets one page.
func (b *builder) setPage(page Page) {
	b.page, b.loaded = page, map[*document.Image]loaded{}
	if page.Level == 0 {
		b.roots++
	}
	if page.Break {
		b.flow.breakSheet()
	}
	language := ""
	if page.Language != b.book.Language { // else it is that of the file
		language = page.Language
	}
	section := b.file.Root().Child("Sect", writer.Properties{Title: page.Title, Language: language})
	at := b.whole(section, cmp.Or(page.Language, b.book.Language))
	at.mirrored = direction.Page(page.Document, cmp.Or(page.Language, b.book.Language))
	b.turns = at.mirrored || direction.Turns(page.Document)
	at.style = with(at.style, func(s *layout.Style) { s.Hyphens = b.hyphens(page) })
	blocks := page.Document.Blocks
	var own *document.Heading // by which the page says its title itself
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

// title sets the title of a page, as the page says it where it does, with its
// place in contents and outline.
func (b *builder) title(at place, own *document.Heading) {
	title := b.page.Title
	if title == "" {
		title = b.page.Key
	}
	b.enter(b.page.Level, title, b.page.Key)
	style, space := b.theme.heading(1), spacing{before: 30, after: 10, keep: true}
	if own != nil {
		b.flow.destination(b.page.Key + "#" + own.Anchor)
		b.text(at, "H1", own.Inlines, style, space)
		return
	}
	b.lines(at, "H1", []layout.Span{{Text: title, Style: style}}, space)
}

// enter makes an entry of contents and outline that leads to the next row. The
// title is copied, as it may be part of the text of its page, all of which would
// stay in memory.
func (b *builder) enter(level int, title, destination string) {
	title = strings.Clone(title)
	b.flow.destination(destination)
	b.file.Bookmark(writer.OutlineItem{Level: level, Title: title, Destination: destination})
	b.contents = append(b.contents, entry{level: level, title: title, destination: destination})
	index := len(b.contents) - 1
	b.flow.onPlaced(func(sheet int) { b.contents[index].sheet = sheet })
}

// whole returns the place between the margins of a sheet for text in a language.
func (b *builder) whole(e *writer.Element, language string) place {
	return place{left: marginLeft, width: sheetWidth - marginLeft - marginRight, element: e, style: b.theme.body, mirrored: direction.RightToLeft(language)}
}

// words returns what is said in the language of the page that is set.
func (b *builder) words() words.Words {
	return words.In(cmp.Or(b.page.Language, b.book.Language))
}

func (b *builder) notice(n document.Notice) {
	if len(b.report.Notices) < maxReported {
		n.Text = strings.Clone(n.Text) // else the text of the page stays in memory
		b.report.Notices = append(b.report.Notices, PageNotice{b.page.Key, n})
	}
}

// warn records something that is not shown as it was meant.
func (b *builder) warn(kind document.NoticeKind, n document.Node, text string) {
	const most = 80
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	b.notice(document.Notice{Kind: kind, Position: b.page.Document.Position(n.Pos()), Text: text})
}

// resources returns the dictionary that all sheets share, after writing the
// fonts.
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
