// Package store holds every SQL statement of Octavo and the rules that must
// hold inside one transaction: unique slugs, a sound page tree, versions that
// rise, a revision for each change of content and a change row for each
// mutation. One set of statements serves SQLite and PostgreSQL; what must
// differ stands in files that end in _sqlite.go and _postgres.go.
//
// It does not know HTTP, markup or credentials' secrets: features decide what
// to write and derive, the store writes it wholly or not at all.
//
// Reads are methods of [Store] and take the [octavo.Audience] that may see
// their result. Writes run in [Store.Write]:
//
//	err := st.Write(ctx, cause, func(tx *store.Tx) error {
//		page, err = tx.CreatePage(new)
//		return err
//	})
//
// When Write returns nil the change has reached the disk. What follows from it
// reads the change log: a [Follower] is handed every [Change] in order, in this
// and other processes, and goes on from where it was after a restart.
package store

import (
	"context"
	"log/slog"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Options are what a store is given from outside.
type Options struct {
	Now    func() time.Time
	IDs    *octavo.IDSource
	Derive func(Source) Derived // called inside the write transaction; must be pure
	Logger *slog.Logger         // of what goes wrong in the background; nil drops it

	// Connections bounds the pool: those that read on SQLite, which has one
	// more to write, and on PostgreSQL all but three for the change log. 0
	// chooses by the machine.
	Connections int

	// Throwaway is for a store that ends with what it was made for: on SQLite
	// nothing waits until it is on disk, and little is kept in memory.
	Throwaway bool

	// NoMigrate makes opening fail where the schema is not the one that this
	// program knows, in place of bringing it up to date.
	NoMigrate bool

	// Committed, unless nil, is told of every commit: how many writes shared
	// it, and how long it took until they were on disk. It must not wait.
	Committed func(writes int, took time.Duration)

	Trace *tracing.Tracer // nil records no traces

	// KeepChanges is how long Sweep leaves changes to be read; 0 stands for
	// DefaultKeepChanges.
	KeepChanges time.Duration
}

// Source is what the derived data of a page is computed from.
type Source struct {
	ID          octavo.ID
	Slug        string
	Path        string // of the imported file; "" for a page made through the API
	Content     string
	Frontmatter []byte // a JSON object or nil
}

// Derived is what a page's content and front matter say about it. It is
// written with the page.
type Derived struct {
	Links   []octavo.Link
	Targets []Target // candidates for the link graph, see Target
	Tags    []string
	PathKey string // under which links by path find the page
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

// Cause says who asked for a mutation; it is recorded with it.
type Cause struct {
	Actor   octavo.Actor
	TraceID string
	// Traceparent is that of the request, for the calls that it causes; "" when
	// it had none.
	Traceparent string
	Address     string // network address that asked; only the audit log has it
	Claim       *Claim // how to answer when the request is repeated; nil without Idempotency-Key
}

// Claim ties a mutation to an Idempotency-Key (decision 18). Response is
// called after the mutation and before the commit, and what it returns is
// stored in the same transaction.
type Claim struct {
	Owner    string // subject and client
	Key      string
	Hash     [32]byte // of the request
	Response func() Response
}

// Response is an answer kept for the repetition of its request.
type Response struct {
	Status int
	Header map[string]string
	Body   []byte
}

// ReplayError is returned by Write in place of acting when the claim's key
// was already used for the same request. Another request with the key gets an
// *octavo.Error of type KeyReused, one whose first is in progress a Conflict.
type ReplayError struct{ Response Response }

// Error implements error.
func (e *ReplayError) Error() string { return "the request was answered before" }

// IfMatch decides whether a mutation may change the page or asset at this version; nil
// permits it. When it returns false the write ends with PreconditionFailed.
type IfMatch func(id octavo.ID, version int64) bool

// NewPage is a page to be created.
type NewPage struct {
	octavo.PageCreate
	ParentID    octavo.ID
	Position    *int64
	FormerSlugs []string
	Path        string
	RawFront    []byte
	Derived     *Derived // see Prepare; nil has it computed in the transaction
}

// PageChange is a change of a page; nil leaves a member as it is.
type PageChange struct {
	Title, Slug, Content *string
	Frontmatter          *[]byte // points to nil to remove it
	Status               *octavo.PageStatus
	ParentID             *octavo.ID
	Position             *octavo.OptInt
	Publish, Unpublish   *octavo.OptTime
	FormerSlugs          []string // added
	Path                 *string
	RawFront             *[]byte
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

// PageQuery selects and orders pages. Zero members do not narrow.
type PageQuery struct {
	Status       octavo.PageStatus
	Slug         string
	Parent       *octavo.ID // "" selects root pages
	Tag          string
	UpdatedAfter time.Time // exclusive
	Sort         Sort
	After        *Mark // continue behind this page
	Limit        int
}

// Mark is the place of a page in an order: its sort key (title, or time in
// Unix milliseconds as decimal text; "" when the order is by id) and its id.
type Mark struct {
	Key string
	ID  octavo.ID
}

// Outcome lets Write's caller report the outcome of a request that changed
// nothing, so that its repetition gets the same answer.
func (s *Store) Outcome(ctx context.Context, c *Claim, r Response) error {
	return s.saveOutcome(ctx, c, r)
}
