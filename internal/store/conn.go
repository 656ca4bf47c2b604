package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// executor is the part of database/sql that statements need.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// conn runs statements and turns the errors of the driver into those of the
// API where a caller can act on them.
type conn struct {
	db        executor
	translate func(error) error
	limit     time.Duration // of a statement and reading its rows; 0 for none
}

// bounded returns the context of a statement.
func (c conn) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, c.limit)
}

// told is err as callers are to see it.
func (c conn) told(ctx context.Context, err error) error { return late(ctx, c.translate(err)) }

// scanner reads the columns of the present row.
type scanner interface{ Scan(dest ...any) error }

// exec runs a statement and returns the number of rows that it changed.
func (c conn) exec(ctx context.Context, query string, args ...any) (int64, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	result, err := c.db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, c.told(ctx, err)
	}
	n, err := result.RowsAffected()
	return n, c.told(ctx, err)
}

// query calls scan for every row. scan must not run statements.
func (c conn) query(ctx context.Context, scan func(scanner) error, query string, args ...any) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return c.told(ctx, err)
	}
	defer rows.Close() //nolint:errcheck // Err tells it
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return c.told(ctx, rows.Err())
}

// row reads the first row into dest and reports whether there is one.
func (c conn) row(ctx context.Context, dest []any, query string, args ...any) (found bool, err error) {
	err = c.query(ctx, func(row scanner) error {
		if found {
			return nil
		}
		found = true
		return row.Scan(dest...)
	}, query, args...)
	return found, err
}

// collect returns what scan makes of every row.
func collect[T any](ctx context.Context, c conn, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	err := c.query(ctx, func(row scanner) error {
		item, err := scan(row)
		list = append(list, item)
		return err
	}, query, args...)
	return list, err
}

// column is a scan of rows that have one column.
func column[T any](row scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// cut returns at most limit items and whether there were more.
func cut[T any](list []T, limit int) ([]T, bool) {
	if len(list) > limit {
		return list[:limit], true
	}
	return list, false
}

// args gathers the arguments of a statement while its text is put together.
type args []any

// add appends an argument and returns its placeholder.
func (a *args) add(v any) string {
	*a = append(*a, v)
	return "$" + strconv.Itoa(len(*a))
}

// list appends the items and returns their placeholders for IN. The last one
// is repeated up to a power of two, so that there are few different texts to
// prepare. No items match nothing.
func list[T ~string](a *args, items []T) string {
	size := 1
	for size < len(items) {
		size *= 2
	}
	places := make([]string, size)
	for i := range places {
		item := ""
		if len(items) > 0 {
			item = string(items[min(i, len(items)-1)])
		}
		places[i] = a.add(item)
	}
	return "(" + strings.Join(places, ", ") + ")"
}

// millis is the stored form of a time; nil stands for none.
func millis(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	ms := t.UnixMilli()
	return &ms
}

// moment is the time of a stored value.
func moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// optMoment is moment for a value that may be absent.
func optMoment(ms *int64) *time.Time {
	if ms == nil {
		return nil
	}
	t := moment(*ms)
	return &t
}

// plain makes text from outside storable: PostgreSQL takes no NUL and nothing
// but UTF-8.
func plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// maxIndexed is the most bytes of one text in an index; PostgreSQL takes about
// 2,700 for a whole entry.
const maxIndexed = 1000

// indexed is plain for text of any length that must be found again by
// equality: the end of a long one is replaced by a hash.
func indexed(s string) string {
	s = plain(s)
	if len(s) <= maxIndexed {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return strings.ToValidUTF8(s[:maxIndexed-2*len(sum)], "") + hex.EncodeToString(sum[:])
}
