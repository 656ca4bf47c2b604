// Package client talks to an Octavo server over its HTTP API.
//
// A [Client] sends one request per call and returns the nouns of package
// octavo. It does not cache:
//
//	c, err := client.New("https://docs.example.com", client.WithToken(token))
//	page, err := c.Create(ctx, octavo.PageCreate{Title: "Hello", Slug: "hello", Content: "# Hello"})
//	_, err = c.Patch(ctx, page.ID, octavo.PagePatch{Status: &published}, client.IfMatch(page.ETag))
//
// # Errors
//
// An error response is a [*Problem], found with errors.As. Every other error is a
// failure to reach the server or to understand its response.
//
// # Repeating requests
//
// A request is sent again if its response is lost, or is 429, 502, 503 or 504,
// unless it could then take effect twice or hide an outcome:
//
//   - A POST has an Idempotency-Key, the same at each attempt. A POST whose response
//     has a secret has none, and is repeated only if the server certainly did not act.
//   - PUT, PATCH and DELETE lead to the same state however often they arrive. With
//     [IfMatch] they are repeated only if the server certainly did not act, since a
//     second attempt would fail on the change made by the first.
package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// Defaults of the options.
const (
	DefaultVersion     = "v1"        // of the API
	DefaultTries       = 5           // of one request
	DefaultMaxResponse = 64 << 20    // bytes
	DefaultMaxBody     = 2 << 20     // bytes; the server's own default
	DefaultTimeout     = time.Minute // for one attempt
)

// Client is a connection to one server under one credential. It is safe for
// concurrent use.
type Client struct {
	base        string // public address and version, without trailing slash
	http        *http.Client
	token, key  string
	userAgent   string
	preference  string
	tries       int
	maxResponse int64
	maxBody     int

	now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	random io.Reader
}

// Option changes how a Client works.
type Option func(*Client) error

// New returns a client of the server at baseURL, its public address without
// the version, such as https://docs.example.com.
func New(baseURL string, opts ...Option) (*Client, error) {
	u, err := url.Parse(baseURL)
	if err != nil && strings.Contains(baseURL, "://") {
		return nil, fmt.Errorf("read the server address: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("server address %q: it must begin with https:// or http://", baseURL)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("server address %q: want one such as https://docs.example.com", u.Redacted())
	}
	c := &Client{
		http:        &http.Client{Timeout: DefaultTimeout},
		userAgent:   "octavo-client",
		tries:       DefaultTries,
		maxResponse: DefaultMaxResponse,
		maxBody:     DefaultMaxBody,
		now:         time.Now,
		sleep:       sleep,
		random:      rand.Reader,
	}
	c.base = strings.TrimRight(u.String(), "/") + "/" + DefaultVersion
	for _, opt := range opts {
		if err := opt(c); err != nil {
			return nil, err
		}
	}
	copied := *c.http
	copied.CheckRedirect = sameOrigin
	c.http = &copied
	return c, nil
}

var errRedirect = errors.New("refused to follow a redirect")

// sameOrigin keeps credentials from following a redirect to another server.
func sameOrigin(req *http.Request, via []*http.Request) error {
	if first := via[0].URL; req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return fmt.Errorf("%w to another server, %s://%s", errRedirect, req.URL.Scheme, req.URL.Host)
	}
	if len(via) >= 5 {
		return fmt.Errorf("%w: this would be the sixth", errRedirect)
	}
	return nil
}

// WithToken sends an access token with each request, as Authorization: Bearer.
func WithToken(token string) Option {
	return func(c *Client) error { c.token = token; return nil }
}

// WithAPIKey sends an API key with each request, as X-API-Key.
func WithAPIKey(key string) Option {
	return func(c *Client) error { c.key = key; return nil }
}

// WithVersion calls another version of the API than [DefaultVersion].
func WithVersion(version string) Option {
	return func(c *Client) error {
		c.base = c.base[:strings.LastIndexByte(c.base, '/')+1] + url.PathEscape(version)
		return nil
	}
}

// WithHTTPClient sends requests through a copy of h, which must not be nil,
// instead of a client with [DefaultTimeout]. The copy follows up to five
// redirects, but none to another server, which would get the credential.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) error {
		if h == nil {
			return errors.New("HTTP client: want one, have nil")
		}
		c.http = h
		return nil
	}
}

// WithUserAgent sets the User-Agent, which names the calling program.
func WithUserAgent(name string) Option {
	return func(c *Client) error { c.userAgent = name; return nil }
}

// WithPreference sends a preference (RFC 7240) with each request. With override-review
// an administrator changes published pages without the required approvals.
func WithPreference(preference string) Option {
	return func(c *Client) error { c.preference = preference; return nil }
}

// WithTries sets the maximum number of attempts of a request, instead of
// [DefaultTries]. It is at least 1, which never repeats a request.
func WithTries(n int) Option {
	return func(c *Client) error {
		if n < 1 {
			return fmt.Errorf("tries: want 1 or more, have %d", n)
		}
		c.tries = n
		return nil
	}
}

// WithMaxResponse sets the maximum size of a response in bytes, instead of
// [DefaultMaxResponse]. A longer response is an error.
func WithMaxResponse(n int64) Option {
	return func(c *Client) error { c.maxResponse = n; return nil }
}

// WithMaxBody states the server's limit for JSON bodies in bytes, if it is not
// [DefaultMaxBody]. Bulk requests are divided to stay below it.
func WithMaxBody(n int) Option {
	return func(c *Client) error { c.maxBody = n; return nil }
}

// WithClock replaces the clock and the pause between attempts. The pause must
// return the context's error when the context ends.
func WithClock(now func() time.Time, sleep func(context.Context, time.Duration) error) Option {
	return func(c *Client) error { c.now, c.sleep = now, sleep; return nil }
}

// WithRandom replaces the source of idempotency keys and of jitter. It must be
// safe for concurrent use if the client is used concurrently.
func WithRandom(r io.Reader) Option {
	return func(c *Client) error { c.random = r; return nil }
}

// Health is the state of a server.
type Health struct {
	Status string    `json:"status"`
	Time   time.Time `json:"time"`
}

// Health asks whether the server is up. It needs no credential.
func (c *Client) Health(ctx context.Context) (Health, error) {
	var h Health
	_, err := c.do(ctx, request{method: http.MethodGet, path: "/health", into: &h}, nil)
	return h, err
}

// pathOf is the path of a member of a collection, or of something below it.
func pathOf(collection string, id octavo.ID, rest ...string) string {
	path := collection + "/" + url.PathEscape(string(id))
	for _, part := range rest {
		path += "/" + url.PathEscape(part)
	}
	return path
}
