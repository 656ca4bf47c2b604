package reader

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// list returns the result of make, cached while no page changes. Only one
// list is made at a time.
func (x *Site) list(ctx context.Context, name, kind string, make func(*bytes.Buffer) error) (*File, error) {
	key := keptKey{name, x.members}
	if k := x.kept.get(key); k != nil && k.moment == x.moment {
		return k.file, nil
	}
	leave, err := enter(ctx, x.listing)
	if err != nil {
		return nil, err
	}
	defer leave()
	if k := x.kept.get(key); k != nil && k.moment == x.moment {
		return k.file, nil
	}
	var text bytes.Buffer
	if err := make(&text); err != nil {
		return nil, err
	}
	f, err := x.file(kind, text.Bytes())
	if err == nil {
		x.kept.set(key, &kept{file: f, moment: x.moment})
	}
	return f, err
}

// shown returns the pages without noindex.
func (x *Site) shown() []*page {
	return slices.DeleteFunc(slices.Clone(x.order), func(p *page) bool { return p.said.Load().Front().NoIndex })
}

// maxMapped is how many addresses a sitemap may have (sitemaps.org).
const maxMapped = 50_000

// Sitemap returns the list of pages for search engines. If there are too many for one
// file, it returns the list of its parts, which are requested by number.
func (x *Site) Sitemap(ctx context.Context, part string) (*File, error) {
	const space = ` xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n"
	pages := x.shown()
	parts := (len(pages) + maxMapped - 1) / maxMapped
	number, err := strconv.Atoi(cmp.Or(part, "0"))
	if err != nil || number < 0 || number > parts {
		return nil, errNoPage()
	}
	return x.list(ctx, "sitemap.xml "+strconv.Itoa(number), typeXML, func(text *bytes.Buffer) error {
		text.WriteString(xml.Header)
		if parts > 1 && number == 0 {
			text.WriteString("<sitemapindex" + space)
			for i := range parts {
				fmt.Fprintf(text, "<sitemap><loc>%s</loc></sitemap>\n", escaped(fmt.Sprintf("%s?part=%d", x.public(x.At("/sitemap.xml")), i+1)))
			}
			text.WriteString("</sitemapindex>\n")
			return nil
		}
		text.WriteString("<urlset" + space)
		from := max(0, number-1) * maxMapped
		for _, p := range pages[min(from, len(pages)):min(from+maxMapped, len(pages))] {
			fmt.Fprintf(text, "<url><loc>%s</loc><lastmod>%s</lastmod></url>\n", escaped(x.public(p.Href)), p.said.Load().Front().Updated.Format(time.RFC3339))
		}
		text.WriteString("</urlset>\n")
		return nil
	})
}

// escaped is a text in XML.
func escaped(text string) string {
	var out bytes.Buffer
	_ = xml.EscapeText(&out, []byte(text)) // a buffer never fails
	return out.String()
}

// Index returns the list of pages for language models (llmstxt.org).
func (x *Site) Index(ctx context.Context) (*File, error) {
	return x.list(ctx, "llms.txt", typeText, func(text *bytes.Buffer) error {
		x.introduce(text)
		text.WriteString("\n## Pages\n\n")
		escape := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
		for _, p := range x.shown() {
			fmt.Fprintf(text, "%s- [%s](%s.md)", strings.Repeat("  ", len(p.Trail())), escape.Replace(outline.OneLine(p.Name, outline.MaxDescription)), x.source(p))
			if description := p.said.Load().Front().Description; description != "" {
				text.WriteString(": " + escape.Replace(description))
			}
			text.WriteByte('\n')
		}
		return nil
	})
}

// source is the address of a page in its own right, never that of the site.
func (x *Site) source(p *page) string { return x.public(x.At("/" + p.slug)) }

// introduce writes what the site is.
func (x *Site) introduce(text *bytes.Buffer) {
	fmt.Fprintf(text, "# %s\n", outline.OneLine(x.look.Title, outline.MaxDescription))
	description := outline.OneLine(x.settings.Description, outline.MaxDescription)
	if description == "" && x.home != nil && !x.home.said.Load().Front().NoIndex {
		description = x.home.said.Load().Front().Description
	}
	if description != "" {
		fmt.Fprintf(text, "\n> %s\n", description)
	}
}

// textBatch is how many texts are read at once.
const textBatch = 20

// errTooLarge is returned for a text that is too large to cache.
var errTooLarge = errors.New("too large to be kept")

// Whole returns the text of all pages, or nil if it is too large to cache.
func (x *Site) Whole(ctx context.Context) (*File, error) {
	if x.large.Load() == x.moment {
		return nil, nil
	}
	f, err := x.list(ctx, "llms-full.txt", typeText, func(text *bytes.Buffer) error {
		return x.write(ctx, func(piece []byte) error {
			if int64(text.Len()+len(piece)) > x.Cache/4 {
				return errTooLarge
			}
			text.Write(piece)
			return nil
		})
	})
	if errors.Is(err, errTooLarge) {
		x.large.Store(x.moment)
		return nil, nil
	}
	return f, err
}

// WritePieces writes the same piece by piece, to a few readers at a time.
func (x *Site) WritePieces(ctx context.Context, write func([]byte) error) error {
	leave, err := enter(ctx, x.writing)
	if err != nil {
		return err
	}
	defer leave()
	return x.write(ctx, write)
}

func (x *Site) write(ctx context.Context, write func([]byte) error) error {
	var text bytes.Buffer
	x.introduce(&text)
	var room []byte
	for batch := range slices.Chunk(x.shown(), textBatch) {
		now, err := x.Service.tree(ctx) // may have changed while a slow reader waited
		if err != nil {
			return err
		}
		batch = slices.DeleteFunc(batch, func(p *page) bool { return now.pages[p.id] == nil })
		keys := make([]pagestore.RevisionKey, len(batch))
		for i, p := range batch {
			keys[i] = pagestore.RevisionKey{Page: p.id, Number: p.said.Load().Revision}
		}
		texts, used, err := x.Store.Selection.RevisionTexts(ctx, keys, room)
		if err != nil {
			return err
		}
		room = used
		for i, p := range batch {
			if texts[i].Kept {
				fmt.Fprintf(&text, "\n# %s\n\nSource: %s\n\n%s\n", outline.OneLine(p.Name, outline.MaxDescription), x.public(p.Href), bytes.TrimRight(texts[i].Content, "\n"))
			}
		}
		if err := write(text.Bytes()); err != nil {
			return err
		}
		text.Reset()
	}
	return write(text.Bytes())
}

// maxFed is how many pages a feed has: the latest changes.
const maxFed = 50

// Feed returns the latest changes, below a page and with a tag, unless these are "".
func (x *Site) Feed(ctx context.Context, under, tag string) (*File, error) {
	if under+tag == "" { // the most frequent request
		return x.list(ctx, "feed.atom", typeAtom, func(text *bytes.Buffer) error { x.feed(text, nil, "", ""); return nil })
	}
	above := x.slugs[under]
	if under != "" && above == nil {
		return nil, errNoPage()
	}
	var text bytes.Buffer
	query := url.Values{}
	if under != "" {
		query.Set("under", under)
	}
	if tag != "" {
		query.Set("tag", tag)
	}
	x.feed(&text, above, tag, "?"+query.Encode())
	return x.file(typeAtom, text.Bytes())
}

func (x *Site) feed(text *bytes.Buffer, above *page, tag, query string) {
	pages := x.shown()
	if above != nil {
		pages = slices.DeleteFunc(pages, func(p *page) bool { return p != above && !slices.Contains(p.Trail(), above.Node) })
	}
	if tag != "" {
		pages = slices.DeleteFunc(pages, func(p *page) bool { return !slices.Contains(p.said.Load().Front().Tags, tag) })
	}
	said := make([]*outline.Said, len(pages))
	for i, p := range pages {
		said[i] = p.said.Load()
	}
	slices.SortStableFunc(said, func(a, b *outline.Said) int { return b.Front().Updated.Compare(a.Front().Updated) })
	said = said[:min(len(said), maxFed)]
	updated := time.Unix(0, 0).UTC()
	if len(said) > 0 {
		updated = said[0].Front().Updated
	}
	title := x.look.Title
	if above != nil {
		title = above.Name + " · " + title
	}
	if len(said) == 0 {
		query = "" // it would not identify the request
	}
	site, self := x.public(x.At("")), x.public(x.own+"/feed.atom"+query)
	id := site
	if query != "" {
		id = self
	}
	fmt.Fprintf(text, xml.Header+"<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<title>%s</title>\n<id>%s</id>\n<link href=\"%s\"/>\n<link rel=\"self\" href=\"%s\"/>\n<updated>%s</updated>\n<author><name>%[1]s</name></author>\n",
		escaped(title), escaped(id), escaped(site), escaped(self), updated.Format(time.RFC3339))
	for _, s := range said {
		p := x.pages[s.ID]
		fmt.Fprintf(text, "<entry>\n<title>%s</title>\n<id>urn:octavo:page:%s</id>\n<link href=\"%s\"/>\n<updated>%s</updated>\n", escaped(p.Name), s.ID, escaped(x.public(p.Href)), s.Front().Updated.Format(time.RFC3339))
		if s.Front().Description != "" {
			fmt.Fprintf(text, "<summary>%s</summary>\n", escaped(s.Front().Description))
		}
		text.WriteString("</entry>\n")
	}
	text.WriteString("</feed>\n")
}

// Robots returns robots.txt.
func (x *Site) Robots() (*File, error) {
	if x.members {
		return x.file(typeText, []byte("User-agent: *\nDisallow: /\n"))
	}
	if x.settings.Robots == octavo.RobotsNoIndex { // each page says so, so robots have to read it
		return x.file(typeText, []byte("User-agent: *\nAllow: /\n"))
	}
	return x.file(typeText, fmt.Appendf(nil, "User-agent: *\nAllow: %s\nAllow: %s/look/\nDisallow: %[2]s/\nSitemap: %s\n", x.At(""), x.own, x.public(x.At("/sitemap.xml"))))
}
