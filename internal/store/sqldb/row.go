package sqldb

import (
	"context"
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
)

// ErrEnough ends the reading of rows early.
var ErrEnough = errors.New("enough was read")

// Visible is the only visibility rule (decision 38): the condition under
// which the page in alias exists for the audience.
func Visible(aud octavo.Audience, alias string) string {
	if aud.PublishedOnly {
		return fmt.Sprintf("(%[1]s.deleted_at IS NULL AND %[1]s.status = 'published')", alias)
	}
	return fmt.Sprintf("%s.deleted_at IS NULL", alias)
}

// SeesProposal is the condition under which the subject sees the proposal in alias
// (decisions 68 and 71). A published-only subject sees only its own. Proposals that it
// made while it saw more may name hidden pages, and are excluded.
func SeesProposal(a *Args, subject string, publishedOnly bool, alias string) string {
	own := alias + ".author_id = " + a.Add(Plain(subject))
	if publishedOnly {
		return own + " AND " + alias + ".published_only"
	}
	return "(" + alias + ".status <> 'draft' OR " + own + ")"
}

// Cursor is the position of a row in an order: its sort key (title, or time in
// Unix milliseconds as decimal text; "" for order by id) and its id.
type Cursor struct {
	Key string
	ID  octavo.ID
}

// IfMatch decides whether a mutation may change the page or asset at this version; nil
// permits it. If it returns false, the write ends with PreconditionFailed.
type IfMatch func(id octavo.ID, version int64) bool

// meterKey is the context key of a meter.
type meterKey struct{}

// MeterRows makes reads with the context call add with the bytes of text of
// each page, asset, revision, backlink and export in lists, and of what is
// included in pages. An error of add ends the reading and is returned. add
// must not block, because it holds a database connection.
func MeterRows(ctx context.Context, add func(bytes int) error) context.Context {
	return context.WithValue(ctx, meterKey{}, add)
}

// meterOf returns the meter of the context, or one that does nothing.
func meterOf(ctx context.Context) func(bytes int) error {
	if add, ok := ctx.Value(meterKey{}).(func(int) error); ok {
		return add
	}
	return func(int) error { return nil }
}

// Measured wraps scan with the meter of the context. Each row counts with its size.
func Measured[T any](ctx context.Context, scan func(Scanner) (T, error), size func(T) int) func(Scanner) (T, error) {
	add := meterOf(ctx)
	return func(row Scanner) (T, error) {
		v, err := scan(row)
		if err == nil {
			err = add(size(v))
		}
		return v, err
	}
}

// Included is the data added to pages, which may be many times the pages
// themselves. Each item counts with its overhead beside its text.
type Included struct {
	bytes, most int
	meter       func(bytes int) error
}

// MaxSlice is how much content, in bytes, ends a page of a list, and the
// maximum that is included in pages. It limits the memory of one response.
const MaxSlice = 8 << 20

// NewIncluded counts up to most bytes, also for the meter of the context.
func NewIncluded(ctx context.Context, most int) *Included {
	return &Included{most: most, meter: meterOf(ctx)}
}

// Add counts one item with text bytes. It returns an error if there is too much.
func (n *Included) Add(text int) error {
	const item = 128
	if n.bytes += item + text; n.bytes > n.most {
		return octavo.Invalid("include", "adds more than %d bytes to these pages: request fewer of them at once, or their children by parentId", n.most)
	}
	return n.meter(item + text)
}
