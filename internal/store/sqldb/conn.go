package sqldb

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// executor is the part of database/sql that statements need.
type executor interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Conn runs statements. It translates driver errors into API errors where a
// caller can act on them.
type Conn struct {
	db        executor
	translate func(error) error
	limit     time.Duration // for a statement and reading its rows; 0 for none
}

// Within returns the connection with another time limit, 0 for none.
func (c Conn) Within(limit time.Duration) Conn {
	c.limit = limit
	return c
}

// bounded returns the context of a statement, with the time limit.
func (c Conn) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.limit == 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, c.limit)
}

// translateErr translates err for callers.
func (c Conn) translateErr(ctx context.Context, err error) error { return late(ctx, c.translate(err)) }

// Scanner reads the columns of the current row.
type Scanner interface{ Scan(dest ...any) error }

// Exec runs a statement and returns the number of rows that it changed.
func (c Conn) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	result, err := c.db.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, c.translateErr(ctx, err)
	}
	n, err := result.RowsAffected()
	return n, c.translateErr(ctx, err)
}

// Query calls scan for every row. scan must not run statements.
func (c Conn) Query(ctx context.Context, scan func(Scanner) error, query string, args ...any) error {
	ctx, cancel := c.bounded(ctx)
	defer cancel()
	rows, err := c.db.QueryContext(ctx, query, args...)
	if err != nil {
		return c.translateErr(ctx, err)
	}
	defer rows.Close() //nolint:errcheck // Err tells it
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return c.translateErr(ctx, rows.Err())
}

// Row reads the first row into dest and reports whether there is one.
func (c Conn) Row(ctx context.Context, dest []any, query string, args ...any) (found bool, err error) {
	err = c.Query(ctx, func(row Scanner) error {
		if found {
			return nil
		}
		found = true
		return row.Scan(dest...)
	}, query, args...)
	return found, err
}

// Collect returns the results of scan for all rows.
func Collect[T any](ctx context.Context, c Conn, scan func(Scanner) (T, error), query string, args ...any) ([]T, error) {
	var list []T
	err := c.Query(ctx, func(row Scanner) error {
		item, err := scan(row)
		list = append(list, item)
		return err
	}, query, args...)
	return list, err
}

// CollectUpTo is Collect for at most limit rows. It also reports whether there are
// more, so the query must allow limit+1 rows. what names the operation in errors.
func CollectUpTo[T any](ctx context.Context, c Conn, what string, limit int, scan func(Scanner) (T, error), query string, args ...any) (list []T, more bool, err error) {
	if list, err = Collect(ctx, c, scan, query, args...); err != nil {
		return nil, false, fmt.Errorf("%s: %w", what, err)
	}
	list, more = Cut(list, limit)
	return list, more, nil
}

// Column is a scan function for rows with one column.
func Column[T any](row Scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// Cut returns at most limit items and whether there were more.
func Cut[T any](list []T, limit int) ([]T, bool) {
	if len(list) > limit {
		return list[:limit], true
	}
	return list, false
}

// Args collects the arguments of a statement while its text is built.
type Args []any

// Add appends an argument and returns its placeholder.
func (a *Args) Add(v any) string {
	*a = append(*a, v)
	return "$" + strconv.Itoa(len(*a))
}

// List appends the items and returns their placeholders for IN. It repeats
// the last one up to a power of two, so that there are few different texts
// to prepare. An empty list matches nothing.
func List[T ~string](a *Args, items []T) string {
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
		places[i] = a.Add(item)
	}
	return "(" + strings.Join(places, ", ") + ")"
}
