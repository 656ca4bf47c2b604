package proposalapi

import (
	"context"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// ListReviews returns all reviews of a proposal.
func (o Operations) ListReviews(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	list, err := o.Service.Reviews(r.Context(), asker(r), id)
	if err != nil {
		return nil, err
	}
	return rest.Whole(http.StatusOK, list, rest.AppendJSON), nil
}

// CreateReview adds a review.
func (o Operations) CreateReview(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	in, err := rest.Decode(r, octavo.DecodeReview)
	if err != nil {
		return nil, err
	}
	if in.Verdict != octavo.VerdictComment && !r.Principal.Scopes.Allow(octavo.ScopeWrite) {
		return nil, r.Lacks(octavo.ScopeWrite, "Approving and requesting changes needs the scope %s.")
	}
	match, err := r.WriteCondition()
	if err != nil {
		return nil, err
	}
	answer := rest.Answer[octavo.Review](func(review octavo.Review) *rest.Response {
		return rest.JSON(http.StatusCreated, review.AppendJSON(nil))
	})
	return answer.To(o.Service.Review(r.Context(), r.Cause(), asker(r), id, in, match, answer.Keep))
}

// ReviewID returns the identifiers of the review in the path.
func ReviewID(r *rest.Request) (Within, error) {
	return within(r, "reviewId", octavo.PrefixReview, "There is no such review.")
}

// DismissReview ends a request for changes.
func (o Operations) DismissReview(r *rest.Request, of Within) (*rest.Response, error) {
	return rest.NoContent(o.Service.Dismiss(r.Context(), r.Cause(), asker(r), of.Proposal, of.ID))
}

// ListComments returns one page of the comments of a proposal.
func (o Operations) ListComments(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "comments\x01"+string(id), func(ctx context.Context, after octavo.ID, limit int) ([]octavo.Comment, bool, error) {
		return o.Service.Comments(ctx, asker(r), id, after, limit)
	}, func(c octavo.Comment) octavo.ID { return c.ID }, rest.AppendJSON)
}

// CreateComment adds a comment.
func (o Operations) CreateComment(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	in, err := rest.Decode(r, octavo.DecodeComment)
	if err != nil {
		return nil, err
	}
	answer := rest.Answer[octavo.Comment](func(c octavo.Comment) *rest.Response {
		resp := rest.JSON(http.StatusCreated, c.AppendJSON(nil))
		resp.Header = map[string]string{"Location": r.Address("/proposals/" + string(id) + "/comments")} // it has no address of its own
		return resp
	})
	return answer.To(o.Service.Comment(r.Context(), r.Cause(), asker(r), id, in, answer.Keep))
}

// CommentID returns the identifiers of the comment in the path.
func CommentID(r *rest.Request) (Within, error) {
	return within(r, "commentId", octavo.PrefixComment, "There is no such comment.")
}

// PatchComment changes a comment.
func (o Operations) PatchComment(r *rest.Request, of Within) (*rest.Response, error) {
	in, err := rest.Decode(r, octavo.DecodeCommentPatch, rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	return rest.OK(rest.AppendJSON[octavo.Comment]).To(o.Service.PatchComment(r.Context(), r.Cause(), asker(r), of.Proposal, of.ID, in))
}

// DeleteComment removes a comment.
func (o Operations) DeleteComment(r *rest.Request, of Within) (*rest.Response, error) {
	return rest.NoContent(o.Service.DeleteComment(r.Context(), r.Cause(), asker(r), of.Proposal, of.ID))
}

// ListNotifications returns one page of the caller's notifications.
func (o Operations) ListNotifications(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "notifications", func(ctx context.Context, before octavo.ID, limit int) ([]octavo.Notification, bool, error) {
		return o.Service.Notifications(ctx, asker(r), before, limit)
	}, func(n octavo.Notification) octavo.ID { return n.ID }, rest.AppendJSON)
}

// PatchNotifications marks notifications as read.
func (o Operations) PatchNotifications(r *rest.Request) (*rest.Response, error) {
	until, err := rest.Decode(r, octavo.DecodeReadUntil, rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.ReadUntil(r.Context(), r.Cause(), asker(r), until))
}
