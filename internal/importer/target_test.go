package importer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"slices"
	"sync"

	"github.com/octavo-docs/octavo"
)

// memory is a target that keeps pages in a map and holds them to the rules of
// a server that an import can break.
type memory struct {
	pages   map[octavo.ID]*octavo.Page
	raw     map[octavo.ID]string
	former  map[string]octavo.ID
	calls   int
	made    int
	refuse  func(octavo.BulkOperation) error // nil refuses nothing
	failing error                            // of Apply as a whole

	mu     sync.Mutex
	assets []octavo.Asset
	puts   int
}

func newMemory() *memory {
	return &memory{pages: map[octavo.ID]*octavo.Page{}, raw: map[octavo.ID]string{}, former: map[string]octavo.ID{}}
}

func (m *memory) Pages(context.Context) iter.Seq2[octavo.Page, error] {
	return func(yield func(octavo.Page, error) bool) {
		for _, p := range m.pages {
			if !yield(*p, nil) {
				return
			}
		}
	}
}

func (m *memory) Apply(_ context.Context, operations []octavo.BulkOperation) ([]Result, error) {
	if m.failing != nil {
		return nil, m.failing
	}
	m.calls++
	if len(operations) > octavo.MaxBulk {
		return nil, fmt.Errorf("%d operations at once", len(operations))
	}
	results := make([]Result, len(operations))
	for i, op := range operations {
		results[i].ID, results[i].Err = m.one(op)
	}
	return results, nil
}

func (m *memory) one(op octavo.BulkOperation) (octavo.ID, error) {
	if m.refuse != nil {
		if err := m.refuse(op); err != nil {
			return "", err
		}
	}
	if op.Op == octavo.BulkDelete {
		for _, p := range m.pages {
			if p.ParentID == op.ID {
				p.ParentID = m.pages[op.ID].ParentID
			}
		}
		delete(m.pages, op.ID)
		return "", nil
	}
	if op.Patch != nil {
		if op.Patch.Status != nil {
			m.pages[op.ID].Status, m.pages[op.ID].PublishAt = *op.Patch.Status, op.Patch.Publish.Value
			return op.ID, nil
		}
		m.pages[op.ID].PublishAt, m.pages[op.ID].UnpublishAt = op.Patch.Publish.Value, op.Patch.Unpublish.Value
		return op.ID, nil
	}
	page := &octavo.Page{ID: octavo.ID(fmt.Sprintf("page_%d", m.made+1))}
	if op.Op == octavo.BulkUpdate {
		if page = m.pages[op.ID]; page == nil {
			return "", octavo.Errorf(octavo.NotFound, "no page %s", op.ID)
		}
	}
	// What a server checks of the body, it checks of this too.
	body := octavo.Object(
		octavo.Member{Name: "title", Value: octavo.String(op.Create.Title)},
		octavo.Member{Name: "slug", Value: octavo.String(op.Create.Slug)},
		octavo.Member{Name: "content", Value: octavo.String(op.Create.Content)})
	if _, err := octavo.DecodePageCreate(body); err != nil {
		return "", err
	}
	for _, other := range m.pages {
		if other.Slug == op.Create.Slug && other != page {
			return "", octavo.Errorf(octavo.SlugTaken, "%s has the slug", other.ID)
		}
	}
	if parent := *op.ParentID; parent != "" && m.pages[parent] == nil {
		return "", octavo.Invalid("/parentId", "there is no page %s", parent)
	}
	if len(op.Create.Frontmatter) > 0 {
		if _, err := octavo.ValueOf(op.Create.Frontmatter); err != nil {
			return "", octavo.Invalid("/frontmatter", "%v", err)
		}
	}
	if page.Slug != "" && page.Slug != op.Create.Slug {
		m.former[page.Slug] = page.ID
	}
	delete(m.former, op.Create.Slug)
	page.Title, page.Slug, page.Content = op.Create.Title, op.Create.Slug, op.Create.Content
	page.Frontmatter, page.ParentID, page.Position = op.Create.Frontmatter, *op.ParentID, op.Position.Value
	page.Status = cmp.Or(op.Create.Status, page.Status)
	if op.Source != nil {
		page.Source = *op.Source
	}
	if op.ImportSet != nil {
		page.ImportSet = *op.ImportSet
	}
	page.Language = octavo.PageLanguage(page.Frontmatter, *op.Language)
	if op.Create.Dialect != nil {
		page.Dialect = *op.Create.Dialect
	}
	if op.RawFront != nil {
		m.raw[page.ID] = *op.RawFront
	}
	for _, slug := range op.FormerSlugs {
		m.former[slug] = page.ID
	}
	if op.Op == octavo.BulkCreate {
		m.made++
	}
	m.pages[page.ID] = page
	return page.ID, nil
}

// Assets implements AssetTarget.
func (m *memory) Assets(context.Context) iter.Seq2[octavo.Asset, error] {
	return func(yield func(octavo.Asset, error) bool) {
		for _, a := range m.assets {
			if !yield(a, nil) {
				return
			}
		}
	}
}

// PutAsset implements AssetTarget. It refuses files that say so.
func (m *memory) PutAsset(_ context.Context, source string, content io.ReadSeeker) (octavo.Asset, error) {
	text, err := io.ReadAll(content)
	if err != nil {
		return octavo.Asset{}, err
	}
	if string(text) == "unwelcome" {
		return octavo.Asset{}, octavo.Invalid("/file", "is not welcome")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.puts++
	for i := range m.assets {
		if m.assets[i].Source == source {
			m.assets[i].Source = ""
		}
	}
	a := octavo.Asset{ID: octavo.ID(fmt.Sprintf("asset_%d", len(m.assets)+1)), Source: source, Size: int64(len(text)), SHA256: fmt.Sprintf("%x", sha256.Sum256(text))}
	m.assets = append(m.assets, a)
	return a, nil
}

// bySource returns the page of a file, or nil.
func (m *memory) bySource(source string) *octavo.Page {
	for _, p := range m.pages {
		if p.Source == source {
			return p
		}
	}
	return nil
}

// formerOf lists the former slugs of a page.
func (m *memory) formerOf(id octavo.ID) []string {
	var list []string
	for slug, owner := range m.former {
		if owner == id {
			list = append(list, slug)
		}
	}
	slices.Sort(list)
	return list
}
