package sqldb

import (
	"context"
	"errors"
	"os"
)

// copyTo has SQLite write all that the database holds into another file. In
// contrast to a copy page by page it is one read, which no writer disturbs and
// which has not to begin anew when one commits, and it leaves out free pages
// with what was deleted from them. SQLite does not flush such a file.
func (db *sqliteDB) copyTo(ctx context.Context, path string) (err error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	pool, err := openPool(db.path, 1, "cache_size(-16000)") // those that read may write nowhere
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	if _, err := pool.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return db.told(err)
	}
	return file.Sync()
}
