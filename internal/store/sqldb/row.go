package sqldb

import (
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

// Mark is the place of a row in an order: its sort key (title, or time in
// Unix milliseconds as decimal text; "" when the order is by id) and its id.
type Mark struct {
	Key string
	ID  octavo.ID
}

// IfMatch decides whether a mutation may change the page or asset at this version; nil
// permits it. When it returns false the write ends with PreconditionFailed.
type IfMatch func(id octavo.ID, version int64) bool
