package client

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo"
)

// request is one call of the API.
type request struct {
	method string
	path   string // below the versioned address, escaped
	query  url.Values
	header http.Header
	body   []byte // JSON; nil sends none
	into   any    // what the response is decoded into; nil drops it
	once   bool   // a POST without an Idempotency-Key: its response has a secret

	// A body that is streamed instead of body, opened for each attempt.
	content     func() (io.Reader, error)
	contentType string
	length      int64
}

// CallOption adds a condition or a parameter to one request.
type CallOption func(*request)

// IfMatch makes a change only if the resource still has this ETag. Otherwise
// nothing changes, and the error is a [Problem] of kind [octavo.PreconditionFailed].
func IfMatch(etag string) CallOption { return setHeader("If-Match", etag) }

// IfNoneMatch makes a read return [ErrNotModified] if the resource still has this
// ETag.
func IfNoneMatch(etag string) CallOption { return setHeader("If-None-Match", etag) }

// IdempotencyKey replaces the random key of a POST by one of 1 to 255 visible
// characters. For 24 hours, a restarted program that sends the same request with
// the same key gets the first response again, and nothing happens twice.
func IdempotencyKey(key string) CallOption { return setHeader("Idempotency-Key", key) }

// TraceID sends an X-Trace-Id of at most 128 characters. The server logs it and
// passes it on to everything that the request causes.
func TraceID(id string) CallOption { return setHeader("X-Trace-Id", id) }

// Include adds related members: authors, assets, children, frontmatterRaw, imported. The
// response then has no ETag, unless frontmatterRaw is the only one.
func Include(items ...string) CallOption { return setQuery("include", strings.Join(items, ",")) }

// Children says what a deletion does with the pages below: "cascade" deletes
// them, and "reparent" moves them to the parent of the deleted page.
func Children(policy string) CallOption { return setQuery("children", policy) }

func setHeader(name, value string) CallOption {
	return func(r *request) { r.header.Set(name, value) }
}

func setQuery(name, value string) CallOption {
	return func(r *request) { r.query.Set(name, value) }
}

// do sends req until it gets a final response, and returns its header.
func (c *Client) do(ctx context.Context, req request, opts []CallOption) (http.Header, error) {
	if req.header == nil {
		req.header = http.Header{}
	}
	if req.query == nil {
		req.query = url.Values{}
	}
	for _, opt := range opts {
		opt(&req)
	}
	if req.method == http.MethodPost && !req.once && req.header.Get("Idempotency-Key") == "" {
		var key [16]byte
		if _, err := io.ReadFull(c.random, key[:]); err != nil {
			return nil, fmt.Errorf("make an idempotency key: %w", err)
		}
		req.header.Set("Idempotency-Key", hex.EncodeToString(key[:]))
	}
	unknown := false // an earlier attempt may have acted
	for n := 1; ; n++ {
		header, err := c.try(ctx, req)
		if err == nil {
			return header, nil
		}
		if unknown && req.method == http.MethodDelete && statusOf(err) == http.StatusNotFound {
			return nil, nil // the attempt whose response was lost has deleted it
		}
		e := effectOf(err)
		if n == c.tries || ctx.Err() != nil || !req.repeatable(e) {
			return nil, err
		}
		unknown = unknown || e == effectUnknown
		pause, pauseErr := c.pause(n, err)
		if pauseErr != nil {
			return nil, errors.Join(err, pauseErr)
		}
		if pause > maxPause {
			return nil, err
		}
		if stopped := c.sleep(ctx, pause); stopped != nil {
			return nil, errors.Join(err, stopped)
		}
	}
}

// act sends a request whose response has no content.
func (c *Client) act(ctx context.Context, req request, opts []CallOption) error {
	_, err := c.do(ctx, req, opts)
	return err
}

// read sends a request whose response is a T.
func read[T any](ctx context.Context, c *Client, req request, opts []CallOption) (v T, err error) {
	req.into = &v
	_, err = c.do(ctx, req, opts)
	return v, err
}

// tagged sends a request whose response is decoded into into, and returns its ETag.
func (c *Client) tagged(ctx context.Context, req request, into any, opts []CallOption) (etag string, err error) {
	req.into = into
	header, err := c.do(ctx, req, opts)
	return header.Get("ETag"), err
}

func statusOf(err error) int {
	if p, ok := errors.AsType[*Problem](err); ok {
		return p.Status
	}
	return 0
}

// try sends the request once.
func (c *Client) try(ctx context.Context, req request) (http.Header, error) {
	address := c.base + req.path
	if len(req.query) > 0 {
		address += "?" + req.query.Encode()
	}
	sender, body := c.http, io.Reader(bytes.NewReader(req.body))
	if req.content != nil {
		patient := *c.http
		patient.Timeout = 0 // nobody knows how long a file takes
		sender = &patient
		var err error
		if body, err = req.content(); err != nil {
			return nil, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, req.method, address, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", req.method, req.path, err)
	}
	if req.content != nil {
		r.ContentLength = req.length
	}
	r.Header = req.header.Clone()
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", c.userAgent)
	if c.preference != "" {
		r.Header.Add("Prefer", c.preference)
	}
	if req.body != nil {
		r.Header.Set("Content-Type", "application/json")
	} else if req.content != nil {
		r.Header.Set("Content-Type", req.contentType)
	}
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	if c.key != "" {
		r.Header.Set("X-API-Key", c.key)
	}
	res, err := sender.Do(r)
	if errors.Is(err, errRedirect) {
		return nil, err
	}
	if err != nil {
		return nil, &transportError{err} // names method and address itself
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(res.Body, c.maxResponse+1))
	if err != nil {
		return nil, &transportError{fmt.Errorf("%s %s: read the response: %w", req.method, req.path, err)}
	}
	if int64(len(answer)) > c.maxResponse {
		return nil, fmt.Errorf("%s %s: the response is larger than %d bytes", req.method, req.path, c.maxResponse)
	}
	switch {
	case res.StatusCode == http.StatusNotModified:
		return nil, ErrNotModified
	case res.StatusCode >= 300:
		return nil, readProblem(req, res, answer, c.now())
	case req.into == nil:
		return res.Header, nil
	}
	if err := json.Unmarshal(answer, req.into); err != nil {
		return nil, fmt.Errorf("%s %s: read the response: %w", req.method, req.path, err)
	}
	return res.Header, nil
}

// Page is a page with the ETag of the state that was read, "" with [Include].
type Page struct {
	octavo.Page
	ETag string
}

// page sends a request whose response is a page.
func (c *Client) page(ctx context.Context, req request, opts []CallOption) (p Page, err error) {
	p.ETag, err = c.tagged(ctx, req, &p.Page, opts)
	if err == nil && p.ID == "" {
		err = fmt.Errorf("%s %s: the response has no page", req.method, req.path)
	}
	return p, err
}
