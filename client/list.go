package client

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// Query selects and orders pages. Zero members select all.
type Query struct {
	Cursor       string // from the last list, which must have had the same query
	Limit        int    // pages in one response, 1 to 100; 0 for the default of the server
	Status       octavo.PageStatus
	Slug         string
	Parent       *octavo.ID // "" selects root pages
	Tag          string
	UpdatedAfter time.Time // exclusive
	Sort         string    // createdAt (default), -createdAt, -updatedAt, title
	Include      []string  // authors, assets, children, frontmatterRaw, imported
}

func (q Query) values() url.Values {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("cursor", q.Cursor)
	if q.Limit != 0 {
		set("limit", strconv.Itoa(q.Limit))
	}
	set("status", string(q.Status))
	set("slug", q.Slug)
	if q.Parent != nil {
		set("parentId", string(*q.Parent))
		if *q.Parent == "" {
			set("parentId", "root")
		}
	}
	set("tag", q.Tag)
	if !q.UpdatedAfter.IsZero() {
		set("updatedAfter", q.UpdatedAfter.UTC().Format(time.RFC3339Nano))
	}
	set("sort", q.Sort)
	set("include", strings.Join(q.Include, ","))
	return v
}

// Pagination says where a slice ends and whether another one follows.
type Pagination struct {
	Cursor  string `json:"cursor"` // "" in the last slice
	Limit   int    `json:"limit"`
	HasMore bool   `json:"hasMore"`
}

// Slice is one response of a list: some items, and where to continue.
type Slice[T any] struct {
	Data       []T        `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// List reads one slice of the pages that q selects.
func (c *Client) List(ctx context.Context, q Query, opts ...CallOption) (Slice[octavo.Page], error) {
	return list[octavo.Page](ctx, c, "/pages", q.values(), opts)
}

// All iterates over all pages that q selects, slice by slice. It ends after the
// first error. A page that is created or changed meanwhile may be among them or
// not.
func (c *Client) All(ctx context.Context, q Query, opts ...CallOption) iter.Seq2[octavo.Page, error] {
	return all[octavo.Page](ctx, c, "/pages", q.values(), opts)
}

// Revisions iterates over the revisions of a page, without their content.
func (c *Client) Revisions(ctx context.Context, id octavo.ID, opts ...CallOption) iter.Seq2[octavo.Revision, error] {
	return all[octavo.Revision](ctx, c, pathOf("/pages", id, "revisions"), url.Values{}, opts)
}

// Backlinks iterates over the links that lead to a page.
func (c *Client) Backlinks(ctx context.Context, id octavo.ID, opts ...CallOption) iter.Seq2[octavo.Backlink, error] {
	return all[octavo.Backlink](ctx, c, pathOf("/pages", id, "backlinks"), url.Values{}, opts)
}

func list[T any](ctx context.Context, c *Client, path string, query url.Values, opts []CallOption) (Slice[T], error) {
	return read[Slice[T]](ctx, c, request{method: http.MethodGet, path: path, query: query}, opts)
}

// all follows the cursors. It is an error if the server says that more follows
// and gives no cursor.
func all[T any](ctx context.Context, c *Client, path string, query url.Values, opts []CallOption) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		query := maps.Clone(query) // so that the iterator can be used again
		for {
			s, err := list[T](ctx, c, path, query, opts)
			if err != nil {
				var zero T
				yield(zero, err)
				return
			}
			for _, item := range s.Data {
				if !yield(item, nil) {
					return
				}
			}
			if !s.Pagination.HasMore {
				return
			}
			cursor := s.Pagination.Cursor
			if cursor == "" || cursor == query.Get("cursor") {
				var zero T
				yield(zero, fmt.Errorf("%s %s: the server says that more follows, but gives no cursor", http.MethodGet, path))
				return
			}
			query.Set("cursor", cursor)
		}
	}
}
