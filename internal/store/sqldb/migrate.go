package sqldb

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Migrations are numbered files, one folder for each database. Each is applied in its
// own transaction. They only go forward; a released file is never edited.
//
//go:embed migrations/sqlite/*.sql migrations/postgres/*.sql
var migrations embed.FS

// Migrate brings the schema up to date, as opening a database does. Several
// processes may call it at once. A newer schema is left unchanged; it is an
// error if the program cannot work on it.
func (db *DB) Migrate(ctx context.Context) error {
	v, err := db.driver.migrate(ctx)
	if err != nil {
		return err
	}
	return v.check()
}

// SchemaVersion returns the numbers of the last migration of the database,
// and of the last one that this program knows.
func (db *DB) SchemaVersion(ctx context.Context) (have, known int64, err error) {
	v, err := db.driver.schema(ctx)
	return v.have, v.known, err
}

// schemaVersion has the numbers of migrations.
type schemaVersion struct {
	have  int64 // the last one of the database
	known int64 // the last one of the program
	floor int64 // the oldest that programs must know; 0 unless have is more than known
}

// check refuses a schema that is too new for this program.
func (v schemaVersion) check() error {
	if v.have > v.known && v.floor > v.known {
		return fmt.Errorf("the database has schema version %d, which programs can work on that know version %d; this one knows only up to %d: use a newer octavo", v.have, v.floor, v.known)
	}
	return nil
}

func newMigrator(dialect goose.Dialect, db *sql.DB, folder string, options ...goose.ProviderOption) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/"+folder)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, db, files, append(options, goose.WithDisableGlobalRegistry(true))...)
}

func migrateUp(ctx context.Context, m *goose.Provider, db *sql.DB) (schemaVersion, error) {
	v, err := readVersion(ctx, m, db)
	if err != nil || v.have >= v.known {
		return v, err
	}
	if _, err := m.Up(ctx); err != nil {
		return v, fmt.Errorf("migrate from schema version %d: %w", v.have, err)
	}
	v.have = v.known
	return v, nil
}

func readVersion(ctx context.Context, m *goose.Provider, db *sql.DB) (v schemaVersion, err error) {
	v.known = knownVersion(m)
	if v.have, err = m.GetDBVersion(ctx); err == nil && v.have > v.known {
		err = db.QueryRowContext(ctx, "SELECT f.version FROM schema_floor f").Scan(&v.floor)
	}
	if err != nil {
		return v, fmt.Errorf("read the schema version: %w", err)
	}
	return v, nil
}

func knownVersion(m *goose.Provider) int64 {
	sources := m.ListSources()
	return sources[len(sources)-1].Version
}
