package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/octavo-docs/octavo"
)

// Get reads a page. If it does not exist, or the credential may not see it, the
// error is a [Problem] of kind [octavo.NotFound].
func (c *Client) Get(ctx context.Context, id octavo.ID, opts ...CallOption) (Page, error) {
	return c.page(ctx, request{method: http.MethodGet, path: pathOf("/pages", id)}, opts)
}

// GetBySlug reads a page by its present or former slug. The Slug of the returned
// page is the present one.
func (c *Client) GetBySlug(ctx context.Context, slug string, opts ...CallOption) (Page, error) {
	return c.page(ctx, request{method: http.MethodGet, path: "/pages/by-slug/" + url.PathEscape(slug)}, opts)
}

// Create creates a page, by default a draft.
func (c *Client) Create(ctx context.Context, p octavo.PageCreate, opts ...CallOption) (Page, error) {
	return c.page(ctx, request{method: http.MethodPost, path: "/pages", body: appendPageCreate(nil, p)}, opts)
}

// Patch changes the members of a page that p names.
func (c *Client) Patch(ctx context.Context, id octavo.ID, p octavo.PagePatch, opts ...CallOption) (Page, error) {
	return c.page(ctx, request{method: http.MethodPatch, path: pathOf("/pages", id), body: appendPagePatch(nil, p)}, opts)
}

// Replace sets title, slug, content and front matter of a page, and its status
// if p has one. The parent does not change.
func (c *Client) Replace(ctx context.Context, id octavo.ID, p octavo.PageCreate, opts ...CallOption) (Page, error) {
	return c.page(ctx, request{method: http.MethodPut, path: pathOf("/pages", id), body: appendPageCreate(nil, p)}, opts)
}

// Delete deletes a page. Restore restores it for 30 days. A page with children
// needs [Children].
func (c *Client) Delete(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: pathOf("/pages", id)}, opts)
}

// Restore restores a deleted page.
func (c *Client) Restore(ctx context.Context, id octavo.ID, opts ...CallOption) (Page, error) {
	return c.page(ctx, request{method: http.MethodPost, path: pathOf("/pages", id, "restore")}, opts)
}

// Revision reads one revision of a page with its content.
func (c *Client) Revision(ctx context.Context, id octavo.ID, number int64, opts ...CallOption) (octavo.Revision, error) {
	path := pathOf("/pages", id, "revisions", strconv.FormatInt(number, 10))
	return read[octavo.Revision](ctx, c, request{method: http.MethodGet, path: path}, opts)
}

// DiffRevisions compares two revisions of a page. If to is 0, the second is the
// newest one.
func (c *Client) DiffRevisions(ctx context.Context, id octavo.ID, from, to int64, opts ...CallOption) (octavo.RevisionDiff, error) {
	query := url.Values{}
	if to != 0 {
		query.Set("to", strconv.FormatInt(to, 10))
	}
	path := pathOf("/pages", id, "revisions", strconv.FormatInt(from, 10), "diff")
	return read[octavo.RevisionDiff](ctx, c, request{method: http.MethodGet, path: path, query: query}, opts)
}

// RenderDraft renders a text that is not stored.
func (c *Client) RenderDraft(ctx context.Context, draft octavo.DraftText, opts ...CallOption) (octavo.Rendered, error) {
	var r octavo.Rendered
	body, err := json.Marshal(draft)
	if err == nil {
		_, err = c.do(ctx, request{method: http.MethodPost, path: "/render", body: body, into: &r}, opts)
	}
	return r, err
}

// RestoreRevision makes a new revision with the content of an earlier one.
func (c *Client) RestoreRevision(ctx context.Context, id octavo.ID, number int64, opts ...CallOption) (Page, error) {
	path := pathOf("/pages", id, "revisions", strconv.FormatInt(number, 10), "restore")
	return c.page(ctx, request{method: http.MethodPost, path: path}, opts)
}

// appendPageCreate appends p as JSON. It does not escape markup, and keeps the
// bytes of front matter.
func appendPageCreate(dst []byte, p octavo.PageCreate) []byte {
	dst = octavo.AppendString(append(dst, `{"title":`...), p.Title)
	dst = octavo.AppendString(append(dst, `,"slug":`...), p.Slug)
	dst = octavo.AppendString(append(dst, `,"content":`...), p.Content)
	if p.Status != "" {
		dst = octavo.AppendString(append(dst, `,"status":`...), string(p.Status))
	}
	if len(p.Frontmatter) > 0 {
		dst = append(append(dst, `,"frontmatter":`...), p.Frontmatter...)
	}
	if p.Dialect != nil {
		dst = octavo.AppendString(append(dst, `,"dialect":`...), string(*p.Dialect))
	}
	if p.CallbackURL != "" {
		dst = octavo.AppendString(append(dst, `,"callbackUrl":`...), p.CallbackURL)
	}
	return append(dst, '}')
}

// appendPagePatch appends the members that p names as a JSON object.
func appendPagePatch(dst []byte, p octavo.PagePatch) []byte {
	o := objectWriter{dst: append(dst, '{')}
	if p.Title != nil {
		o.str("title", *p.Title)
	}
	if p.Content != nil {
		o.str("content", *p.Content)
	}
	if p.Status != nil {
		o.str("status", string(*p.Status))
	}
	if p.ParentID != nil {
		o.parent(*p.ParentID)
	}
	if p.Position != nil {
		o.position(p.Position.Value)
	}
	o.time("publishAt", p.Publish)
	o.time("unpublishAt", p.Unpublish)
	if p.Dialect != nil {
		o.str("dialect", string(*p.Dialect))
	}
	return append(o.dst, '}')
}

// objectWriter appends members to a JSON object.
type objectWriter struct {
	dst  []byte
	some bool
}

func (o *objectWriter) name(name string) {
	if o.some {
		o.dst = append(o.dst, ',')
	}
	o.some = true
	o.dst = append(octavo.AppendString(o.dst, name), ':')
}

func (o *objectWriter) str(name, value string) {
	o.name(name)
	o.dst = octavo.AppendString(o.dst, value)
}

func (o *objectWriter) raw(name string, value json.RawMessage) {
	o.name(name)
	o.dst = append(o.dst, value...)
}

func (o *objectWriter) parent(id octavo.ID) {
	if id == "" {
		o.raw("parentId", json.RawMessage("null"))
	} else {
		o.str("parentId", string(id))
	}
}

func (o *objectWriter) position(n *int64) {
	if n == nil {
		o.raw("position", json.RawMessage("null"))
	} else {
		o.raw("position", strconv.AppendInt(nil, *n, 10))
	}
}

func (o *objectWriter) time(name string, t *octavo.OptTime) {
	switch {
	case t == nil:
	case t.Value == nil:
		o.raw(name, json.RawMessage("null"))
	default:
		o.raw(name, octavo.AppendTime(nil, *t.Value))
	}
}
