package sqldb

import (
	"context"
	"errors"
	"fmt"
)

// ErrOlder is returned for a database with an older schema that must not be changed.
var ErrOlder = errors.New("the schema of the database is older than this program")

// ErrEmpty is returned for a database without a schema that must not be changed.
var ErrEmpty = errors.New("the database contains nothing of octavo: name the right one, restore a backup if its data was lost, or run octavo migrate to create a new installation")

var errUnversioned = errors.New("the tables of octavo exist, but goose_db_version, which records the version of their schema, is missing or empty: restore that table from a copy of the same version of octavo or, if more was lost, the newest backup in which doctor found nothing")

// checkVersioned refuses a database whose table of migrations is missing or
// empty, since it would be created again. It reads the tables after their
// versions, so that a concurrent migration does not mislead it.
func (db *DB) checkVersioned(ctx context.Context) error {
	made := `SELECT COUNT(*) = 2 FROM sqlite_master m WHERE m.name IN ('revisions', 'change_retention')`
	kept := `SELECT COUNT(*) = 1 FROM sqlite_master m WHERE m.name = 'goose_db_version'`
	if db.Shared() {
		made = `SELECT to_regclass('revisions') IS NOT NULL AND to_regclass('change_retention') IS NOT NULL`
		kept = `SELECT to_regclass('goose_db_version') IS NOT NULL`
	}
	var there bool
	if _, err := db.read.Row(ctx, []any{&there}, made); err != nil {
		return fmt.Errorf("look what the database holds: %w", err)
	}
	if !there {
		return nil
	}
	for _, query := range []string{kept, `SELECT COUNT(*) > 0 FROM goose_db_version g WHERE g.version_id > 0`} {
		if _, err := db.read.Row(ctx, []any{&there}, query); err != nil {
			return fmt.Errorf("look how far the schema is: %w", err)
		}
		if !there {
			return errUnversioned
		}
	}
	return nil
}

// prepare ensures that this program can work on the schema.
func (db *DB) prepare(ctx context.Context) error {
	look := db.driver.migrate
	if db.opts.NoMigrate {
		look = db.driver.schema
	}
	if err := db.checkVersioned(ctx); err != nil {
		return err
	}
	v, err := look(ctx)
	switch {
	case err != nil:
		return err
	case v.have == 0:
		return ErrEmpty
	case v.have < v.known:
		return fmt.Errorf("%w: it has version %d and this program needs %d: run octavo migrate, or use the program that serves the data", ErrOlder, v.have, v.known)
	}
	if err := v.check(); err != nil {
		return err
	}
	if v.have > v.known {
		db.opts.Logger.WarnContext(ctx, "the schema is from a newer octavo, and this one can still use it", "schema", v.have, "known", v.known)
	}
	return nil
}
