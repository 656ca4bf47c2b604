package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Rendering is a page as HTML.
type Rendering struct {
	Page      octavo.Page
	Document  *document.Document
	HTML      []byte // a fragment
	Addresses Addresses
	Remote    bool // whether it shows images of other sites
	Notices   []document.Notice
}

// View configures how pages are shown.
type View struct {
	Link func(id octavo.ID, slug string) string // address of a page
	File func(octavo.Asset) string              // address of an asset; nil is AssetURL

	// Other returns the address of a link's target that is neither page nor
	// asset, if there is one; nil finds none.
	Other func(href string) (string, bool)

	// Whole is for a complete page: images without a description get that of
	// their assets, and links without a target are shown as text.
	Whole    bool
	Language string   // default for pages without one
	Taken    []string // identifiers used around the page

	LinkRemote bool // images of other sites are links to them
	Lines      bool // blocks have the number of their first line

	anchors *anchored // of the page around an embedded one
}

// Addresses are the targets of the links on a page. An unchanged page with
// the same addresses renders to the same HTML.
type Addresses struct {
	Links  map[string]string
	Titles map[string]string // of what links lead to
	Files  map[string]ShownFile

	pages   map[string]octavo.ID // that links lead to
	anchors *anchored
}

// Equal reports whether the addresses are the same.
func (a Addresses) Equal(b Addresses) bool {
	return maps.Equal(a.Links, b.Links) && maps.Equal(a.Titles, b.Titles) && maps.Equal(a.Files, b.Files)
}

// ShownFile is an asset as shown on a page, with its size in pixels.
type ShownFile struct {
	Address, Alt, Caption string
	Width, Height         int
}

// maxTries limits how often a page is read that changes meanwhile.
const maxTries = 5

// Render renders a page if aud may see it, otherwise the error is NotFound.
// Links lead where the audience may follow them, to the view's addresses of
// pages; images and files are at the addresses of their assets.
func (s *Service) Render(ctx context.Context, aud octavo.Audience, id octavo.ID, v View) (Rendering, error) {
	for try := 1; ; try++ {
		page, err := s.pages.Get(ctx, aud, id)
		if err != nil {
			return Rendering{}, err
		}
		at, err := s.Addresses(ctx, aud, page, v)
		if err != nil {
			return Rendering{}, err
		}
		include, failed := s.Include(ctx, aud, page)
		d := parse(page, include)
		if err := failed(); err != nil {
			return Rendering{}, err
		}
		if err := s.embed(ctx, aud, page, d, at, v); err != nil {
			return Rendering{}, err
		}
		ref, err := s.pages.Ref(ctx, aud, id)
		if err != nil {
			return Rendering{}, err
		}
		if ref != pagestore.RefOf(page) && try < maxTries {
			continue // its links are those of another version
		}
		return s.draw(ctx, page, d, at, v)
	}
}

// draw renders a document.
func (s *Service) draw(ctx context.Context, page octavo.Page, d *document.Document, at Addresses, v View) (Rendering, error) {
	name(d, at, v)
	rendering := Rendering{Page: page, Document: d, Addresses: Addresses{Links: at.Links, Titles: at.Titles, Files: at.Files}}
	file := func(written string) (string, bool) {
		if shown, found := at.Files[written]; found {
			return reference.WithFragment(shown.Address, written), true
		}
		plain := reference.Plain(written)
		return plain, isAbsolute(plain)
	}
	o := html.Options{
		HeadingLinks: true, Language: cmp.Or(octavo.PageLanguage(page.Frontmatter, page.Language), v.Language), DropUnresolved: v.Whole, Taken: v.Taken, Lines: v.Lines,
	}
	o.Image = func(written string) (string, bool) {
		to, found := file(written)
		rendering.Remote = rendering.Remote || found && isAbsolute(to) && !v.LinkRemote
		return to, found
	}
	if v.Whole {
		o.Size = func(written string) (width, height int) { return at.Files[written].Width, at.Files[written].Height }
	}
	if v.LinkRemote {
		o.LinkImage = isAbsolute
	}
	o.Link = func(written string) (string, bool) {
		if to, found := at.Links[written]; found { // preferred to a file, as in exports
			return to, true
		}
		on, plain := reference.Off(written)
		if to, found := at.Links[reference.On(on, "#")]; found && reference.Local(plain) {
			return to + plain, true
		}
		if to, found := file(written); found || v.Other == nil {
			return to, found
		}
		return v.Other(plain)
	}
	result := s.renderer.Fragment(ctx, d, o)
	rendering.HTML, rendering.Notices = result.HTML, result.Notices
	if err := ctx.Err(); err != nil {
		return Rendering{}, fmt.Errorf("render page %s: %w", page.ID, err) // code may lack its colours
	}
	return rendering, nil
}

// Addresses returns the present targets of the links and pictures of a page,
// whose content may be omitted.
func (s *Service) Addresses(ctx context.Context, aud octavo.Audience, page octavo.Page, v View) (a Addresses, err error) {
	if a, err = s.links(ctx, aud, page, v); err != nil {
		return a, err
	}
	meant, err := s.usesOf(ctx, aud, page)
	if err != nil {
		return a, err
	}
	all := octavo.Audience{} // the files are visible to every reader of the page
	if err = s.linkParts(ctx, aud, all, page, meant, a, v); err != nil {
		return a, err
	}
	if page.Dialect != octavo.DialectMyST && page.Dialect != octavo.DialectGitBook { // shows no titles, and is not rendered again when one changes
		a.Titles = nil
	}
	address := v.File
	if address == nil {
		address = s.AssetURL
	}
	a.Files, err = s.shown(ctx, all, meant, address)
	return a, err
}

// name gives images and links the texts of what they show and lead to.
func name(d *document.Document, at Addresses, v View) {
	if v.Whole {
		describe(d, at.Files)
	}
	d.NameLinks(func(href string) string { return at.Titles[href] })
}

// describe gives images without one the alternative text and title of their assets.
func describe(d *document.Document, files map[string]ShownFile) {
	if len(files) == 0 {
		return
	}
	d.Walk(func(n document.Node) bool {
		if image, ok := n.(*document.Image); ok {
			src, _ := reference.URI(image.Src)
			image.Alt, image.Title = cmp.Or(image.Alt, files[src].Alt), cmp.Or(image.Title, files[src].Caption)
		}
		return true
	})
}

// links returns the targets of a page's links that are pages, and their titles.
func (s *Service) links(ctx context.Context, aud octavo.Audience, page octavo.Page, v View) (a Addresses, err error) {
	var links []octavo.Link
	if err := json.Unmarshal(page.Links, &links); err != nil {
		return a, fmt.Errorf("read the links of page %s: %w", page.ID, err)
	}
	var targets []pagestore.LinkTarget
	if len(links) > 0 {
		if targets, err = s.pages.LinkTargets(ctx, aud, page.ID); err != nil {
			return a, err
		}
	}
	return s.lead(ctx, aud, links, targets, v)
}

// lead returns the addresses of links by their targets, and the titles of these.
func (s *Service) lead(ctx context.Context, aud octavo.Audience, links []octavo.Link, targets []pagestore.LinkTarget, v View) (a Addresses, err error) {
	a = Addresses{Links: map[string]string{}, Titles: map[string]string{}, pages: map[string]octavo.ID{}, anchors: v.anchors}
	if a.anchors == nil {
		a.anchors = &anchored{pages: map[octavo.ID]*reference.Anchors{}}
	}
	for _, t := range targets {
		if t.Link >= len(links) {
			continue
		}
		href := links[t.Link].Href
		to := url.URL{Fragment: reference.Fragment(href)}
		a.Titles[href], a.pages[href] = t.Title, t.ID
		if to.Fragment != "" {
			if to.Fragment, err = s.anchor(ctx, aud, t.ID, to.Fragment, a.anchors); err != nil {
				return a, err
			}
			if known := a.anchors.pages[t.ID]; known != nil && to.Fragment != "" {
				a.Titles[href] = known.Title(to.Fragment)
			}
		}
		a.Links[href] = v.Link(t.ID, t.Slug) + to.String()
	}
	return a, nil
}

// lookUp is how many assets are read at once. The data of each may be much
// longer than its address.
const lookUp = 100

// shown returns those of the assets that aud sees, by reference.
func (s *Service) shown(ctx context.Context, aud octavo.Audience, meant []assetstore.Use, address func(octavo.Asset) string) (map[string]ShownFile, error) {
	at := map[octavo.ID]ShownFile{}
	var ids []octavo.ID
	for _, use := range meant {
		if _, known := at[use.Asset]; !known {
			at[use.Asset] = ShownFile{}
			ids = append(ids, use.Asset)
		}
	}
	for some := range slices.Chunk(ids, lookUp) {
		found, err := s.assets.FilesByID(ctx, aud, some)
		if err != nil {
			return nil, err
		}
		for id, file := range found {
			at[id] = shownFile(file.Asset, address)
		}
	}
	files := make(map[string]ShownFile, len(meant))
	for _, use := range meant {
		if shown := at[use.Asset]; shown.Address != "" { // it was not deleted meanwhile
			files[use.Href] = shown
		}
	}
	return files, nil
}

func shownFile(file octavo.Asset, address func(octavo.Asset) string) ShownFile {
	shown := ShownFile{Address: address(file), Width: file.Width, Height: file.Height}
	if m := file.Metadata; m.Alt != nil {
		shown.Alt = *m.Alt
	}
	if m := file.Metadata; m.Caption != nil {
		shown.Caption = *m.Caption
	}
	return shown
}

// Limits for a rendering, with what it embeds: pages whose anchors it reads, and the bytes of these.
// Links to other pages keep their written fragment.
const (
	maxAnchored      = 100
	maxAnchoredBytes = 8 << 20
)

// anchored are the anchors of pages that were read.
type anchored struct {
	pages map[octavo.ID]*reference.Anchors
	bytes int
}

// anchor returns the anchor of a fragment on a page.
func (s *Service) anchor(ctx context.Context, aud octavo.Audience, id octavo.ID, fragment string, known *anchored) (string, error) {
	if known.pages[id] == nil {
		if len(known.pages) == maxAnchored || known.bytes >= maxAnchoredBytes {
			return fragment, nil
		}
		page, err := s.pages.Get(ctx, aud, id)
		if octavo.IsType(err, octavo.NotFound) { // deleted meanwhile
			return fragment, nil
		}
		if err != nil {
			return "", err
		}
		include, failed := s.Include(ctx, aud, page)
		known.pages[id] = parse(page, include).Anchors()
		known.bytes += len(page.Content)
		if err := failed(); err != nil {
			return "", err
		}
	}
	return known.pages[id].Find(fragment), nil
}

func isAbsolute(href string) bool {
	u, err := url.Parse(href)
	return err == nil && u.Host != ""
}

// parse parses the content of a page in its markup language.
func parse(page octavo.Page, include func(string) (string, bool, bool)) *document.Document {
	o := FormatOf(page).Options()
	o.Frontmatter, o.Include = page.Frontmatter, include
	return document.Parse(page.Content, o)
}
