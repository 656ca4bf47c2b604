package store

import (
	"context"

	"github.com/octavo-docs/octavo"
)

// meterKey is the key of a meter in a context.
type meterKey struct{}

// MeterRows has add called with the bytes of text of each page, asset, revision,
// backlink and export that is listed with the context, as it is read, and of what
// is included in pages.
// Its error ends the reading, and is that of the caller then. It must not wait:
// a connection to the database waits too.
func MeterRows(ctx context.Context, add func(bytes int) error) context.Context {
	return context.WithValue(ctx, meterKey{}, add)
}

// meterOf returns the meter of the context, one that adds nothing if it has
// none.
func meterOf(ctx context.Context) func(bytes int) error {
	if add, ok := ctx.Value(meterKey{}).(func(int) error); ok {
		return add
	}
	return func(int) error { return nil }
}

// measured is a scan under the meter of the context, for which each row counts
// with its size.
func measured[T any](ctx context.Context, scan func(scanner) (T, error), size func(T) int) func(scanner) (T, error) {
	add := meterOf(ctx)
	return func(row scanner) (T, error) {
		v, err := scan(row)
		if err == nil {
			err = add(size(v))
		}
		return v, err
	}
}

// metered is scanPage under the meter of the context.
func metered(ctx context.Context) func(scanner) (octavo.Page, error) {
	return measured(ctx, func(row scanner) (octavo.Page, error) { return scanPage(row) }, func(p octavo.Page) int {
		return len(p.Content) + len(p.Links) + len(p.Frontmatter)
	})
}

// meteredAsset is scanAsset under the meter of the context.
func meteredAsset(ctx context.Context) func(scanner) (octavo.Asset, error) {
	return measured(ctx, func(row scanner) (octavo.Asset, error) { return scanAsset(row) }, func(a octavo.Asset) int {
		return len(a.Metadata.AppendJSON(nil))
	})
}

// included is what is added to pages, which may be many times what they are
// themselves. Each item counts with what it takes beside its text.
type included struct {
	bytes, most int
	meter       func(bytes int) error
}

// included counts for the meter of the context too.
func (s *Store) included(ctx context.Context) *included {
	return &included{most: s.most, meter: meterOf(ctx)}
}

func (n *included) add(text int) error {
	const item = 128
	if n.bytes += item + text; n.bytes > n.most {
		return octavo.Invalid("include", "adds more than %d bytes to these pages: ask for fewer of them at once, or for their children by parentId", n.most)
	}
	return n.meter(item + text)
}
