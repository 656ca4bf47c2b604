package store

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Quotas returns the quotas that all processes on the database share. It is
// nil on SQLite, where the one process counts by itself.
func (s *Store) Quotas() quota.Source {
	if s.DB.Shared() {
		return sharedQuotas{s.DB}
	}
	return nil
}

// Clock returns the time of the clock that all processes on the database
// share; on SQLite that of the options.
func (s *Store) Clock(ctx context.Context) (time.Time, error) {
	if !s.DB.Shared() {
		return s.DB.Now(), nil
	}
	var at int64
	if _, err := s.DB.Read().Row(ctx, []any{&at}, `SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::bigint`); err != nil {
		return time.Time{}, fmt.Errorf("ask the database for the time: %w", err)
	}
	return time.UnixMicro(at), nil
}

// sharedQuotas lends quota from the table of quotas.
type sharedQuotas struct{ db *sqldb.DB }

// serverNow is the start of the statement in whole Unix milliseconds, by the
// clock that all processes share.
const serverNow = `FLOOR(EXTRACT(EPOCH FROM statement_timestamp()) * 1000)::bigint`

// Which part of a row belongs to the present window, and how much more is lent: at most
// $3, and at most an eighth of what is left of the limit $2. A window that ends later
// than a new one would that begins in a minute is from a clock that has been set back,
// and counts as over. The minute is for statements that waited for the row: for them,
// by their start time, the present window is in the future.
const (
	windowRuns = `q.ends > ` + serverNow + ` AND q.ends <= ` + serverNow + ` + $4 + 60000`

	usedNow = `q.used * (` + windowRuns + `)::int`
	lentNow = `LEAST($3::bigint, GREATEST(0, ($2::bigint - ` + usedNow + ` + 7) / 8))`
	lentNew = `LEAST($3::bigint, ($2::bigint + 7) / 8)`
)

// leaseStatement lends some of the quota of $1, whose window lasts $4
// milliseconds. The row lock orders concurrent leases. Each sees what was
// lent before, so that the sum of leases never exceeds the limit.
const leaseStatement = `INSERT INTO quotas AS q (key, ends, used, granted)
	VALUES ($1, ` + serverNow + ` + $4, ` + lentNew + `, ` + lentNew + `)
	ON CONFLICT (key) DO UPDATE SET used = ` + usedNow + ` + ` + lentNow + `, granted = ` + lentNow + `,
		ends = CASE WHEN ` + windowRuns + ` THEN q.ends ELSE excluded.ends END
	RETURNING ends, granted, GREATEST(0, $2::bigint - used), ends - ` + serverNow

// LeaseQuota implements quota.Source.
func (q sharedQuotas) LeaseQuota(ctx context.Context, key string, limit, want int, window time.Duration) (quota.Lease, error) {
	var l quota.Lease
	var left int64
	found, err := q.db.Read().Row(ctx, []any{&l.Window, &l.Granted, &l.Left, &left}, leaseStatement,
		sqldb.Plain(key), limit, want, window.Milliseconds())
	if err != nil {
		return quota.Lease{}, fmt.Errorf("lease a quota: %w", err)
	}
	if !found {
		return quota.Lease{}, fmt.Errorf("lease a quota: the statement returned no row")
	}
	l.Ends = time.Duration(left-1) * time.Millisecond // a part of one has passed
	return l, nil
}

// sweep removes ended windows.
func (q sharedQuotas) sweep(ctx context.Context) error {
	if _, err := q.db.Read().Exec(ctx, `DELETE FROM quotas WHERE ends <= `+serverNow); err != nil {
		return fmt.Errorf("remove quotas of the past: %w", err)
	}
	return nil
}

// sweepQuotas removes ended windows if processes share them.
func (s *Store) sweepQuotas(ctx context.Context) error {
	if !s.DB.Shared() {
		return nil
	}
	return sharedQuotas{s.DB}.sweep(ctx)
}
