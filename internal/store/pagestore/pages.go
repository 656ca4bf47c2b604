// Package pagestore stores pages: their state, revisions, slugs, place in the tree,
// links and tags. A mutation runs in a transaction of [sqldb.DB.Write]. It writes the
// page, a revision if its text changed and a row of the change log, all or none:
//
//	err := db.Write(ctx, cause, func(tx *sqldb.Tx) error {
//		page, err = pages.Create(tx, new)
//		return err
//	})
//
// It has the rules that must hold within a transaction: slugs are unique,
// the tree is valid, versions rise. It does not know markup: the function
// that [New] gets computes the derived data of a page. Reads take the
// [octavo.Audience] that may see their result.
//
// [Pages] reads and changes pages, [Index] reads for the search index, and
// [Selection] reads for exports. Start with create.go and read.go;
// differences between audiences are in row.go.
package pagestore

import "github.com/octavo-docs/octavo/internal/store/sqldb"

// Pages reads and changes pages. It is safe for concurrent use.
type Pages struct {
	db      *sqldb.DB
	read    sqldb.Conn
	compute func(Source) Derived
	few     int // fewPages; smaller in tests
	most    int // limits what is included: sqldb.MaxSlice, smaller in tests

	links  sqldb.Inserter
	tags   sqldb.Inserter
	labels sqldb.Inserter
	assets sqldb.Inserter
	merges sqldb.Inserter

	refs sqldb.Looks[refKey, map[refKey]Ref] // if other processes write too
}

// New returns the pages of a database. derive computes the derived data of a
// page; it runs within transactions and must be pure. nil derives nothing.
func New(db *sqldb.DB, derive func(Source) Derived) *Pages {
	if derive == nil {
		derive = func(Source) Derived { return Derived{} }
	}
	p := &Pages{
		db: db, read: db.Read(), compute: derive, few: fewPages, most: sqldb.MaxSlice,
		links:  sqldb.NewInserter("page_links", "page_id, link, rank, target_id, target_path, target_slug, label", ""),
		tags:   sqldb.NewInserter("page_tags", "tag, page_id, title, status, updated_at", " ON CONFLICT DO NOTHING"),
		labels: sqldb.NewInserter("page_labels", "label, page_id", " ON CONFLICT DO NOTHING"),
		merges: sqldb.NewInserter("revision_merges", "page_id, number, proposal_id, merged_id, merged_name", ""),
		assets: sqldb.NewInserter("page_assets", "page_id, href, target", " ON CONFLICT DO NOTHING"),
	}
	p.refs.Start(p.lookAtRefs, db.Life().Go, sqldb.SharedLooks, sqldb.ReadTimeout)
	return p
}

// Index reads pages for the search index.
type Index struct{ read sqldb.Conn }

// NewIndex returns the reads of the search index.
func NewIndex(db *sqldb.DB) *Index { return &Index{read: db.Read()} }

// Selection reads pages for exports.
type Selection struct{ db *sqldb.DB }

// NewSelection returns the reads of exports.
func NewSelection(db *sqldb.DB) *Selection { return &Selection{db: db} }
