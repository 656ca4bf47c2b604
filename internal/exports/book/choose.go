package book

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

const lookUp = 500

// Page is a page of a book, in the chosen state.
type Page struct {
	pagestore.Stub
	Level     int         `json:"level"`               // in the book, from 0
	Title     string      `json:"heading"`             // in the book
	PageBreak *bool       `json:"pageBreak,omitempty"` // nil if not specified
	Assets    []Reference `json:"assets,omitempty"`

	Parent   *Page    `json:"-"` // in the book
	Children []*Page  `json:"-"`
	Former   []string `json:"-"` // former slugs; none for Markdown

	parts map[string]string // links in files that the page includes, with the paths of these
}

// Reference is a page's reference to an asset.
type Reference struct {
	Href  string    `json:"href"` // as on the page
	Asset octavo.ID `json:"asset"`
}

// Contents are the pages and assets of a book.
type Contents struct {
	Pages  []*Page     `json:"pages,omitempty"`  // in book order
	Assets []octavo.ID `json:"assets,omitempty"` // those selected themselves
}

// Choose resolves the selection of a request, for an audience (decisions 28,
// 51 and 52).
func (m *Maker) Choose(ctx context.Context, aud octavo.Audience, r octavo.ExportRequest) (Contents, error) {
	if aud.PublishedOnly && r.IncludeDrafts {
		return Contents{}, octavo.Errorf(octavo.Forbidden, "This credential sees only published pages, and cannot export drafts.")
	}
	c := &chooser{Maker: m, ctx: ctx, aud: aud, r: r, known: map[octavo.ID]*Page{}, depths: map[octavo.ID]int{}}
	var err error
	if r.Selection.Mode == octavo.SelectIDs {
		err = c.named()
	} else {
		err = c.matching()
	}
	if err != nil {
		return Contents{}, err
	}
	found := Contents{arrange(c.pages), c.assets}
	if r.Scope == octavo.ExportPublished {
		aud.PublishedOnly = true
	}
	return found, m.refer(ctx, aud, found.Pages, r.Selection.Mode == octavo.SelectAll)
}

type chooser struct {
	*Maker
	ctx    context.Context
	aud    octavo.Audience
	r      octavo.ExportRequest
	pages  []*Page // in sibling order
	known  map[octavo.ID]*Page
	depths map[octavo.ID]int // depth down to which sections were chosen
	assets []octavo.ID
}

// statuses are the allowed ones for pages that are not named themselves.
func (c *chooser) statuses() []octavo.PageStatus {
	if c.r.IncludeDrafts && c.r.Scope != octavo.ExportPublished {
		return []octavo.PageStatus{octavo.Published, octavo.Draft}
	}
	return []octavo.PageStatus{octavo.Published}
}

func (c *chooser) add(stub pagestore.Stub, o octavo.ExportItemOptions) {
	if p := c.known[stub.ID]; p != nil { // by another item, which may have more options
		p.Title = cmp.Or(o.Title, p.Title)
		if o.PageBreak != nil {
			p.PageBreak = o.PageBreak
		}
		return
	}
	p := &Page{Stub: stub, Title: cmp.Or(o.Title, stub.Title), PageBreak: o.PageBreak}
	c.known[stub.ID] = p
	c.pages = append(c.pages, p)
}

func (c *chooser) matching() error {
	q := pagestore.StubQuery{Statuses: c.statuses()}
	if f := c.r.Selection.Query; f != nil {
		q.Tags, q.Language, q.Unsaid = f.Tags, f.Language, f.Unsaid
		if f.UpdatedAfter != nil {
			q.UpdatedAfter = *f.UpdatedAfter
		}
	}
	list, err := c.Pages.Stubs(c.ctx, c.aud, q)
	if err != nil {
		return err
	}
	slices.SortFunc(list, pagestore.CompareSiblings)
	c.known, c.pages = make(map[octavo.ID]*Page, len(list)), make([]*Page, 0, len(list))
	for _, stub := range list {
		c.add(stub, octavo.ExportItemOptions{})
	}
	return nil
}

func (c *chooser) named() error {
	stubs, files, err := c.lookUp()
	if err != nil {
		return err
	}
	var faults octavo.Faults
	for i, item := range c.r.Selection.Items {
		at := octavo.Pointer(octavo.PointerIndex("/selection/items", i), "id")
		if item.Type == octavo.ItemAsset {
			if _, ok := files[item.ID]; !ok {
				faults.Add(at, "is not an existing asset")
			}
			c.assets = append(c.assets, item.ID)
			continue
		}
		stub, ok := stubs[item.ID]
		if !ok {
			faults.Add(at, "is not an existing page")
			continue
		}
		if msg := c.outside(stub.Status); msg != "" {
			faults.Add(at, "%s", msg)
			continue
		}
		c.add(stub, item.Options)
		if item.Type == octavo.ItemSection {
			if err := c.section(item); err != nil {
				return err
			}
		}
	}
	slices.Sort(c.assets)
	c.assets = slices.Compact(c.assets)
	return faults.Err()
}

func (c *chooser) lookUp() (stubs map[octavo.ID]pagestore.Stub, files map[octavo.ID]assetstore.File, err error) {
	stubs, files = map[octavo.ID]pagestore.Stub{}, map[octavo.ID]assetstore.File{}
	var pages, assets []octavo.ID
	for _, item := range c.r.Selection.Items {
		if item.Type == octavo.ItemAsset {
			assets = append(assets, item.ID)
		} else {
			pages = append(pages, item.ID)
		}
	}
	for ids := range slices.Chunk(pages, lookUp) {
		found, err := c.Pages.StubsByID(c.ctx, c.aud, ids)
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(stubs, found)
	}
	aud := c.aud
	aud.PublishedOnly = aud.PublishedOnly || c.r.Scope == octavo.ExportPublished
	for ids := range slices.Chunk(assets, lookUp) {
		found, err := c.Assets.FilesByID(c.ctx, aud, ids)
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(files, found)
	}
	return stubs, files, nil
}

func (c *chooser) outside(status octavo.PageStatus) string {
	switch {
	case status == octavo.Published:
		return ""
	case c.r.Scope == octavo.ExportPublished:
		return "names an unpublished page, but the scope is published"
	case status == octavo.Draft && !c.r.IncludeDrafts:
		return "names a draft, which only an export with includeDrafts contains"
	}
	return ""
}

func (c *chooser) section(item octavo.ExportItem) error {
	depth := octavo.MaxDepth
	if item.Options.Depth != nil {
		depth = *item.Options.Depth
	}
	if depth <= c.depths[item.ID] {
		return nil // it has all of them already
	}
	c.depths[item.ID] = depth
	list, err := c.Pages.StubsBelow(c.ctx, c.aud, item.ID, depth)
	if err != nil {
		return err
	}
	slices.SortFunc(list, pagestore.CompareSiblings)
	statuses := c.statuses()
	for _, stub := range list {
		if slices.Contains(statuses, stub.Status) {
			c.add(stub, octavo.ExportItemOptions{})
		}
	}
	return nil
}

// refer finds the assets that the pages refer to. all means that these are
// nearly all pages, so that the references of all pages are read at once.
func (m *Maker) refer(ctx context.Context, aud octavo.Audience, pages []*Page, all bool) error {
	if all {
		found, err := m.Assets.AllUses(ctx, aud)
		if err == nil {
			m.note(pages, found)
		}
		return err
	}
	for chunk := range slices.Chunk(pages, lookUp) {
		ids := make([]octavo.ID, len(chunk))
		for i, p := range chunk {
			ids[i] = p.ID
		}
		found, err := m.Assets.Uses(ctx, aud, ids)
		if err != nil {
			return err
		}
		m.note(chunk, found)
	}
	return nil
}

func (m *Maker) note(pages []*Page, found map[octavo.ID][]assetstore.Use) {
	for _, p := range pages {
		meant := assetstore.Meant(found[p.ID], func(href string, files []string) int {
			return reference.FirstFile(files, href, p.Path, m.PublicURL)
		})
		for _, use := range meant {
			p.Assets = append(p.Assets, Reference{use.Href, use.Asset})
		}
	}
}

// Encode returns the contents in parts.
func (c Contents) Encode() (parts [][]byte, err error) {
	add := func(part Contents) {
		if err == nil {
			var text []byte
			text, err = json.Marshal(part)
			parts = append(parts, text)
		}
	}
	for pages := range slices.Chunk(c.Pages, lookUp) {
		add(Contents{Pages: pages})
	}
	for assets := range slices.Chunk(c.Assets, 10*lookUp) {
		add(Contents{Assets: assets})
	}
	return parts, octavo.Wrapf(err, "encode the contents of a book")
}

// Decode adds a part of Encode to the contents.
func (c *Contents) Decode(part []byte) error {
	var p Contents
	if err := json.Unmarshal(part, &p); err != nil {
		return fmt.Errorf("decode the contents of a book: %w", err)
	}
	c.Pages, c.Assets = append(c.Pages, p.Pages...), append(c.Assets, p.Assets...)
	return nil
}
