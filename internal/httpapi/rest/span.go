package rest

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// healthOperation is called frequently by load balancers, and has no traces.
const healthOperation = "health"

// beginSpan starts the span of a request in its caller's trace, or in a new one. As in
// the log, it has neither path nor query, since either may contain a secret.
func (a *API) beginSpan(r *Request, name, pattern string) {
	if a.Trace == nil {
		return
	}
	parent, _ := octavo.ParseTraceparent(r.trace.parent) // zero starts a trace
	ctx, span := a.Trace.Start(r.Context(), name, tracing.Server, parent)
	span.Text("http.request.method", logMethod(r.Method))
	span.Text("http.route", pattern)
	span.Text("octavo.request", r.id)
	r.Request, r.span = r.WithContext(ctx), span
}

// endSpan ends the span with the status of the response.
func (r *Request) endSpan(status int) {
	if r.span == nil {
		return
	}
	r.span.Int("http.response.status_code", int64(status))
	if r.Principal.CredentialID != "" {
		r.span.Text("octavo.credential", r.Principal.CredentialID)
	}
	if status >= http.StatusInternalServerError {
		r.span.Fail("")
	}
	r.span.End()
}

// traceparent is passed on to everything that the request causes: its own span if
// recorded, or the received one; "" if there is neither.
func (r *Request) traceparent() string {
	if r.span == nil {
		return r.trace.parent
	}
	return r.span.Traceparent().String()
}
