// Package store opens the database of an installation and gives its parts. It is
// what package app and backup import; everything else takes the parts it needs:
//
//	sqldb       connections, transactions, migrations; every write begins there
//	changelog   what happened, in order
//	pagestore   pages, their revisions, slugs, links and tree
//	assetstore  assets, and which bytes are in use
//	exportstore export jobs
//	importstore import jobs
//	hookstore   webhooks and deliveries
//	proposalstore  proposals, with their reviews and comments
//	sitestore   how the site for readers looks, and its redirects
//	accounts    people, clients, keys and secrets; a package beside this one
//
// A write is one transaction in which state, revision and change are kept or none
// of them:
//
//	err := st.DB.Write(ctx, cause, func(tx *sqldb.Tx) error {
//		page, err = st.Pages.Create(tx, new)
//		return err
//	})
//
// When Write returns nil the change has reached the disk. What follows from it
// reads the change log.
//
// Here is also what spans all parts: [Store.Sweep] removes what is kept for a time,
// [Store.Stats] counts, and [Store.Restored] is for a database that was brought
// back. Package storecheck looks for contradictions.
package store

import (
	"context"
	"log/slog"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sitestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Cause says who asked for a mutation, for those who open a store.
type Cause = sqldb.Cause

// ReviewOverridden is for a Cause, see [sqldb.Cause].
const ReviewOverridden = sqldb.ReviewOverridden

// Stamp names a state of what is stored, see [sqldb.Stamps.All].
type Stamp = sqldb.Stamp

// Looks let those who ask at the same time share one look, see [sqldb.Looks].
type Looks[K comparable, V any] = sqldb.Looks[K, V]

// What opening fails with, beside errors of the database.
var (
	ErrOlder = sqldb.ErrOlder
	ErrEmpty = sqldb.ErrEmpty
)

// Options are what a store is given from outside. Those of the database are
// described in [sqldb.Options].
type Options struct {
	Now    func() time.Time
	IDs    *octavo.IDSource
	Logger *slog.Logger
	Trace  *tracing.Tracer

	Connections int
	Throwaway   bool
	NoMigrate   bool
	Serving     bool
	Committed   func(writes int, took time.Duration)

	// Derive computes what a page's text says about it, see [pagestore.New].
	Derive func(pagestore.Source) pagestore.Derived
	// KeepChanges is how long Sweep leaves changes to be read; 0 stands for
	// [changelog.DefaultKeepChanges].
	KeepChanges time.Duration
}

func (o Options) database() sqldb.Options {
	return sqldb.Options{
		Now: o.Now, IDs: o.IDs, Logger: o.Logger, Trace: o.Trace,
		Connections: o.Connections, Throwaway: o.Throwaway, NoMigrate: o.NoMigrate, Serving: o.Serving, Committed: o.Committed,
	}
}

// Store is the whole lasting state of an installation but for the bytes of
// assets, by parts. It is safe for concurrent use. [OpenSQLite] and [OpenPostgres]
// make one; Close ends it.
type Store struct {
	DB        *sqldb.DB
	Stamps    *sqldb.Stamps
	Log       *changelog.Log
	Accounts  *accounts.Accounts
	Pages     *pagestore.Pages
	Index     *pagestore.Index
	Selection *pagestore.Selection
	Assets    *assetstore.Assets
	Hooks     *hookstore.Hooks
	Exports   *exportstore.Exports
	Imports   *importstore.Imports
	Sites     *sitestore.Sites
	Proposals *proposalstore.Proposals
	Mails     *proposalstore.Mails // of notifications
}

// OpenSQLite opens the database file at path and brings its schema up to date.
// The folder must exist; the file is created when missing.
func OpenSQLite(ctx context.Context, path string, o Options) (*Store, error) {
	db, err := sqldb.OpenSQLite(ctx, path, o.database())
	if err != nil {
		return nil, err
	}
	return newStore(db, o), nil
}

// OpenPostgres opens the database at url, which is a PostgreSQL connection
// string, and brings its schema up to date.
func OpenPostgres(ctx context.Context, url string, o Options) (*Store, error) {
	db, err := sqldb.OpenPostgres(ctx, url, o.database())
	if err != nil {
		return nil, err
	}
	return newStore(db, o), nil
}

func newStore(db *sqldb.DB, o Options) *Store {
	log := changelog.New(db, o.KeepChanges)
	hooks := hookstore.New(db, log)
	return &Store{
		DB: db, Stamps: db.Stamps(), Log: log, Accounts: accounts.New(db),
		Pages: pagestore.New(db, o.Derive), Index: pagestore.NewIndex(db), Selection: pagestore.NewSelection(db),
		Assets: assetstore.New(db), Hooks: hooks, Exports: exportstore.New(db, hooks), Imports: importstore.New(db),
		Sites: sitestore.New(db), Proposals: proposalstore.New(db), Mails: proposalstore.NewMails(db),
	}
}

// Close ends the followers, waits for them and for running writes, and closes
// the database. Nothing may use the store afterwards.
func (s *Store) Close() error { return s.DB.Close() }
