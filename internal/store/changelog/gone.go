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

// gone has, for each type, the newest position that retention removed of a
// change that a published-only credential would have received.
type gone map[octavo.EventType]int64

// publicChange is the condition under which a published-only credential gets
// the change c (decision 34). It uses a value instead of EXISTS, for which
// PostgreSQL would read all pages.
func publicChange() string {
	return `(c.kind = 'page.deleted' AND c.public OR c.kind = 'page.published' AND (
		SELECT TRUE FROM pages p WHERE p.id = c.subject AND ` + sqldb.Visible(octavo.Audience{PublishedOnly: true}, "p") + `))`
}

// Gone returns the newest removed position of the types that a
// published-only credential would have received; 0 if there is none.
func (s *Log) Gone(ctx context.Context, types []octavo.EventType) (newest int64, err error) {
	g, err := readGone(func(dest []any, query string, args ...any) (bool, error) {
		return s.src.LogReader().Row(ctx, dest, query, args...)
	})
	for _, t := range types {
		newest = max(newest, g[t])
	}
	return newest, err
}

// readGone reads gone. Until it is written, everything that was removed counts.
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

// noteGone records what is about to be removed up to a position.
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

// quiet is a part of the log without events for a published-only credential.
// Such a reader keeps its position while there is nothing new for it, and
// would search the same part each time.
type quiet struct{ from, to int64 }

// skipQuiet returns the position after which to search for what is after after.
func (s *Log) skipQuiet(after int64) int64 {
	if q := s.quiet.Load(); q != nil && q.from <= after && after < q.to {
		return q.to
	}
	return after
}

// noteQuiet records that there is nothing between two positions.
func (s *Log) noteQuiet(from, to int64) {
	if q := s.quiet.Load(); q != nil && q.from <= from && from <= q.to {
		from = q.from
	}
	s.quiet.Store(&quiet{from, to})
}
