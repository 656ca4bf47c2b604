package pages

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Rendering is a page as HTML.
type Rendering struct {
	Page     octavo.Page
	Document *document.Document
	HTML     []byte // a fragment
}

// keptTokens is how many bytes of code keep their colours in memory.
const keptTokens = 4 << 20

// maxTries bounds how often a page is read that others change meanwhile.
const maxTries = 5

// newRenderer returns what makes HTML of pages.
func newRenderer() *html.Renderer { return html.New(highlight.New(keptTokens)) }

// Render returns a page that aud may see as HTML; else the error is NotFound.
// Links lead where the audience may follow them, to the addresses that address
// gives pages; images and files are at the addresses of their assets.
func (s *Service) Render(ctx context.Context, aud octavo.Audience, id octavo.ID, address func(octavo.ID) string) (Rendering, error) {
	for try := 1; ; try++ {
		page, err := s.pages.Get(ctx, aud, id)
		if err != nil {
			return Rendering{}, err
		}
		links, err := s.links(ctx, aud, page, address)
		if err != nil {
			return Rendering{}, err
		}
		files, err := s.files(ctx, aud, page)
		if err != nil {
			return Rendering{}, err
		}
		include, failed := s.Include(ctx, aud, page)
		d := parse(page, include)
		if err := failed(); err != nil {
			return Rendering{}, err
		}
		ref, err := s.pages.Ref(ctx, aud, id)
		if err != nil {
			return Rendering{}, err
		}
		if ref != pagestore.RefOf(page) && try < maxTries {
			continue // its links are those of another version
		}
		image := func(written string) (string, bool) {
			if to, found := files[written]; found {
				return reference.WithFragment(to, written), true
			}
			return written, isAbsolute(written)
		}
		link := func(written string) (string, bool) {
			if to, found := links[written]; found { // rather than a file, as in exports
				return to, true
			}
			return image(written)
		}
		r := s.renderer.Fragment(ctx, d, html.Options{Link: link, Image: image, HeadingLinks: true, Language: octavo.Language(page.Frontmatter)})
		if err := ctx.Err(); err != nil {
			return Rendering{}, fmt.Errorf("render page %s: %w", id, err) // code may lack its colours
		}
		return Rendering{page, d, r.HTML}, nil
	}
}

// links returns where the links of a page lead that lead to pages.
func (s *Service) links(ctx context.Context, aud octavo.Audience, page octavo.Page, address func(octavo.ID) string) (map[string]string, error) {
	var links []octavo.Link
	if err := json.Unmarshal(page.Links, &links); err != nil {
		return nil, fmt.Errorf("read the links of page %s: %w", page.ID, err)
	}
	addresses := map[string]string{}
	if len(links) > 0 {
		targets, err := s.pages.LinkTargets(ctx, aud, page.ID)
		if err != nil {
			return nil, err
		}
		known := map[octavo.ID]*reference.Anchors{}
		for _, t := range targets {
			if t.Link >= len(links) {
				continue
			}
			href := links[t.Link].Href
			to := url.URL{Fragment: reference.Fragment(href)}
			if to.Fragment != "" {
				if to.Fragment, err = s.anchor(ctx, aud, t.ID, to.Fragment, known); err != nil {
					return nil, err
				}
			}
			addresses[href] = address(t.ID) + to.String()
		}
	}
	return addresses, nil
}

// lookUp is how many assets are read at once. What is told of each may be much
// longer than its address.
const lookUp = 100

// files returns the addresses of the assets that a page refers to, by what it
// calls them.
func (s *Service) files(ctx context.Context, aud octavo.Audience, page octavo.Page) (map[string]string, error) {
	meant, err := s.meant(ctx, aud, page)
	if err != nil {
		return nil, err
	}
	at := map[octavo.ID]string{}
	var ids []octavo.ID
	for _, use := range meant {
		if _, known := at[use.Asset]; !known {
			at[use.Asset] = ""
			ids = append(ids, use.Asset)
		}
	}
	for some := range slices.Chunk(ids, lookUp) {
		found, err := s.assets.FilesByID(ctx, octavo.Audience{}, some) // who sees the page sees them
		if err != nil {
			return nil, err
		}
		for id, file := range found {
			at[id] = s.AssetURL(file.Asset)
		}
	}
	addresses := make(map[string]string, len(meant))
	for _, use := range meant {
		if address := at[use.Asset]; address != "" { // it was not deleted meanwhile
			addresses[use.Href] = address
		}
	}
	return addresses, nil
}

// maxAnchored is of how many pages a rendering reads the anchors. Links to others
// keep the fragment that was written.
const maxAnchored = 16

// anchor returns the anchor that a fragment means on a page; known are those of
// pages that were read.
func (s *Service) anchor(ctx context.Context, aud octavo.Audience, id octavo.ID, fragment string, known map[octavo.ID]*reference.Anchors) (string, error) {
	if known[id] == nil {
		if len(known) == maxAnchored {
			return fragment, nil
		}
		page, err := s.pages.Get(ctx, aud, id)
		if octavo.IsType(err, octavo.NotFound) { // by now
			return fragment, nil
		}
		if err != nil {
			return "", err
		}
		include, failed := s.Include(ctx, aud, page)
		known[id] = parse(page, include).Anchors()
		if err := failed(); err != nil {
			return "", err
		}
	}
	return known[id].Find(fragment), nil
}

func isAbsolute(href string) bool {
	u, err := url.Parse(href)
	return err == nil && u.Host != ""
}

// parse reads the content of a page in the language it is written in.
func parse(page octavo.Page, include func(string) (string, bool, bool)) *document.Document {
	return document.Parse(page.Content, document.Options{MDX: FormatOf(page) == markdown.MDX, Frontmatter: page.Frontmatter, Include: include})
}
