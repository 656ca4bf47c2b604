package eventapi

import (
	"context"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// ListActivity returns one page of the activity, newest first. A published-only
// credential gets the same as from the feed, without the actors.
func (o Operations) ListActivity(r *rest.Request) (*rest.Response, error) {
	public := r.Principal.Audience().PublishedOnly
	return rest.List(r, r.Params(), "activity", func(ctx context.Context, before *sqldb.Cursor, limit int) ([]changelog.Change, bool, error) {
		return o.Feed.Activity(ctx, public, before, limit)
	}, func(c changelog.Change) sqldb.Cursor {
		return sqldb.Cursor{Key: strconv.FormatInt(c.Position, 10)}
	}, func(dst []byte, c changelog.Change) []byte {
		dst = octavo.AppendString(append(dst, `{"id":`...), string(c.EventID))
		dst = octavo.AppendString(append(dst, `,"type":`...), string(c.Kind))
		dst = octavo.AppendTime(append(dst, `,"createdAt":`...), c.Time)
		if !public && c.Actor.ID != "" {
			dst = append(append(dst, `,"actor":`...), rest.EncodeJSON(c.Actor)...)
		}
		member := `,"pageId":`
		if c.Page.Is(octavo.PrefixProposal) {
			member = `,"proposalId":`
		}
		return append(octavo.AppendString(append(dst, member...), string(c.Page)), '}')
	})
}
