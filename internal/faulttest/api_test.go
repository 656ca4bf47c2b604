package faulttest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// api sends each request exactly once: unlike the client of the product it never retries
// and hides nothing.
type api struct {
	url, token string
	http       *http.Client
}

// newAPI returns a client whose connections end with the test.
func newAPI(t testing.TB, url, token string) *api {
	transport := &http.Transport{MaxIdleConnsPerHost: 64, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &api{url, token, &http.Client{Transport: transport, Timeout: limit}}
}

// call is one request.
type call struct {
	method, path string // below the version
	body         any    // sent as JSON unless nil
	key          string // Idempotency-Key
	match        string // If-Match
	prefer       string // Prefer
}

// String returns the call without its body.
func (c call) String() string { return c.method + " " + c.path }

// answer is a whole answer.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// String returns the answer in one line.
func (a answer) String() string { return fmt.Sprintf("%d %.300s", a.status, a.body) }

// do sends a request. An error means that no whole answer came.
func (a *api) do(ctx context.Context, c call) (answer, error) {
	var body io.Reader
	var size int64
	if c.body != nil {
		text, err := json.Marshal(c.body)
		if err != nil {
			return answer{}, err
		}
		// Not a *bytes.Reader: a transport must not be able to send it twice.
		body, size = struct{ io.Reader }{bytes.NewReader(text)}, int64(len(text))
	}
	r, err := http.NewRequestWithContext(ctx, c.method, a.url+"/v1"+c.path, body)
	if err != nil {
		return answer{}, err
	}
	r.ContentLength = size
	r.Header.Set("Authorization", "Bearer "+a.token)
	if c.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		r.Header.Set("Idempotency-Key", c.key)
	}
	if c.match != "" {
		r.Header.Set("If-Match", c.match)
	}
	if c.prefer != "" {
		r.Header.Set("Prefer", c.prefer)
	}
	res, err := a.http.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, text}, err
}

// page decodes an answer that is a page. Its version comes from the ETag.
func (a answer) page() (octavo.Page, error) {
	var p octavo.Page
	if err := json.Unmarshal(a.body, &p); err != nil {
		return p, fmt.Errorf("%s: %w", a, err)
	}
	_, number, _ := strings.Cut(strings.Trim(a.header.Get("ETag"), `"`), ".")
	var err error
	p.Version, err = strconv.ParseInt(number, 10, 64)
	return p, err
}

// refusal checks that a response is a Problem of that type with Retry-After.
func (a answer) refusal(want octavo.ProblemType) error {
	var p octavo.Problem
	if err := json.Unmarshal(a.body, &p); err != nil {
		return fmt.Errorf("have %s, want a Problem: %w", a, err)
	}
	if p.Type != "/problems/"+string(want) || a.status != want.Info().Status || a.header.Get("Content-Type") != "application/problem+json" {
		return fmt.Errorf("have %s, want a Problem of type %s", a, want)
	}
	if want == octavo.Unavailable && a.header.Get("Retry-After") == "" {
		return fmt.Errorf("have %s without Retry-After", a)
	}
	return nil
}

// tag returns the ETag of a page at a version.
func tag(id octavo.ID, version int64) string {
	return fmt.Sprintf(`"%s.%d"`, id.Suffix(), version)
}

// until calls try until it returns nil. It fails the test with the last error after a time
// limit, or at once if the test has failed.
func until(t testing.TB, what string, try func() error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	err := retry(ctx, func() error {
		if t.Failed() {
			cancel()
		}
		return try()
	})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// retry calls try until it returns nil or ctx ends.
func retry(ctx context.Context, try func() error) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}
