package book

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Format makes one kind of file from a book. Its output depends only on the
// book: the same book gives the same bytes.
type Format interface {
	// File returns the suffix and media type of its files.
	File() (suffix, mediaType string)
	// Write makes the file. It calls done after each page. If it returns an
	// error, the output is useless.
	Write(ctx context.Context, out io.Writer, b *Book, done func()) error
}

// Book is the content of a file: pages in order, and the assets that they
// refer to. It is for one goroutine, except for the texts.
type Book struct {
	Request octavo.ExportRequest
	Pages   []*Page // each after its parent
	Assets  []*Asset

	// Title is that of the only root or, if there are several, the word for
	// documentation in its language. Neither is set for Markdown.
	Title, Language string

	maker    *Maker
	found    reference.Index[*Page]
	anchors  map[*Page]*reference.Anchors // cache for pages that are targets of links with fragments
	assets   map[octavo.ID]*Asset
	shown    *Page             // the last page whose assets were requested
	shows    map[string]*Asset // its assets, by reference
	warnings octavo.WarningList
	answered uint64 // requests at the start of the book or the last rest
}

// Asset is a file that pages of the book refer to, or that was selected
// itself. Its URL is "" if no server has it.
type Asset struct {
	assetstore.File
	Named bool
}

// Text is the content of a page. Kept is false if the page was purged since
// it was chosen.
type Text struct {
	*Page
	pagestore.RevisionText
	include func(file string) (text string, mdx, found bool)
}

// Open makes the book of chosen contents.
func (m *Maker) Open(ctx context.Context, aud octavo.Audience, c Contents, r octavo.ExportRequest) (*Book, error) {
	b := &Book{
		Request: r, Pages: c.Pages, maker: m,
		found: reference.NewIndex[*Page](), anchors: map[*Page]*reference.Anchors{}, assets: map[octavo.ID]*Asset{},
	}
	if !b.Alone() {
		b.answered = m.Answered()
	}
	roots := tie(c.Pages)
	for _, w := range r.Warnings {
		b.Warn(w)
	}
	for _, p := range c.Pages {
		b.found.IDs[string(p.ID)], b.found.Slugs[p.Slug] = p, p
		if key := reference.PathKey(cmp.Or(p.Path, p.Slug)); b.found.Paths[key] == nil {
			b.found.Paths[key] = p
		}
		if key := reference.NameKey(cmp.Or(p.Path, p.Slug)); b.found.Paths[key] == nil {
			b.found.Paths[key] = p
		}
	}
	if r.Format != octavo.ExportMarkdown { // whose links stay as written
		aud.PublishedOnly = aud.PublishedOnly || !r.IncludeDrafts // a slug that only a draft had may reveal plans
		if err := b.findFormer(ctx, aud); err != nil {
			return nil, err
		}
		if err := b.findLanguage(ctx); err != nil {
			return nil, err
		}
		if b.Title = words.In(b.Language).Untitled; len(roots) == 1 {
			b.Title = cmp.Or(roots[0].Title, b.Title)
		}
	}
	return b, b.findAssets(ctx, c)
}

func (b *Book) findFormer(ctx context.Context, aud octavo.Audience) error {
	for pages := range slices.Chunk(b.Pages, lookUp) {
		ids := make([]octavo.ID, len(pages))
		for i, p := range pages {
			ids[i] = p.ID
		}
		found, err := b.maker.Pages.FormerSlugs(ctx, aud, ids)
		if err != nil {
			return err
		}
		labels, err := b.maker.Pages.Labels(ctx, ids)
		if err != nil {
			return err
		}
		for _, p := range pages {
			p.Former = found[p.ID]
			for _, slug := range p.Former {
				if b.found.Slugs[slug] == nil {
					b.found.Slugs[slug] = p
				}
			}
			for _, label := range labels[p.ID] {
				b.found.Paths[label] = cmp.Or(b.found.Paths[label], p)
			}
		}
	}
	return nil
}

// findAssets finds the assets of the book, by id. They may have been deleted
// since they were chosen.
func (b *Book) findAssets(ctx context.Context, c Contents) error {
	wanted := slices.Clone(c.Assets)
	for _, p := range c.Pages {
		for _, r := range p.Assets {
			wanted = append(wanted, r.Asset)
		}
	}
	slices.Sort(wanted)
	wanted = slices.Compact(wanted)
	for ids := range slices.Chunk(wanted, lookUp) {
		found, err := b.maker.Assets.FilesByID(ctx, octavo.Audience{}, ids) // visibility was checked before
		if err != nil {
			return err
		}
		for _, id := range ids {
			file, ok := found[id]
			if !ok {
				b.Warn(octavo.ExportWarning{Message: fmt.Sprintf("The asset %s was deleted and is left out.", id)})
				continue
			}
			if b.maker.PublicURL != "" {
				file.URL = b.maker.AssetURL(file.Asset)
			}
			a := &Asset{File: file}
			b.assets[id] = a
			b.Assets = append(b.Assets, a)
		}
	}
	for _, id := range c.Assets {
		if a := b.assets[id]; a != nil {
			a.Named = true
		}
	}
	return nil
}

// Warn adds a warning to the report.
func (b *Book) Warn(w octavo.ExportWarning) {
	if p := b.found.IDs[string(w.Page)]; p != nil {
		w.Slug, w.Source = p.Slug, p.Path
	}
	b.warnings.Add(w)
}

// Report returns the warnings.
func (b *Book) Report() octavo.ExportReport {
	return octavo.ExportReport{Warnings: b.warnings.List()}
}

// How many texts are read at once: more if they are short, fewer if they are
// long, since each may have megabytes. Powers of two, so that there are few
// statements to prepare.
const (
	firstBatch = 8
	maxBatch   = 32
	shortTexts = 192 << 10 // bytes of a batch below which the next one is twice as large
	longTexts  = 1 << 20   // bytes of a batch above which the next one is half as large
)

// The initial memory for texts in bytes, and the maximum that is kept for
// the next ones.
const (
	firstRoom = 384 << 10
	maxKept   = 1 << 20
)

// nextBatch returns how many texts to read after a batch that took used bytes.
func nextBatch(batch, used int) int {
	switch {
	case used < shortTexts:
		return min(2*batch, maxBatch)
	case used > longTexts:
		return max(batch/2, 1)
	}
	return batch
}

// Alone reports whether there are no requests to give way to, so that a book
// may use all processors.
func (b *Book) Alone() bool { return b.maker.Answered == nil }

// rest is the pause between two pages.
const rest = 20 * time.Millisecond

// giveWay rests if the server has served requests since the last rest. So
// more requests cause more rests.
func (b *Book) giveWay(ctx context.Context) {
	if b.Alone() || b.maker.Answered() == b.answered {
		return
	}
	select {
	case <-time.After(rest):
	case <-ctx.Done():
	}
	b.answered = b.maker.Answered()
}

// Texts iterates over the contents of the pages, in order, up to the first
// error. While the book is Alone another goroutine may do so, since it does
// not change the book. A text is valid until the next one.
func (b *Book) Texts(ctx context.Context) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		room := make([]byte, 0, firstRoom)
		keys := make([]pagestore.RevisionKey, 0, maxBatch)
		batch := firstBatch
		for left := b.Pages; len(left) > 0; {
			pages := left[:min(batch, len(left))]
			left = left[len(pages):]
			keys = keys[:0]
			for _, p := range pages {
				keys = append(keys, pagestore.RevisionKey{Page: p.ID, Number: p.Revision})
			}
			if cap(room) > maxKept {
				room = nil
			}
			texts, used, err := b.maker.Pages.RevisionTexts(ctx, keys, room)
			if err != nil {
				yield(Text{}, err)
				return
			}
			room, batch = used, nextBatch(batch, len(used))
			for i, p := range pages {
				b.giveWay(ctx)
				if !yield(Text{p, texts[i], b.include(ctx, p)}, nil) {
					return
				}
			}
		}
	}
}

// Open opens the bytes of an asset. The caller closes the file.
func (b *Book) Open(ctx context.Context, a *Asset) (blob.File, error) {
	file, err := b.maker.Blobs.Open(ctx, a.Blob)
	return file, octavo.Wrapf(err, "open the bytes of asset %s", a.ID)
}

// Gone reports whether an error of Open means that there are no bytes: the
// asset was deleted meanwhile, or they are lost.
func Gone(err error) bool { return errors.Is(err, blob.ErrNotFound) }

// Asset returns the asset that a page refers to.
func (b *Book) Asset(p *Page, href string) (*Asset, bool) {
	if p, href = b.on(p, href); p == nil || len(p.Assets) == 0 {
		return nil, false
	}
	if b.shown != p { // pages are made one after the other
		b.shown, b.shows = p, make(map[string]*Asset, len(p.Assets))
		for _, r := range p.Assets {
			if _, twice := b.shows[r.Href]; !twice { // as in exports that an earlier version accepted
				b.shows[r.Href] = b.assets[r.Asset]
			}
		}
	}
	a := b.shows[href]
	return a, a != nil
}

// Refers reports whether a page of the book refers to an asset.
func (b *Book) Refers(a *Asset) bool {
	return slices.ContainsFunc(b.Pages, func(p *Page) bool {
		return slices.ContainsFunc(p.Assets, func(r Reference) bool { return r.Asset == a.ID })
	})
}

// Page returns the page with a slug. Formats use slugs because, unlike
// identifiers, they are the same on every server.
func (b *Book) Page(slug string) *Page { return b.found.Slugs[slug] }

// Updated is the time of a page's last change, or zero if dates are left out.
func (b *Book) Updated(p *Page) time.Time {
	if b.maker.Undated {
		return time.Time{}
	}
	return time.UnixMilli(p.Updated).UTC()
}

// LastUpdated is Updated, or the front matter's date for a page that was never edited.
func (b *Book) LastUpdated(t Text) time.Time {
	at := b.Updated(t.Page)
	if said := octavo.FrontUpdated(t.Frontmatter); !said.IsZero() && (at.IsZero() || t.Page.Revision == 1) {
		return said
	}
	return at
}

// Link returns the page of the book that a link leads to, and the anchor
// there, "" if no heading has it.
func (b *Book) Link(ctx context.Context, p *Page, href string) (to *Page, anchor string, found bool) {
	if p, href = b.on(p, href); p == nil || reference.Local(href) {
		return p, reference.Fragment(href), p != nil
	}
	to, found = b.found.Find(reference.Targets(href, p.Path, b.maker.PublicURL))
	if file := p.parts[href]; !found && file != "" {
		to, found = b.found.Find(reference.Targets(href, file, b.maker.PublicURL))
	}
	if anchor = reference.Fragment(href); found && anchor != "" {
		anchor = b.anchor(ctx, to, anchor)
	}
	return to, anchor, found
}

// on returns the page that an address on p is relative to, nil if it is not in the book, and
// the address there.
func (b *Book) on(p *Page, href string) (*Page, string) {
	if on, written := reference.Off(href); on != "" {
		return b.found.IDs[on], written
	}
	return p, href
}

// maxAnchored is how many pages' anchors are cached.
const maxAnchored = 1000

// anchor returns the anchor of a fragment on a page, "" if there is none,
// and the fragment itself if the page cannot be read.
func (b *Book) anchor(ctx context.Context, p *Page, fragment string) string {
	if b.anchors[p] == nil {
		texts, _, err := b.maker.Pages.RevisionTexts(ctx, []pagestore.RevisionKey{{Page: p.ID, Number: p.Revision}}, nil)
		if err != nil || !texts[0].Kept {
			return fragment
		}
		b.keepAnchors(p, Text{p, texts[0], b.include(ctx, p)}.Document())
	}
	return b.anchors[p].Find(fragment)
}

func (b *Book) keepAnchors(p *Page, d *document.Document) {
	if len(b.anchors) == maxAnchored {
		clear(b.anchors)
	}
	b.anchors[p] = d.Anchors()
}

// Address returns where a link outside of the book leads: an absolute
// address unchanged, and the server's address of a page that is not in the
// book. It is "" if there is none.
func (b *Book) Address(href string) string {
	href = reference.Plain(href)
	u, err := url.Parse(href)
	switch {
	case err != nil:
		return ""
	case u.Scheme != "" || u.Host != "":
		return href
	case b.maker.PublicURL == "" || u.Path == "":
		return ""
	case path.IsAbs(u.Path):
		base, err := url.Parse(b.maker.PublicURL)
		if err == nil && base.Path != "" && strings.HasPrefix(href, base.Path+"/") { // as a browser shows it
			return strings.TrimSuffix(b.maker.PublicURL, base.Path) + href
		}
		return b.maker.PublicURL + href
	}
	return ""
}
