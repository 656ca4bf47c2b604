package rest

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Now returns the time by the clock of the API.
func (r *Request) Now() time.Time { return r.api.Now() }

// Version returns the API version in the request's address.
func (r *Request) Version() string { return r.version }

// Address returns the public address of a path in the request's API version.
func (r *Request) Address(path string) string { return r.api.PublicURL + "/" + r.version + path }

// Self returns the public address of the request, without query.
func (r *Request) Self() string {
	if r.route.Server == OnSearch {
		return r.api.SearchURL + strings.TrimPrefix(r.URL.Path, searchPath)
	}
	return r.api.PublicURL + r.URL.Path
}

// Cause is the cause for the store, with the response to a repeated request.
func (r *Request) Cause() sqldb.Cause {
	c := sqldb.Cause{Review: r.review(), Actor: r.Principal.Actor, TraceID: r.trace.id, Traceparent: r.traceparent(), Claim: r.claim}
	if r.address.IsValid() {
		c.Address = r.address.String()
	}
	return c
}

// review reports whether an admin bypasses approvals of published pages (Prefer:
// override-review).
func (r *Request) review() sqldb.Review {
	if _, asked := r.Preference("override-review"); !asked || !r.Principal.Scopes.Allow(octavo.ScopeAdmin) {
		return sqldb.NotReviewed
	}
	return sqldb.ReviewOverridden
}

// PathID returns an identifier in the path; one of another kind does not exist.
func (r *Request) PathID(name string, prefix octavo.Prefix, missing string) (octavo.ID, error) {
	id := octavo.ID(r.PathValue(name))
	if !octavo.ValidIdentifier(string(id)) {
		return "", octavo.Invalid(name, "must be an identifier such as %s_01h455vb4pex5vsknk084sn02q", prefix)
	}
	if !id.Is(prefix) {
		return "", octavo.Errorf(octavo.NotFound, "%s", missing)
	}
	return id, nil
}

// Child starts a child span of the request's span.
func (r *Request) Child(ctx context.Context, name string) (context.Context, *tracing.Span) {
	return r.api.Trace.Child(ctx, name, tracing.Internal)
}

// WhileServing returns the context of a request that may wait, without limit if wait is
// 0. It ends with the server too. The connection's deadline, which would end the wait,
// is moved after it.
func (r *Request) WhileServing(wait time.Duration) (context.Context, context.CancelFunc) {
	var end time.Time // none
	if wait > 0 {
		end = deadline(wait + streamTime)
	}
	_ = http.NewResponseController(r.w).SetReadDeadline(end) // not every writer supports it
	ctx, cancel := context.WithCancel(r.Context())
	if r.api.Serving == nil {
		return ctx, cancel
	}
	unlink := context.AfterFunc(r.api.Serving, cancel)
	return ctx, func() {
		unlink()
		cancel()
	}
}
