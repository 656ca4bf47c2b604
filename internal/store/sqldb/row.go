package sqldb

import (
	"context"
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo"
)

// ErrEnough ends the reading of rows that are not needed any more.
var ErrEnough = errors.New("enough was read")

// Visible is the one visibility rule (decision 38): the condition under which
// the page in alias exists for the audience.
func Visible(aud octavo.Audience, alias string) string {
	if aud.PublishedOnly {
		return fmt.Sprintf("(%[1]s.deleted_at IS NULL AND %[1]s.status = 'published')", alias)
	}
	return fmt.Sprintf("%s.deleted_at IS NULL", alias)
}

// SeesProposal is the condition under which the proposal in alias exists for a subject
// (decisions 68 and 71): one that sees published pages alone has its own. What it has made
// while it saw more may name hidden ones, and is not among them.
func SeesProposal(a *Args, subject string, publishedOnly bool, alias string) string {
	own := alias + ".author_id = " + a.Add(Plain(subject))
	if publishedOnly {
		return own + " AND " + alias + ".published_only"
	}
	return "(" + alias + ".status <> 'draft' OR " + own + ")"
}

// Cursor is the place of a row in an order: its sort key (title, or time in
// Unix milliseconds as decimal text; "" when the order is by id) and its id.
type Cursor struct {
	Key string
	ID  octavo.ID
}

// IfMatch decides whether a mutation may change the page or asset at this version; nil
// permits it. When it returns false the write ends with PreconditionFailed.
type IfMatch func(id octavo.ID, version int64) bool

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

// Measured is a scan under the meter of the context, for which each row counts
// with its size.
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

// Included is what is added to pages, which may be many times what they are
// themselves. Each item counts with what it takes beside its text.
type Included struct {
	bytes, most int
	meter       func(bytes int) error
}

// MaxSlice is how much content, in bytes, a slice of a list goes on after, and the
// most that is included in pages. It keeps the answer to one request from filling
// the memory.
const MaxSlice = 8 << 20

// NewIncluded counts up to most bytes, for the meter of the context too.
func NewIncluded(ctx context.Context, most int) *Included {
	return &Included{most: most, meter: meterOf(ctx)}
}

// Add counts one item with so much text. Its error says that there is too much.
func (n *Included) Add(text int) error {
	const item = 128
	if n.bytes += item + text; n.bytes > n.most {
		return octavo.Invalid("include", "adds more than %d bytes to these pages: request fewer of them at once, or their children by parentId", n.most)
	}
	return n.meter(item + text)
}
