package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/octavo-docs/octavo"
)

// How long the end of a job is awaited.
const (
	jobWait  = "2"                    // seconds that the server waits in each request
	jobPause = 100 * time.Millisecond // between two requests
)

// CreateExport requests an export. definition is an ExportRequest of the API as
// JSON, in which only format and scope are required.
func (c *Client) CreateExport(ctx context.Context, definition json.RawMessage, opts ...CallOption) (octavo.Export, error) {
	return c.export(ctx, request{method: http.MethodPost, path: "/exports", body: definition}, opts)
}

// Export reads an export.
func (c *Client) Export(ctx context.Context, id octavo.ID, opts ...CallOption) (octavo.Export, error) {
	return c.export(ctx, request{method: http.MethodGet, path: pathOf("/exports", id)}, opts)
}

// Exports iterates over the exports of the credential, or over all exports if its
// scope is admin.
func (c *Client) Exports(ctx context.Context, opts ...CallOption) iter.Seq2[octavo.Export, error] {
	return all[octavo.Export](ctx, c, "/exports", url.Values{}, opts)
}

// DeleteExport cancels an unfinished export, or removes a finished one.
func (c *Client) DeleteExport(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: pathOf("/exports", id)}, opts)
}

// AwaitExport waits until an export has ended, and returns it. progress, if
// non-nil, is called from time to time.
func (c *Client) AwaitExport(ctx context.Context, id octavo.ID, progress func(octavo.ExportProgress)) (octavo.Export, error) {
	return await(ctx, c, c.Export, id, func(e octavo.Export) bool {
		if progress != nil {
			progress(e.Progress)
		}
		return e.Status.Ended()
	})
}

// await reads a job until ended reports that it has.
func await[T any](ctx context.Context, c *Client, read func(context.Context, octavo.ID, ...CallOption) (T, error), id octavo.ID, ended func(T) bool) (T, error) {
	for {
		job, err := read(ctx, id, setQuery("wait", jobWait))
		if err != nil || ended(job) {
			return job, err
		}
		if err := c.sleep(ctx, jobPause); err != nil { // the server may not have waited
			return job, err
		}
	}
}

// Download writes the result of an export to out, and returns its length in
// bytes. It is not retried, since out may have part of it.
func (c *Client) Download(ctx context.Context, e octavo.Export, out io.Writer) (n int64, err error) {
	if e.DownloadURL == nil {
		return 0, fmt.Errorf("export %s has no result", e.ID)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, *e.DownloadURL, nil) // its address is signed: no credential
	if err != nil {
		return 0, fmt.Errorf("download export %s: %w", e.ID, err)
	}
	r.Header.Set("User-Agent", c.userAgent)
	patient := *c.http
	patient.Timeout = 0 // nobody knows how long a file takes
	res, err := patient.Do(r)
	if err != nil {
		return 0, fmt.Errorf("download export %s: %w", e.ID, err)
	}
	defer func() { err = errors.Join(err, res.Body.Close()) }()
	if res.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("download export %s: the response was %s", e.ID, res.Status)
	}
	n, err = io.Copy(out, res.Body)
	if err == nil && e.SHA256 != "" && n != e.Size {
		err = fmt.Errorf("have %d bytes, want %d", n, e.Size)
	}
	return n, octavo.Wrapf(err, "download export %s", e.ID)
}

// export sends a request whose response is an export.
func (c *Client) export(ctx context.Context, req request, opts []CallOption) (e octavo.Export, err error) {
	req.into = &e
	if _, err = c.do(ctx, req, opts); err == nil && e.ID == "" {
		err = fmt.Errorf("%s %s: the response has no export", req.method, req.path)
	}
	return e, err
}
