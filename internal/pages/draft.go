package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// RenderDraft renders a text that is not stored, in the place of a page or
// without one. It shows only what the audience may see: a link to a hidden
// page leads nowhere. It shows pending files of uploader; "" means none. The
// error is NotFound if the audience does not see the page.
func (s *Service) RenderDraft(ctx context.Context, aud octavo.Audience, uploader string, draft octavo.DraftText, v View) (r Rendering, links []octavo.RenderedLink, err error) {
	var page octavo.Page
	if draft.PageID != "" {
		if page, err = s.pages.Get(ctx, aud, draft.PageID); err != nil {
			return Rendering{}, nil, err
		}
	}
	page.Content = draft.Content
	if draft.Dialect != nil {
		page.Dialect = *draft.Dialect
	}
	if draft.Format != "" {
		page.Frontmatter = withFormat(page.Frontmatter, draft.Format)
		if page.Dialect == octavo.DialectMarkdown || page.Dialect == octavo.DialectMDX {
			page.Dialect = octavo.Dialect(draft.Format)
		}
	}
	named := map[string]bool{}
	octavo.NamedAssets(draft.Content, named)
	var coming octavo.Coming
	if coming.Files, err = s.assets.Pending.Own(ctx, uploader, slices.Sorted(maps.Keys(named))); err != nil {
		return Rendering{}, nil, err
	}
	return s.RenderPage(ctx, aud, page, coming, v)
}

// RenderPage renders a page that may differ from the stored one. Slugs,
// headings and files that a proposal will create count as existing, though
// such pages cannot be shown yet.
func (s *Service) RenderPage(ctx context.Context, aud octavo.Audience, page octavo.Page, coming octavo.Coming, v View) (r Rendering, links []octavo.RenderedLink, err error) {
	derived := Deriver(s.PublicURL)(pagestore.Source{ID: page.ID, Slug: page.Slug, Path: page.Source, Content: page.Content, Frontmatter: page.Frontmatter, Dialect: page.Dialect})
	targets, err := s.pages.Resolve(ctx, aud, page.ID, derived.Targets)
	if err != nil {
		return Rendering{}, nil, err
	}
	var references []assetstore.Reference
	for _, ref := range derived.Assets {
		references = append(references, assetstore.Reference(ref))
	}
	uses, err := s.assets.Named(ctx, references)
	if err != nil {
		return Rendering{}, nil, err
	}
	meant := s.meant(uses, page.Source)
	at, err := s.lead(ctx, aud, derived.Links, targets, v)
	if err != nil {
		return Rendering{}, nil, err
	}
	if err := s.linkParts(ctx, aud, aud, page, meant, at, v); err != nil {
		return Rendering{}, nil, err
	}
	for _, t := range derived.Targets {
		href := derived.Links[t.Link].Href
		if _, known := at.Links[href]; !known && t.Slug != "" && slices.Contains(coming.Slugs, t.Slug) {
			at.Links[href] = toCome(href)
		}
	}
	for _, t := range targets {
		if href := derived.Links[t.Link].Href; slices.Contains(coming.Pages, t.ID) {
			at.Links[href] = toCome(href)
		}
	}
	if at.Files, err = s.shown(ctx, aud, meant, s.AssetURL); err != nil {
		return Rendering{}, nil, err
	}
	for _, ref := range references {
		for _, target := range ref.Targets {
			if file, found := coming.Files[target]; found {
				at.Files[ref.Href] = shownFile(file, s.AssetURL)
			}
		}
	}
	include, failed := s.including(ctx, aud, func() ([]assetstore.Use, error) { return meant, nil })
	d := parse(page, include)
	if err := failed(); err != nil {
		return Rendering{}, nil, err
	}
	links = linksOf(d, at)
	if err := s.embed(ctx, aud, page, d, at, v); err != nil {
		return Rendering{}, nil, err
	}
	d.Notices = append(omitted(derived), d.Notices...)
	r, err = s.draw(ctx, page, d, at, v)
	return r, links, err
}

// toCome is the address of a link whose target does not exist yet.
func toCome(href string) string {
	return cmp.Or((&url.URL{Fragment: reference.Fragment(href)}).String(), "#")
}

// withFormat returns front matter that names a page's markup language.
func withFormat(frontmatter json.RawMessage, format string) json.RawMessage {
	all := map[string]json.RawMessage{}
	if json.Unmarshal(frontmatter, &all) != nil {
		all = map[string]json.RawMessage{} // there is none
	}
	all["format"] = octavo.AppendString(nil, format)
	text, err := json.Marshal(all)
	if err != nil {
		return frontmatter // cannot happen: it was read before
	}
	return text
}

// linksOf returns the links of a document and their states.
func linksOf(d *document.Document, at Addresses) []octavo.RenderedLink {
	links := []octavo.RenderedLink{}
	d.Walk(func(n document.Node) bool {
		link, ok := n.(*document.Link)
		if !ok {
			return true
		}
		href, ok := reference.URI(link.Href)
		if !ok {
			return true
		}
		state := octavo.LinkBroken
		_, toPage := at.Links[href]
		_, toFile := at.Files[href]
		switch {
		case toPage || toFile:
			state = octavo.LinkOK
		case reference.Local(href):
			if fragment := reference.Fragment(href); fragment == "" || d.Anchors().Find(fragment) != "" {
				state = octavo.LinkOK
			}
		case reference.Named(href):
		case isAbsolute(href) || reference.Scheme(href) != "":
			state = octavo.LinkExternal
		}
		links = append(links, octavo.RenderedLink{Href: href, Line: d.Line(link.Pos()), State: state})
		return true
	})
	return links
}

// HeadingsOf returns the headings of a text, in order.
func HeadingsOf(r Rendering) []octavo.RenderedHeading {
	headings := []octavo.RenderedHeading{}
	r.Document.Walk(func(n document.Node) bool {
		if quote, ok := n.(*document.Quote); ok && quote.Embedded {
			return false
		}
		if h, ok := n.(*document.Heading); ok {
			headings = append(headings, octavo.RenderedHeading{Level: h.Level, Text: h.Text, Anchor: h.Anchor, Line: r.Document.Line(h.Pos())})
		}
		return true
	})
	return headings
}

// NoticesOf returns notices about what could not be shown as written.
func NoticesOf(r Rendering) []octavo.RenderedNotice {
	notices := []octavo.RenderedNotice{}
	for _, n := range r.Notices {
		notices = append(notices, octavo.RenderedNotice{Line: n.Line, Column: n.Column, Message: n.Kind.String() + ": " + n.Text})
	}
	return notices
}

// Remarks returns hints for the author of a page that may differ from the stored one:
// its links, and what cannot be shown as written. See [Service.RenderPage].
func (s *Service) Remarks(ctx context.Context, aud octavo.Audience, page octavo.Page, coming octavo.Coming) ([]octavo.RenderedLink, []octavo.RenderedNotice, error) {
	r, links, err := s.RenderPage(ctx, aud, page, coming, View{Link: func(_ octavo.ID, slug string) string { return "/" + slug }})
	r.Notices = slices.DeleteFunc(r.Notices, func(n document.Notice) bool {
		return !n.Kind.Warning() || n.Kind == document.UnresolvedLink // those are among the links
	})
	return links, NoticesOf(r), err
}
