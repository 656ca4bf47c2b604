package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/octavo-docs/octavo"
)

// Site is the settings of the site with the ETag of the state that was read.
type Site struct {
	octavo.Site
	ETag string
}

// Site reads the settings of the site.
func (c *Client) Site(ctx context.Context, opts ...CallOption) (Site, error) {
	return c.site(ctx, request{method: http.MethodGet, path: "/site"}, opts)
}

// PatchSite changes the settings of the site by a merge patch (RFC 7396). It needs
// the scope admin.
func (c *Client) PatchSite(ctx context.Context, patch octavo.Value, opts ...CallOption) (Site, error) {
	return c.site(ctx, request{method: http.MethodPatch, path: "/site", body: patch.AppendJSON(nil)}, opts)
}

func (c *Client) site(ctx context.Context, req request, opts []CallOption) (s Site, err error) {
	s.ETag, err = c.tagged(ctx, req, &s.Site, opts)
	return s, err
}

// Feedback iterates over what readers of the site said about pages, the newest first.
// It needs the scope pages:write.
func (c *Client) Feedback(ctx context.Context, opts ...CallOption) iter.Seq2[octavo.Feedback, error] {
	return all[octavo.Feedback](ctx, c, "/feedback", url.Values{}, opts)
}

// DeleteFeedback removes the feedback of one reader. It needs the scope pages:write.
func (c *Client) DeleteFeedback(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: "/feedback/" + url.PathEscape(string(id))}, opts)
}

// SearchedQueries iterates over what readers of the site searched for, those without
// results first. It needs the scope admin.
func (c *Client) SearchedQueries(ctx context.Context, opts ...CallOption) iter.Seq2[octavo.SearchedQuery, error] {
	return all[octavo.SearchedQuery](ctx, c, "/search/queries", url.Values{}, opts)
}

// Redirects iterates over the redirects, in the order of their paths. It needs the
// scope pages:write.
func (c *Client) Redirects(ctx context.Context, opts ...CallOption) iter.Seq2[octavo.Redirect, error] {
	return all[octavo.Redirect](ctx, c, "/redirects", url.Values{}, opts)
}

// SetRedirect adds a redirect, or replaces the one from the same path. It needs the
// scope pages:write, and admin for a redirect to another host.
func (c *Client) SetRedirect(ctx context.Context, r octavo.Redirect, opts ...CallOption) error {
	body := octavo.Object(octavo.Member{Name: "from", Value: octavo.String(r.From)}, octavo.Member{Name: "to", Value: octavo.String(r.To)})
	return c.act(ctx, request{method: http.MethodPost, path: "/redirects", body: body.AppendJSON(nil)}, opts)
}

// DeleteRedirect removes the redirect from a path. It needs the scope pages:write.
func (c *Client) DeleteRedirect(ctx context.Context, from string, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: "/redirects", query: url.Values{"from": {from}}}, opts)
}
