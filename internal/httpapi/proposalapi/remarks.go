package proposalapi

import (
	"context"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// ListReviews returns all reviews of a proposal.
func (o Operations) ListReviews(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	list, err := o.Service.Reviews(r.Context(), asker(r), id)
	if err != nil {
		return nil, err
	}
	body := []byte(`{"data":[`)
	for i, review := range list {
		if i > 0 {
			body = append(body, ',')
		}
		body = review.AppendJSON(body)
	}
	return rest.JSON(http.StatusOK, append(body, `]}`...)), nil
}

// created returns a new item of a list, which has no address of its own.
func created(r *rest.Request, path string, body []byte) *rest.Response {
	resp := rest.JSON(http.StatusCreated, body)
	resp.Header = map[string]string{"Location": r.Address(path)}
	return resp
}

// CreateReview adds a review.
func (o Operations) CreateReview(r *rest.Request) (*rest.Response, error) {
	id, in, err := input(r, octavo.DecodeReview)
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
	answer := func(review octavo.Review) *rest.Response {
		return rest.JSON(http.StatusCreated, review.AppendJSON(nil))
	}
	review, err := o.Service.Review(r.Context(), r.Cause(), asker(r), id, in, match, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(review), nil
}

// DismissReview ends a request for changes.
func (o Operations) DismissReview(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	review, err := r.PathID("reviewId", octavo.PrefixReview, "There is no such review.")
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.Dismiss(r.Context(), r.Cause(), asker(r), id, review))
}

func appendComment(dst []byte, c octavo.Comment) []byte { return c.AppendJSON(dst) }

// ListComments returns one page of the comments of a proposal.
func (o Operations) ListComments(r *rest.Request) (*rest.Response, error) {
	id, err := proposalPath(r)
	if err != nil {
		return nil, err
	}
	return rest.ListByID(r, r.Params(), "comments\x01"+string(id), func(ctx context.Context, after octavo.ID, limit int) ([]octavo.Comment, bool, error) {
		return o.Service.Comments(ctx, asker(r), id, after, limit)
	}, func(c octavo.Comment) octavo.ID { return c.ID }, appendComment)
}

// CreateComment adds a comment.
func (o Operations) CreateComment(r *rest.Request) (*rest.Response, error) {
	id, in, err := input(r, octavo.DecodeComment)
	if err != nil {
		return nil, err
	}
	answer := func(c octavo.Comment) *rest.Response {
		return created(r, "/proposals/"+string(id)+"/comments", c.AppendJSON(nil))
	}
	c, err := o.Service.Comment(r.Context(), r.Cause(), asker(r), id, in, kept(answer))
	if err != nil {
		return nil, err
	}
	return answer(c), nil
}

func commentPath(r *rest.Request) (proposal, comment octavo.ID, err error) {
	if proposal, err = proposalPath(r); err != nil {
		return "", "", err
	}
	comment, err = r.PathID("commentId", octavo.PrefixComment, "There is no such comment.")
	return proposal, comment, err
}

// PatchComment changes a comment.
func (o Operations) PatchComment(r *rest.Request) (*rest.Response, error) {
	proposal, comment, err := commentPath(r)
	if err != nil {
		return nil, err
	}
	in, err := body(r, octavo.DecodeCommentPatch, rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	c, err := o.Service.PatchComment(r.Context(), r.Cause(), asker(r), proposal, comment, in)
	if err != nil {
		return nil, err
	}
	return rest.JSON(http.StatusOK, c.AppendJSON(nil)), nil
}

// DeleteComment removes a comment.
func (o Operations) DeleteComment(r *rest.Request) (*rest.Response, error) {
	proposal, comment, err := commentPath(r)
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.DeleteComment(r.Context(), r.Cause(), asker(r), proposal, comment))
}

// ListNotifications returns one page of the caller's notifications.
func (o Operations) ListNotifications(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "notifications", func(ctx context.Context, before octavo.ID, limit int) ([]octavo.Notification, bool, error) {
		return o.Service.Notifications(ctx, asker(r), before, limit)
	}, func(n octavo.Notification) octavo.ID { return n.ID }, func(dst []byte, n octavo.Notification) []byte { return n.AppendJSON(dst) })
}

// PatchNotifications marks notifications as read.
func (o Operations) PatchNotifications(r *rest.Request) (*rest.Response, error) {
	until, err := body(r, octavo.DecodeReadUntil, rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.ReadUntil(r.Context(), r.Cause(), asker(r), until))
}
