package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// Migrations are numbered files, one folder per database, each applied in a
// transaction of its own. They only ever go forward; a file that was released
// is never edited.
//
//go:embed migrations/sqlite/*.sql migrations/postgres/*.sql
var migrations embed.FS

// Migrate brings the schema up to date. Opening a store does so already.
// Several processes may do it at once. A schema that is newer than this
// program is an error.
func (s *Store) Migrate(ctx context.Context) error { return s.db.migrate(ctx) }

// SchemaVersion returns the number of the last migration that the database
// has, and of the last one that this program knows.
func (s *Store) SchemaVersion(ctx context.Context) (have, known int64, err error) {
	return s.db.schema(ctx)
}

func newMigrator(dialect goose.Dialect, db *sql.DB, folder string, options ...goose.ProviderOption) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/"+folder)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, db, files, append(options, goose.WithDisableGlobalRegistry(true))...)
}

func migrateUp(ctx context.Context, m *goose.Provider) error {
	have, err := m.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the schema version: %w", err)
	}
	known := knownVersion(m)
	if have > known {
		return fmt.Errorf("the database has schema version %d, but this program knows only up to %d: use a newer octavo", have, known)
	}
	if have == known {
		return nil
	}
	if _, err := m.Up(ctx); err != nil {
		return fmt.Errorf("migrate from schema version %d: %w", have, err)
	}
	return nil
}

func knownVersion(m *goose.Provider) int64 {
	sources := m.ListSources()
	return sources[len(sources)-1].Version
}
