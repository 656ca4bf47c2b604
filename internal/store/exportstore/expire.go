package exportstore

import (
	"context"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Keep is how long an export stays listed after it and its download have ended.
const Keep = 30 * 24 * time.Hour

// Blob is the location of an export's result.
type Blob struct {
	ID     octavo.ID
	Key    string
	SHA256 string // in hexadecimal
	Size   int64
}

// Expired returns at most limit exports whose download has expired and whose
// bytes still exist.
func (s *Exports) Expired(ctx context.Context, limit int) ([]Blob, error) {
	list, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (b Blob, err error) {
		err = row.Scan(&b.ID, &b.Key, &b.SHA256, &b.Size)
		return b, err
	}, `SELECT x.id, x.blob, x.sha256, x.size FROM exports x
		WHERE x.expires_at <= $1 AND x.blob <> '' AND x.ready_at IS NULL ORDER BY x.expires_at LIMIT $2`, s.db.Now().UnixMilli(), limit)
	return list, octavo.Wrapf(err, "find exports whose download has ended")
}

// ForgetBlob records that the bytes of an export are gone.
func (s *Exports) ForgetBlob(ctx context.Context, b Blob) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`UPDATE exports SET blob = '' WHERE id = $1 AND blob = $2`, b.ID, b.Key)
		return octavo.Wrapf(err, "forget the bytes of export %s", b.ID)
	})
}

// Stuck returns exports that were due longer ago than age and are not in progress.
func (s *Exports) Stuck(ctx context.Context, age time.Duration) ([]octavo.ID, error) {
	list, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], `SELECT x.id FROM exports x WHERE x.ready_at <= $1 ORDER BY x.id`, s.db.Now().Add(-age).UnixMilli())
	return list, octavo.Wrapf(err, "find exports that nobody works on")
}

// Numbers are the counts of queued exports and those in progress.
type Numbers struct{ Queued, Processing int }

// Numbers counts exports.
func (s *Exports) Numbers(ctx context.Context) (n Numbers, err error) {
	_, err = s.read.Row(ctx, []any{&n.Queued, &n.Processing}, `SELECT
			COALESCE(SUM(CASE WHEN x.lease = 0 THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN x.lease <> 0 THEN 1 ELSE 0 END), 0)
		FROM exports x WHERE x.ready_at IS NOT NULL`)
	return n, octavo.Wrapf(err, "count exports")
}

// Sweep removes exports that ended Keep ago and whose bytes are gone.
func (s *Exports) Sweep(ctx context.Context) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		cutoff := tx.Now().Add(-Keep).UnixMilli()
		_, err := tx.Exec(`DELETE FROM exports WHERE ended_at <= $1 AND expires_at <= $1 AND blob = ''`, cutoff)
		return octavo.Wrapf(err, "remove old exports")
	})
}
