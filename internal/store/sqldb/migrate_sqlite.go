package sqldb

import (
	"context"
	"database/sql"
	"errors"

	"github.com/pressly/goose/v3"
)

func (db *sqliteDB) migrate(ctx context.Context) (v schemaVersion, err error) {
	unlock, err := db.lockFile(ctx)
	if err != nil {
		return v, err
	}
	defer unlock()
	m, pool, err := db.migrator()
	if err != nil {
		return v, err
	}
	v, err = migrateUp(ctx, m, pool)
	if err := errors.Join(err, pool.Close()); err != nil {
		return v, err
	}
	// A change by another connection of this process is not foreign.
	return v, db.writer.do(ctx, func(context.Context, Conn) error {
		db.writer.settle()
		return nil
	})
}

func (db *sqliteDB) schema(ctx context.Context) (v schemaVersion, err error) {
	m, pool, err := db.migrator()
	if err != nil {
		return v, err
	}
	defer pool.Close() //nolint:errcheck // it only read
	var prepared bool  // the library writes its table into a database that has none
	err = pool.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'goose_db_version')").Scan(&prepared)
	if err != nil || !prepared {
		return schemaVersion{known: knownVersion(m)}, err
	}
	return readVersion(ctx, m, pool)
}

// migrator returns a provider with its own pool, whose transactions take the
// write lock at their start.
func (db *sqliteDB) migrator() (*goose.Provider, *sql.DB, error) {
	pool, err := openPool(db.path, 1, "foreign_keys(1)")
	if err != nil {
		return nil, nil, err
	}
	m, err := newMigrator(goose.DialectSQLite3, pool, "sqlite")
	if err != nil {
		return nil, nil, errors.Join(err, pool.Close())
	}
	return m, pool, nil
}
