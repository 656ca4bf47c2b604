package reader

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/site/look"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// The Content-Security-Policy of every page. A page with images of other
// sites permits them.
const (
	policy       = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'; img-src 'self' data:"
	policyRemote = " http: https:"
)

// body is a page's own part of the HTML, and its inputs.
type body struct {
	page     octavo.Page // without its content
	term     string
	manner   manner
	at       pages.Addresses
	html     []byte
	contents string // the list of its headings, as HTML
	titled   bool
	remote   bool
}

// manner are the settings that affect a body.
type manner struct {
	language string
	images   octavo.RemoteImages
}

func (x *Site) manner() manner { return manner{x.look.Language, x.settings.RemoteImages} }

// size returns the approximate memory in bytes.
func (b *body) size() int {
	if b == nil {
		return 0
	}
	const each = 64
	size := len(b.html) + len(b.contents) + len(b.page.Links) + len(b.page.Frontmatter)
	for href, to := range b.at.Links {
		size += each + len(href) + len(to)
	}
	for href, to := range b.at.Files {
		size += 2*each + len(href) + len(to.Address) + len(to.Alt) + len(to.Caption)
	}
	return size
}

func errNoPage() error { return octavo.Errorf(octavo.NotFound, "There is no page at this address.") }

// Named returns whether a path is a page, and whether it is the home page.
func (x *Site) Named(slug string) (home, found bool) {
	p := x.slugs[slug]
	return p != nil && p == x.home, p != nil
}

// Has reports whether the site shows a page.
func (x *Site) Has(id octavo.ID) bool { return x.pages[id] != nil }

// HomeSlug returns the slug of the home page, or "" if there are no pages.
func (x *Site) HomeSlug() string {
	if x.home == nil {
		return ""
	}
	return x.home.slug
}

// Markdown returns the source of a page.
func (x *Site) Markdown(ctx context.Context, slug string) (*File, error) {
	p := x.slugs[slug]
	if p == nil {
		return nil, errNoPage()
	}
	key := keptKey{string(p.id) + ".md", x.members}
	if k := x.kept.get(key); k != nil && k.moment == x.moment {
		return k.file, nil
	}
	read, err := x.Store.Pages.Get(ctx, audience(), p.id)
	if err != nil {
		return nil, err
	}
	f, err := x.file(typeMarkdown, []byte(read.Content))
	if err == nil {
		x.kept.set(key, &kept{file: f, moment: x.moment})
	}
	return f, err
}

// Page returns a page.
func (x *Site) Page(ctx context.Context, slug string) (*File, error) {
	p := x.slugs[slug]
	if p == nil {
		return nil, errNoPage()
	}
	key, term := keptKey{string(p.id), x.members}, x.term()
	before := x.kept.get(key)
	if before != nil && before.moment == x.moment && before.term == term {
		return before.file, nil
	}
	b, err := x.body(ctx, p, before, term)
	if err != nil {
		return nil, err
	}
	text := x.compose(p, b)
	f, err := x.file(typeHTML, text)
	if err != nil {
		return nil, err
	}
	f.Policy = policy
	if b.remote {
		f.Policy += policyRemote
	}
	x.kept.set(key, &kept{f, x.moment, term, b})
	return f, nil
}

// term identifies the period in which addresses of files stay the same.
func (x *Site) term() string {
	if x.members {
		return ""
	}
	return x.Term()
}

// body returns the body of a page: the cached one if it is still valid,
// otherwise a new one.
func (x *Site) body(ctx context.Context, p *page, before *kept, term string) (*body, error) {
	view := x.view()
	if before != nil && before.term == term && before.body.manner == x.manner() && pagestore.RefOf(before.body.page) == x.ref(p) {
		at, err := x.Pages.Addresses(ctx, audience(), before.body.page, view)
		if err != nil {
			return nil, err
		}
		if at.Equal(before.body.at) {
			return before.body, nil
		}
	}
	r, err := x.Pages.Render(ctx, audience(), p.id, view)
	if err != nil {
		return nil, err
	}
	b := &body{page: r.Page, term: term, manner: x.manner(), at: r.Addresses, html: r.HTML, titled: look.Titled(r.Document, p.Name), remote: r.Remote}
	if entries := look.Entries(r.Document); len(entries) > 0 {
		var out bytes.Buffer
		look.Out{Buffer: &out}.Entries(entries)
		b.contents = out.String()
	}
	b.page.Content = ""
	return b, nil
}

// view configures how pages are rendered here.
func (x *Site) view() pages.View {
	return pages.View{
		Whole: true, Language: x.look.Language, Taken: look.Around(), LinkRemote: x.settings.RemoteImages == octavo.RemoteImagesLink,
		Link: func(id octavo.ID, slug string) string {
			if p := x.pages[id]; p != nil {
				return p.Href
			}
			return x.At("/" + slug) // it was published since
		},
		Other: func(href string) (string, bool) {
			path, _, _ := strings.Cut(href, "#")
			return x.server + href, slices.Contains([]string{"/reference", "/problems", "/openapi.yaml", "/openapi.json", "/account"}, path)
		},
		File: func(a octavo.Asset) string {
			if x.members || x.Apart() {
				return x.fileAddress(a)
			}
			return strings.TrimPrefix(x.FileURL(a), x.origin)
		},
	}
}

// compose assembles a page.
func (x *Site) compose(p *page, b *body) []byte {
	said := p.said.Load()
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	around := look.Page{
		Node: p.Node, Title: p.Name, Description: x.description(p, said), Contents: b.contents,
		Previous: x.neighbour(p, -1), Next: x.neighbour(p, 1), Head: x.about(p, said), Searched: x.searched(said.Language),
	}
	site := x.around(said.Language)
	out.Before(site, around)
	var foot bytes.Buffer
	tools := look.Out{Buffer: &foot}
	tools.Raw(`<p class="site-tools" data-page="`, string(p.id), `">`)
	if x.Source() {
		tools.Link(x.At("/"+p.slug+".md"), site.Words.AsMarkdown)
		tools.Raw(" ")
	}
	tools.Link(x.own+"/links?to="+p.slug, site.Words.LinksHere)
	tools.Raw("</p>\n")
	if x.settings.Feedback {
		x.ask(tools, site.Words, p, said)
	}
	out.Own(site, look.Article{
		Name: p.Name, Language: said.Language, Contents: b.contents, Titled: b.titled, Updated: said.Front().Updated.Format(time.DateOnly), Body: b.html, Foot: foot.String(), Below: p.Children[:min(len(p.Children), maxListed)],
	})
	out.After(site, around)
	return text.Bytes()
}

// description is that of the page, or of the site for the home page.
func (x *Site) description(p *page, said *outline.Said) string {
	if p == x.home {
		return cmp.Or(said.Front().Description, x.settings.Description)
	}
	return said.Front().Description
}

// about returns the part of the head for search engines and other programs.
func (x *Site) about(p *page, said *outline.Said) string {
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	meta := func(name, value string) {
		if value != "" {
			out.Raw(`<meta property="`, name, `"`)
			out.Attribute("content", value)
			out.Raw(">\n")
		}
	}
	address := x.public(p.Href)
	if said.Front().NoIndex || x.settings.Robots == octavo.RobotsNoIndex {
		out.Raw("<meta name=\"robots\" content=\"noindex\">\n")
	}
	out.Raw(`<link rel="canonical"`)
	out.Attribute("href", address)
	out.Raw(">\n")
	if x.Source() {
		out.Raw("<link rel=\"alternate\" type=\"text/markdown\" href=\"", x.At("/"+p.slug), ".md\">\n")
	}
	out.Raw("<link rel=\"alternate\" type=\"application/atom+xml\" href=\"", x.own, "/feed.atom\">\n")
	meta("og:type", "article")
	meta("og:title", p.Name)
	meta("og:description", x.description(p, said))
	meta("og:url", address)
	meta("og:site_name", x.look.Title)
	meta("article:modified_time", said.Front().Updated.Format(time.RFC3339))
	out.Raw(`<script type="application/ld+json">`, string(x.linked(p, said)), "</script>\n")
	return text.String()
}

// linked is a page as structured data (schema.org).
func (x *Site) linked(p *page, said *outline.Said) []byte {
	type item struct {
		Type     string `json:"@type"`
		Position int    `json:"position"`
		Name     string `json:"name"`
		Item     string `json:"item"`
	}
	crumbs := []item{}
	for i, above := range append(p.Trail(), p.Node) {
		crumbs = append(crumbs, item{"ListItem", i + 1, above.Name, x.public(above.Href)})
	}
	article := map[string]any{
		"@type": "TechArticle", "headline": p.Name, "url": x.public(p.Href), "inLanguage": x.look.Language, "dateModified": said.Front().Updated.Format(time.RFC3339),
	}
	if said.Language != "" {
		article["inLanguage"] = said.Language
	}
	if said.Front().Description != "" {
		article["description"] = said.Front().Description
	}
	text, err := json.Marshal(map[string]any{ // escapes < > and &
		"@context": "https://schema.org", "@graph": []any{article, map[string]any{"@type": "BreadcrumbList", "itemListElement": crumbs}},
	})
	if err != nil {
		panic(fmt.Sprintf("reader: encode structured data: %v", err)) // texts always encode
	}
	return text
}
