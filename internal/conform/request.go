package conform

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// maxAnswer limits a response in bytes.
const maxAnswer = 64 << 20

// Credential is the credential for "as NAME".
type Credential struct {
	Scheme Scheme
	Secret string // the token or key itself
}

// Scheme is the position of a credential in a request.
type Scheme int

const (
	Bearer   Scheme = iota // Authorization: Bearer SECRET
	APIKey                 // X-API-Key: SECRET
	QueryKey               // the query parameter api_key=SECRET
)

// send sends the request of a block and reads the response.
func (r *run) send(ctx context.Context, b *block, v *values) (target string, a *answer, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	req, target, err := r.request(ctx, b, v)
	if err != nil {
		return target, nil, err
	}
	resp, err := r.transport.RoundTrip(req)
	if err != nil {
		return target, nil, err
	}
	defer resp.Body.Close()
	text, err := decoded(resp)
	if err != nil {
		return target, nil, err
	}
	body, err := io.ReadAll(io.LimitReader(text, maxAnswer+1))
	if err != nil {
		return target, nil, fmt.Errorf("read the answer: %w", err)
	}
	if len(body) > maxAnswer {
		return target, nil, fmt.Errorf("the answer has more than %d bytes", maxAnswer)
	}
	return target, &answer{resp.StatusCode, resp.Header, body}, nil
}

// decoded returns a body without its content coding.
func decoded(resp *http.Response) (io.Reader, error) {
	body := bufio.NewReader(resp.Body)
	if _, err := body.Peek(1); err != nil || resp.Header.Get("Content-Encoding") != "gzip" {
		return body, nil //nolint:nilerr // the next reader reports it; the body may be empty
	}
	text, err := gzip.NewReader(body)
	if err != nil {
		return nil, fmt.Errorf("read the compressed answer: %w", err)
	}
	return text, nil
}

// request builds a request. The returned target has no credential.
func (r *run) request(ctx context.Context, b *block, v *values) (*http.Request, string, error) {
	target, err := v.expand(b.target)
	if err != nil {
		return nil, b.target, err
	}
	if target, err = r.local(target); err != nil {
		return nil, target, err
	}
	address := r.base + target
	credential, known := v.credentials[b.as]
	if b.as != Nobody && !known {
		return nil, target, fmt.Errorf("the run has no credential named %q", b.as)
	}
	if known && credential.Scheme == QueryKey {
		sep := "?"
		if strings.Contains(target, "?") {
			sep = "&"
		}
		address += sep + "api_key=" + url.QueryEscape(credential.Secret)
	}
	var body io.Reader
	if b.hasBody {
		text, err := v.expand(b.body)
		if err != nil {
			return nil, target, err
		}
		body = strings.NewReader(text + strings.Repeat(" ", max(0, b.pad-len(text))))
	}
	req, err := http.NewRequestWithContext(ctx, b.method, address, body)
	if err != nil {
		return nil, target, err
	}
	if known {
		credential.set(req.Header)
	}
	return req, target, setHeader(req, b, v)
}

// local resolves a target below the base address, so that no other host is contacted.
func (r *run) local(target string) (string, error) {
	rest, under := strings.CutPrefix(target, r.base)
	if !under {
		rest = target
	}
	if !strings.HasPrefix(rest, "/") {
		return target, fmt.Errorf("the target is no path under %s", r.base)
	}
	return rest, nil
}

// set adds the credential to a header, unless it is for the query.
func (c Credential) set(header http.Header) {
	switch c.Scheme {
	case Bearer:
		header.Set("Authorization", "Bearer "+c.Secret)
	case APIKey:
		header.Set("X-API-Key", c.Secret)
	}
}

// setHeader adds the header lines of a block.
func setHeader(req *http.Request, b *block, v *values) error {
	for _, f := range b.header {
		value, err := v.expand(f.value)
		if err != nil {
			return err
		}
		switch {
		case strings.EqualFold(f.name, "Host"):
			req.Host = value
		case strings.EqualFold(f.name, contentType):
			req.Header.Set(contentType, value) // replaces the value set by json: or yaml:
		default:
			req.Header.Add(f.name, value)
		}
	}
	return nil
}
