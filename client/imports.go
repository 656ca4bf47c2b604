package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"

	"github.com/octavo-docs/octavo"
)

// CreateImport makes the server import a zip, whose name counts too. Start with
// [octavo.DefaultImportOptions] for o.
func (c *Client) CreateImport(ctx context.Context, content io.ReadSeeker, name string, o octavo.ImportOptions, opts ...CallOption) (octavo.Import, error) {
	options, err := json.Marshal(o)
	if err != nil {
		return octavo.Import{}, fmt.Errorf("encode the options of an import: %w", err)
	}
	req, err := c.form(Upload{Content: content, Name: name, ContentType: "application/zip", options: options}, "/imports")
	if err != nil {
		return octavo.Import{}, err
	}
	return c.importJob(ctx, req, opts)
}

// Import reads an import.
func (c *Client) Import(ctx context.Context, id octavo.ID, opts ...CallOption) (octavo.Import, error) {
	return c.importJob(ctx, request{method: http.MethodGet, path: pathOf("/imports", id)}, opts)
}

// Imports iterates over the imports of the credential, or over all imports if its scope
// is admin, the newest first.
func (c *Client) Imports(ctx context.Context, opts ...CallOption) iter.Seq2[octavo.Import, error] {
	return all[octavo.Import](ctx, c, "/imports", url.Values{}, opts)
}

// ImportReport iterates over the lines of the report of an import that has ended.
func (c *Client) ImportReport(ctx context.Context, id octavo.ID, opts ...CallOption) iter.Seq2[octavo.ImportLine, error] {
	return all[octavo.ImportLine](ctx, c, pathOf("/imports", id)+"/report", url.Values{}, opts)
}

// DeleteImport cancels an unfinished import, or removes a finished one.
func (c *Client) DeleteImport(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: pathOf("/imports", id)}, opts)
}

// AwaitImport waits until an import has ended, and returns it. progress, if non-nil, is
// called from time to time.
func (c *Client) AwaitImport(ctx context.Context, id octavo.ID, progress func(octavo.ImportProgress)) (octavo.Import, error) {
	return await(ctx, c, c.Import, id, func(v octavo.Import) bool {
		if progress != nil {
			progress(v.Progress)
		}
		return v.Status.Ended()
	})
}

func (c *Client) importJob(ctx context.Context, req request, opts []CallOption) (v octavo.Import, err error) {
	req.into = &v
	if _, err = c.do(ctx, req, opts); err == nil && v.ID == "" {
		err = fmt.Errorf("%s %s: the response has no import", req.method, req.path)
	}
	return v, err
}
