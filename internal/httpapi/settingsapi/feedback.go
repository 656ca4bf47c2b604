package settingsapi

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/sitestore"
)

// ListFeedback returns one page of readers' feedback.
func (o Operations) ListFeedback(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "feedback", o.Sites.Feedback, func(f octavo.Feedback) octavo.ID { return f.ID }, rest.AppendAny[octavo.Feedback])
}

// DeleteFeedback removes one feedback.
func (o Operations) DeleteFeedback(r *rest.Request) (*rest.Response, error) {
	return rest.NoContent(o.Sites.DeleteFeedback(r.Context(), r.Cause(), octavo.ID(r.PathValue("id"))))
}

// ListQueries returns one page of readers' searches.
func (o Operations) ListQueries(r *rest.Request) (*rest.Response, error) {
	return rest.List(r, r.Params(), "queries", o.Sites.Queries, sitestore.QueryCursor, rest.AppendAny[octavo.SearchedQuery])
}
