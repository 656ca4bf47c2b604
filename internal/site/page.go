package site

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/words"
)

//go:embed site.tmpl
var markup string

// templates are the pages, the first page and the redirects.
var templates = template.Must(template.New("").Parse(markup))

// The Content-Security-Policy of every page. The scheme file is for a site that
// lies on a disk, where 'self' means nothing to some browsers. Images of other
// sites are permitted on a page that shows some.
const (
	policy       = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:"
	policyRemote = " http: https:"
	policyEnd    = "; base-uri 'none'; form-action 'none'"
)

// view is what the templates show.
type view struct {
	Book           *Book
	Words          *words.Words
	Title          string
	Language       string // of the words around the page
	RightToLeft    bool
	Class          string
	Policy         string
	Description    string
	Switch         bool // between light and dark
	Navigation     template.HTML
	Previous, Next *item
	Here           bool // the view is of a page, and not the first page
	Trail          []*item
	Entries        []document.Entry
	Contents       template.HTML // the same as a list
	PageLanguage   string
	PageDirection  string // where it is not that of the site
	Titled         bool   // whether the page says its title itself
	Body           template.HTML
	Updated, Made  string // dates
	First          *item
}

// File and Name are for the templates.
func (it *item) File() string { return it.file }

// Name is what people call the page.
func (it *item) Name() string { return it.name() }

// view returns what all pages share.
func (b *builder) view(title string) view {
	return view{
		Book: &b.book, Words: &b.words, Title: title, Language: b.book.Language, RightToLeft: document.RightToLeft(b.book.Language),
		Class: b.options.Theme.Class(), Policy: policy + policyEnd,
		Switch: b.options.Theme.Name != "light" && b.options.Theme.Name != "dark",
	}
}

// pages writes all pages, each with the assets that it is the first to show,
// and pieces of the search index between them.
func (b *builder) pages(ctx context.Context) error {
	for page, err := range b.book.Pages {
		if err != nil {
			return fmt.Errorf("next page: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("page %s: %w", page.Key, err)
		}
		it := b.byKey[page.Key]
		if it == nil || it.index < b.report.Pages {
			return fmt.Errorf("page %s does not come where the contents have it", page.Key)
		}
		if err := b.absent(ctx, it.index); err != nil {
			return err
		}
		if err := b.page(ctx, it, page); err != nil {
			return fmt.Errorf("page %s: %w", page.Key, err)
		}
		b.report.Pages++
	}
	if err := b.absent(ctx, len(b.items)); err != nil {
		return err
	}
	return b.search.flush(b.zip)
}

// absent writes the pages up to an index that did not come, with their titles
// alone: other pages lead to them.
func (b *builder) absent(ctx context.Context, to int) error {
	for ; b.report.Pages < to; b.report.Pages++ {
		it := b.items[b.report.Pages]
		b.warn("page %s did not come; its title alone is shown", it.Key)
		if err := b.page(ctx, it, Page{Key: it.Key}); err != nil {
			return fmt.Errorf("page %s: %w", it.Key, err)
		}
	}
	return nil
}

// page writes one page: what it became, between what leads around it.
func (b *builder) page(ctx context.Context, it *item, page Page) error {
	it.description = oneLine(page.Description, maxDescription)
	if !page.Updated.IsZero() {
		it.updated = page.Updated.UTC().Format("2006-01-02")
	}
	b.pause()
	m, r, err := b.make(ctx, it, page)
	if err != nil {
		return err
	}
	b.pause()
	b.notice(page.Key, m.notices...)
	v := b.view(it.name())
	v.Here, v.Description, v.Contents = true, it.description, m.contents
	v.Navigation, v.Trail = b.navigation(it), it.trail()
	v.Previous, v.Next = b.neighbour(it, -1), b.neighbour(it, 1)
	if r.remote {
		v.Policy = policy + policyRemote + policyEnd
	}
	before, err := b.piece("before", v)
	if err != nil {
		return err
	}
	after, err := b.piece("after", v)
	if err != nil {
		return err
	}
	if err := b.zip.join(it.file, before, m.own, after); err != nil {
		return err
	}
	if err := b.writeAssets(ctx); err != nil {
		return err
	}
	return b.search.add(b.zip, m.record)
}

// piece makes a piece of a file by a template.
func (b *builder) piece(name string, data any) (piece, error) {
	text, err := b.fill(name, data)
	if err != nil {
		return piece{}, err
	}
	return b.zip.piece(text)
}

// show writes a file by a template.
func (b *builder) show(file, name string, data any) error {
	text, err := b.fill(name, data)
	if err != nil {
		return err
	}
	return b.zip.write(file, text)
}

// titled reports whether a document begins with its title.
func titled(d *document.Document) bool {
	if len(d.Blocks) == 0 {
		return false
	}
	h, ok := d.Blocks[0].(*document.Heading)
	return ok && h.Level == 1
}

// entries returns what a page says about its contents, nothing when that is of
// no use.
func entries(d *document.Document) []document.Entry {
	all := d.Contents(2, 3)
	if len(all) == 1 && len(all[0].Entries) == 0 {
		return nil
	}
	return all
}

// maxDescription bounds the description of a page, in bytes.
const maxDescription = 500

// oneLine makes one line of text, of so many bytes at most.
func oneLine(text string, most int) string {
	line := strings.Clone(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
