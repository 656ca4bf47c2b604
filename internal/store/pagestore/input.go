package pagestore

import (
	"encoding/json"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// AssetReference is a picture or link on a page that may be an asset.
type AssetReference struct {
	Href    string   // as on the page
	Targets []string // its possible targets, see AssetTarget; a path unchanged
}

// Source is the input of a page's derived data.
type Source struct {
	ID          octavo.ID
	Slug        string
	Path        string // of the imported file; "" for pages of the API
	Content     string
	Frontmatter []byte // a JSON object or nil
	Dialect     octavo.Dialect
}

// Derived is the data that follows from a page's content and front matter.
// It is stored with the page.
type Derived struct {
	Links   []octavo.Link
	Targets []Target // candidates for the link graph, see Target
	Tags    []string
	PathKey string   // for links by path
	NameKey string   // for links by name alone, in any folder
	Labels  []string // keys of its places that links name alone
	Assets  []AssetReference
}

// Target is one possible target of a link. The link at index Link of Derived.Links
// leads to the first of its candidates, by rank, that exists: a page with that id, or
// with that path key, or with that slug, current or former.
type Target struct {
	Link int
	Rank int
	Page octavo.ID // or
	Path string    // and
	Slug string
}

// NewPage is a page to be created.
type NewPage struct {
	octavo.PageCreate
	ParentID    octavo.ID
	Position    *int64
	FormerSlugs []string
	Path        string
	ImportSet   string
	Language    string // from its import
	RawFront    []byte
	Imported    json.RawMessage // the state of the import, see keepImported
	Derived     *Derived        // see Prepare; if nil, computed in the transaction
	prepared    octavo.Dialect
}

// Change is a change of a page; nil leaves a member unchanged.
type Change struct {
	Title, Slug, Content *string
	Frontmatter          *[]byte // points to nil to remove it
	Status               *octavo.PageStatus
	ParentID             *octavo.ID
	Position             *octavo.OptInt
	Publish, Unpublish   *octavo.OptTime
	FormerSlugs          []string // added
	Path, ImportSet      *string
	Language             *string // from its import
	RawFront             *[]byte
	Imported             json.RawMessage // the state of the import, see keepImported; not a change of the page
	Dialect              *octavo.Dialect
}

// ChildrenPolicy says what happens to the children of a deleted page.
type ChildrenPolicy string

// The policies (decision 10). The zero policy refuses to delete a page with children.
const (
	ChildrenRefuse   ChildrenPolicy = ""
	ChildrenCascade  ChildrenPolicy = "cascade"
	ChildrenReparent ChildrenPolicy = "reparent"
)

// Sort is an order of pages; ties are ordered by id in the same direction.
type Sort string

// The orders of a list (decision 16).
const (
	SortCreated     Sort = "createdAt"
	SortCreatedDesc Sort = "-createdAt"
	SortUpdatedDesc Sort = "-updatedAt"
	SortTitle       Sort = "title" // by code point
)

// Query selects and orders pages. Zero members do not filter.
type Query struct {
	Status       octavo.PageStatus
	Slug         string
	Parent       *octavo.ID // "" selects root pages
	Tag          string
	Language     string    // includes its variants
	Unsaid       bool      // with Language, includes pages without a language
	UpdatedAfter time.Time // exclusive
	Sort         Sort
	After        *sqldb.Cursor // continue after this page
	Limit        int
	Deleted      bool // selects only deleted pages; for users who may restore them
}
