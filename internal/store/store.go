// Package store opens the database of an installation and returns its parts. Only
// packages such as app and backup import it; all others take the parts they need:
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
// A write is one transaction that stores state, revision and change, or none of them:
//
//	err := st.DB.Write(ctx, cause, func(tx *sqldb.Tx) error {
//		page, err = st.Pages.Create(tx, new)
//		return err
//	})
//
// When Write returns nil, the change is on the disk. Whatever follows from
// it reads the change log.
//
// This package also has what spans all parts: [Store.Sweep] enforces retention,
// [Store.Stats] counts, and [Store.Restored] prepares a restored database. Package
// storecheck looks for inconsistencies. Start with [Store].
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

// Cause says who requested a mutation, for callers that open a store.
type Cause = sqldb.Cause

// ReviewOverridden is for a Cause, see [sqldb.Cause].
const ReviewOverridden = sqldb.ReviewOverridden

// Stamp identifies a state of the stored data, see [sqldb.Stamps.All].
type Stamp = sqldb.Stamp

// Looks let concurrent callers share one look, see [sqldb.Looks].
type Looks[K comparable, V any] = sqldb.Looks[K, V]

// Errors of opening, beside those of the database.
var (
	ErrOlder = sqldb.ErrOlder
	ErrEmpty = sqldb.ErrEmpty
)

// Options configure a store. Those of the database are described in [sqldb.Options].
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

	// Derive computes the derived data of a page, see [pagestore.New].
	Derive func(pagestore.Source) pagestore.Derived
	// KeepChanges is the retention of changes; 0 means [changelog.DefaultKeepChanges].
	KeepChanges time.Duration
}

func (o Options) database() sqldb.Options {
	return sqldb.Options{
		Now: o.Now, IDs: o.IDs, Logger: o.Logger, Trace: o.Trace,
		Connections: o.Connections, Throwaway: o.Throwaway, NoMigrate: o.NoMigrate, Serving: o.Serving, Committed: o.Committed,
	}
}

// Store is the whole persistent state of an installation, except the bytes of assets,
// by parts. It is safe for concurrent use. [OpenSQLite] and [OpenPostgres] open one.
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

// OpenSQLite opens the database file at path and brings its schema up to
// date. The folder must exist; a missing file is created.
func OpenSQLite(ctx context.Context, path string, o Options) (*Store, error) {
	db, err := sqldb.OpenSQLite(ctx, path, o.database())
	if err != nil {
		return nil, err
	}
	return newStore(db, o), nil
}

// OpenPostgres opens the database at url, a PostgreSQL connection string,
// and brings its schema up to date.
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

// Close stops the followers, waits for them and for running writes, and
// closes the database. It must not be used afterwards.
func (s *Store) Close() error { return s.DB.Close() }
