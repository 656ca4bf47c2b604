package pagestore

import (
	"encoding/json"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// AssetReference is one thing that a page shows or links to and that may be an
// asset.
type AssetReference struct {
	Href    string   // as the page has it
	Targets []string // what it may mean, see AssetTarget; for a path as it is
}

// Source is what the derived data of a page is computed from.
type Source struct {
	ID          octavo.ID
	Slug        string
	Path        string // of the imported file; "" for a page made through the API
	Content     string
	Frontmatter []byte // a JSON object or nil
	Dialect     octavo.Dialect
}

// Derived is what a page's content and front matter say about it. It is
// written with the page.
type Derived struct {
	Links   []octavo.Link
	Targets []Target // candidates for the link graph, see Target
	Tags    []string
	PathKey string // under which links by path find the page
	NameKey string // under which those by its name alone do, wherever it stands
	Assets  []AssetReference
}

// Target is one candidate for where a link leads. The link at index Link of
// Derived.Links leads to the first of its candidates, by rank, that exists:
// a page with that id, else that path key, else that slug, current or former.
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
	Language    string // as its import says it
	RawFront    []byte
	Imported    json.RawMessage // what the import brought, see keepImported
	Derived     *Derived        // see Prepare; nil has it computed in the transaction
	prepared    octavo.Dialect
}

// Change is a change of a page; nil leaves a member as it is.
type Change struct {
	Title, Slug, Content *string
	Frontmatter          *[]byte // points to nil to remove it
	Status               *octavo.PageStatus
	ParentID             *octavo.ID
	Position             *octavo.OptInt
	Publish, Unpublish   *octavo.OptTime
	FormerSlugs          []string // added
	Path, ImportSet      *string
	Language             *string // as its import says it
	RawFront             *[]byte
	Imported             json.RawMessage // what the import brought, see keepImported; no change of the page
	Dialect              *octavo.Dialect
}

// ChildrenPolicy says what a deletion does with the children of the page.
type ChildrenPolicy string

// The policies (decision 10). The zero policy refuses to delete a page that
// has children.
const (
	ChildrenRefuse   ChildrenPolicy = ""
	ChildrenCascade  ChildrenPolicy = "cascade"
	ChildrenReparent ChildrenPolicy = "reparent"
)

// Sort is an order of pages; ties are settled by id in the same direction.
type Sort string

// The orders of a list (decision 16).
const (
	SortCreated     Sort = "createdAt"
	SortCreatedDesc Sort = "-createdAt"
	SortUpdatedDesc Sort = "-updatedAt"
	SortTitle       Sort = "title" // by code point
)

// Query selects and orders pages. Zero members do not narrow.
type Query struct {
	Status       octavo.PageStatus
	Slug         string
	Parent       *octavo.ID // "" selects root pages
	Tag          string
	Language     string    // and kinds of it
	Unsaid       bool      // with Language, those that say none too
	UpdatedAfter time.Time // exclusive
	Sort         Sort
	After        *sqldb.Cursor // continue behind this page
	Limit        int
	Deleted      bool // selects deleted pages in place of the others; for who may restore them
}
