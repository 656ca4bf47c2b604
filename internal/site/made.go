package site

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/site/look"
)

// made is a rendered page without its surroundings. It is immutable.
type made struct {
	own      piece      // of the page's file
	record   piece      // of the search index
	contents string     // table of contents as HTML
	asked    []question // other input
	notices  []document.Notice
}

// question is an address on a page, and its resolution.
type question struct {
	image bool
	href  string
	to    string
	found bool
}

// maxAsked limits the addresses of a cached page.
const maxAsked = 2000

// make returns a rendered page, from the cache if it is still valid.
func (b *builder) make(ctx context.Context, it *item, page Page) (*made, *resolver, error) {
	r := &resolver{builder: b, page: page}
	key, named := b.keyOf(it, page)
	if named {
		if m, ok := b.options.Cache.get(key).(*made); ok && r.agrees(m) {
			return m, r, nil
		}
	}
	m, err := b.render(ctx, it, r)
	if err == nil && named && len(m.asked) <= maxAsked && !uncertain(m.notices) {
		b.options.Cache.put(key, m, m.size())
	}
	return m, r, err
}

// keyOf returns the cache key of a page, a hash of all input but the resolved addresses.
func (b *builder) keyOf(it *item, page Page) (key cacheKey, named bool) {
	if b.options.Cache == nil || page.Digest == [sha256.Size]byte{} {
		return key, false
	}
	sum := sha256.New()
	sum.Write(page.Digest[:])
	for _, text := range []string{it.Href, it.Name, it.description, it.updated, page.Language, b.book.Language} {
		AddText(sum, text)
	}
	key.page = true
	sum.Sum(key.sum[:0])
	return key, true
}

// AddText adds a text to a hash, delimited so that different sequences of texts differ.
func AddText(sum hash.Hash, text string) {
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(text)))
	sum.Write(length[:])
	sum.Write([]byte(text))
}

// agrees reports whether the addresses of a page still resolve in the same way. It stops at the first
// difference, so that assets get the same file names as without the cache.
func (r *resolver) agrees(m *made) bool {
	for _, q := range m.asked {
		if to, found := r.ask(q.image, q.href); to != q.to || found != q.found {
			return false
		}
	}
	return true
}

func (r *resolver) ask(image bool, href string) (to string, found bool) {
	if image {
		return r.image(href)
	}
	return r.link(href)
}

// uncertain reports whether another try may have a different result, since the time for highlighting is
// limited.
func uncertain(notices []document.Notice) bool {
	return slices.ContainsFunc(notices, func(n document.Notice) bool { return n.Kind == document.NotHighlighted })
}

// size returns the approximate memory use in bytes.
func (m *made) size() int {
	const text, ofQuestion, ofNotice = 16, 48, 56
	size := len(m.own.compressed) + len(m.record.compressed) + len(m.contents)
	for _, q := range m.asked {
		size += ofQuestion + len(q.href) + len(q.to)
	}
	for _, n := range m.notices {
		size += ofNotice + text + len(n.Text)
	}
	return size
}

func (b *builder) render(ctx context.Context, it *item, r *resolver) (*made, error) {
	m, page := &made{}, r.page
	doc := &document.Document{}
	if page.Document != nil {
		doc = page.Document()
	}
	known := map[question]bool{}
	asking := func(image bool) func(string) (string, bool) {
		return func(href string) (string, bool) {
			to, found := r.ask(image, href)
			q := question{image, strings.Clone(href), strings.Clone(to), found} // otherwise the page's text stays in memory
			if !known[q] {
				known[q] = true
				m.asked = append(m.asked, q)
			}
			return to, found
		}
	}
	language := cmp.Or(page.Language, b.book.Language)
	result := b.renderer.Fragment(ctx, doc, html.Options{
		Link: asking(false), Image: asking(true), DropUnresolved: true, HeadingLinks: true, Language: language, Space: b.fragment,
		Taken: look.Around(),
	})
	b.fragment = result.HTML
	if err := ctx.Err(); err != nil {
		return nil, err // code stays plain
	}
	for _, n := range result.Notices {
		n.Text = strings.Clone(n.Text)
		m.notices = append(m.notices, n)
	}
	headings := look.Entries(doc)
	if len(headings) > 0 {
		b.begin().Entries(headings)
		m.contents = b.filled.String()
	}
	b.begin().Own(&b.site, look.Article{
		Name: it.Name, Language: page.Language, Contents: m.contents, Titled: look.Titled(doc, it.Name), Updated: it.updated, Body: result.HTML,
	})
	var err error
	if m.own, err = b.zip.compress(b.filled.Bytes()); err != nil {
		return nil, err
	}
	record, err := b.record(it, doc)
	if err != nil {
		return nil, err
	}
	m.record, err = b.zip.compress(record)
	return m, err
}
