package sqldb

import (
	"context"
	"fmt"
)

// DialectSetting is the setting with the site's dialect, which new pages get.
const DialectSetting = "dialect"

// Setting returns a setting of the installation and whether it exists.
func (db *DB) Setting(ctx context.Context, name string) (value string, found bool, err error) {
	found, err = db.read.Row(ctx, []any{&value}, `SELECT value FROM settings WHERE name = $1`, name)
	if err != nil {
		return "", false, fmt.Errorf("read setting %s: %w", name, err)
	}
	return value, found, nil
}

// PutSetting stores a setting of the installation.
func (db *DB) PutSetting(ctx context.Context, name, value string) error {
	return db.Write(ctx, Cause{}, func(tx *Tx) error { return tx.SetSetting(name, value) })
}

// SetSetting stores a setting of the installation.
func (tx *Tx) SetSetting(name, value string) error {
	_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}
