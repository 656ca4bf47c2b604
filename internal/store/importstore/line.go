package importstore

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Written is a page or an asset that an import has written.
type Written struct {
	ID     octavo.ID
	Path   string // of its file
	Action string
}

// Wrote records pages or an asset as written by an import, in the same transaction. It
// returns ErrLost, and nothing is written, if the lease was lost.
func (s *Imports) Wrote(tx *sqldb.Tx, x Import, list []Written) error {
	n, err := tx.Exec(`UPDATE imports SET ready_at = ready_at WHERE id = $1 AND lease = $2`, x.ID, x.Lease)
	if err != nil {
		return fmt.Errorf("look whether import %s goes on: %w", x.ID, err)
	}
	if n == 0 {
		return ErrLost
	}
	for _, w := range list {
		if _, err := tx.Exec(`INSERT INTO import_written (import_id, id, path, action) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			x.ID, w.ID, sqldb.Plain(w.Path), w.Action); err != nil {
			return fmt.Errorf("note what import %s wrote: %w", x.ID, err)
		}
	}
	return nil
}

// NoteWritten is Wrote in a separate transaction.
func (s *Imports) NoteWritten(ctx context.Context, x Import, list []Written) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error { return s.Wrote(tx, x, list) })
}

// AllWritten returns what an unfinished import has written.
func (s *Imports) AllWritten(ctx context.Context, id octavo.ID) (map[octavo.ID]Written, error) {
	written := map[octavo.ID]Written{}
	err := s.db.Slow().Query(ctx, func(row sqldb.Scanner) error {
		var w Written
		err := row.Scan(&w.ID, &w.Path, &w.Action)
		written[w.ID] = w
		return err
	}, `SELECT w.id, w.path, w.action FROM import_written w WHERE w.import_id = $1`, id)
	return written, octavo.Wrapf(err, "read what import %s wrote", id)
}

const linesAtOnce = 500

// KeepLines stores the report of an import that is about to end, each line a
// JSON object. It replaces a partial one.
func (s *Imports) KeepLines(ctx context.Context, x Import, lines [][]byte) error {
	number := 0
	keep := func(tx *sqldb.Tx, some [][]byte) error {
		if err := s.Wrote(tx, x, nil); err != nil {
			return err
		}
		for i, line := range some {
			if _, err := tx.Exec(`INSERT INTO import_lines (import_id, number, content) VALUES ($1, $2, $3)`, x.ID, number+i, string(line)); err != nil {
				return err
			}
		}
		return nil
	}
	err := s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`DELETE FROM import_lines WHERE import_id = $1 AND EXISTS (SELECT 1 FROM imports x WHERE x.id = $1 AND x.lease = $2)`, x.ID, x.Lease)
		return err
	})
	for some := range slices.Chunk(lines, linesAtOnce) {
		if err == nil {
			err = s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error { return keep(tx, some) })
		}
		number += len(some)
	}
	return octavo.Wrapf(err, "keep the report of import %s", x.ID)
}

// Line is a line of a report.
type Line struct {
	Number  int
	Content []byte // a JSON object
}

// Lines returns at most limit lines of a report, starting at number from,
// and whether more follow.
func (s *Imports) Lines(ctx context.Context, id octavo.ID, from, limit int) ([]Line, bool, error) {
	scan := func(row sqldb.Scanner) (l Line, err error) {
		var text string
		err = row.Scan(&l.Number, &text)
		l.Content = []byte(text)
		return l, err
	}
	return sqldb.CollectUpTo(ctx, s.read, "read the report of import "+string(id), limit, sqldb.Measured(ctx, scan, func(l Line) int { return len(l.Content) }),
		`SELECT l.number, l.content FROM import_lines l WHERE l.import_id = $1 AND l.number >= $2 ORDER BY l.number LIMIT $3`, id, from, limit+1)
}

// Keep is how long an import stays listed after it has ended.
const Keep = 30 * 24 * time.Hour

// Sweep removes imports that ended Keep ago.
func (s *Imports) Sweep(ctx context.Context) error {
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`DELETE FROM imports WHERE ended_at <= $1`, tx.Now().Add(-Keep).UnixMilli())
		return octavo.Wrapf(err, "remove old imports")
	})
}

// Stuck returns imports that were due longer ago than age while none was in progress.
func (s *Imports) Stuck(ctx context.Context, age time.Duration) ([]octavo.ID, error) {
	now := s.db.Now()
	list, err := sqldb.Collect(ctx, s.read, sqldb.Column[octavo.ID], `SELECT x.id FROM imports x WHERE x.ready_at <= $1
		AND NOT EXISTS (SELECT 1 FROM imports o WHERE o.lease <> 0 AND o.ready_at > $2) ORDER BY x.id`, now.Add(-age).UnixMilli(), now.UnixMilli())
	return list, octavo.Wrapf(err, "find imports that nobody works on")
}

// Numbers counts queued imports and those in progress.
func (s *Imports) Numbers(ctx context.Context) (queued, running int, err error) {
	_, err = s.read.Row(ctx, []any{&queued, &running}, `SELECT
			COALESCE(SUM(CASE WHEN x.lease = 0 THEN 1 ELSE 0 END), 0), COALESCE(SUM(CASE WHEN x.lease <> 0 THEN 1 ELSE 0 END), 0)
		FROM imports x WHERE x.ready_at IS NOT NULL`)
	return queued, running, octavo.Wrapf(err, "count imports")
}
