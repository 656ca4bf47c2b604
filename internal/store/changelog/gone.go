package changelog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// goneSetting holds gone.
const goneSetting = "feed.gone"

// gone is, by type, the newest position that was removed for its age of a change
// that a published-only credential would have been told.
type gone map[octavo.EventType]int64

// publicChange is the condition under which a published-only credential is told of
// the change c (decision 34). It has a value and not EXISTS, for which PostgreSQL
// would read all pages.
func publicChange() string {
	return `(c.kind = 'page.deleted' AND c.public OR c.kind = 'page.published' AND (
		SELECT TRUE FROM pages p WHERE p.id = c.subject AND ` + sqldb.Visible(octavo.Audience{PublishedOnly: true}, "p") + `))`
}

// Gone returns the newest position of the types that was removed and that a
// published-only credential would have been told; 0 where there is none.
func (s *Log) Gone(ctx context.Context, types []octavo.EventType) (newest int64, err error) {
	g, err := readGone(func(dest []any, query string, args ...any) (bool, error) {
		return s.src.LogReader().Row(ctx, dest, query, args...)
	})
	for _, t := range types {
		newest = max(newest, g[t])
	}
	return newest, err
}

// readGone reads gone. Until it is written, all that was removed counts.
func readGone(row func(dest []any, query string, args ...any) (bool, error)) (g gone, err error) {
	var removed int64
	var text *string
	_, err = row([]any{&removed, &text}, `SELECT removed, (SELECT value FROM settings WHERE name = $1) FROM change_retention`, goneSetting)
	g = gone{octavo.PagePublished: removed, octavo.PageDeleted: removed}
	if err == nil && text != nil {
		err = json.Unmarshal([]byte(*text), &g)
	}
	if err != nil {
		return nil, fmt.Errorf("read what is gone of the feed: %w", err)
	}
	return g, nil
}

// noteGone notes what is about to be removed up to a position.
func (s *Log) noteGone(tx *sqldb.Tx, to int64) error {
	g, err := readGone(tx.Row)
	if err != nil {
		return err
	}
	position := "c." + s.src.position()
	err = tx.Query(func(row sqldb.Scanner) error {
		var kind octavo.EventType
		var newest int64
		err := row.Scan(&kind, &newest)
		g[kind] = max(g[kind], newest)
		return err
	}, `SELECT c.kind, MAX(`+position+`) FROM changes c WHERE `+position+` <= $1 AND `+publicChange()+` GROUP BY c.kind`, to)
	if err != nil {
		return err
	}
	text, err := json.Marshal(g)
	if err == nil {
		err = tx.SetSetting(goneSetting, string(text))
	}
	return err
}

// quiet is a part of the log that has nothing for a published-only credential: such
// a one keeps its position while there is nothing new for it, and would look
// through the same part each time.
type quiet struct{ from, to int64 }

// skipQuiet returns the position to look behind for what is behind after.
func (s *Log) skipQuiet(after int64) int64 {
	if q := s.quiet.Load(); q != nil && q.from <= after && after < q.to {
		return q.to
	}
	return after
}

// noteQuiet notes that there is nothing from one position to another.
func (s *Log) noteQuiet(from, to int64) {
	if q := s.quiet.Load(); q != nil && q.from <= from && from <= q.to {
		from = q.from
	}
	s.quiet.Store(&quiet{from, to})
}
