package rest

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// healthOperation is asked for again and again by load balancers, and no trace
// is recorded of it.
const healthOperation = "health"

// beginSpan begins the step that a request is in its caller's trace, or a trace
// of its own. As in the log, neither path nor query are noted: either may hold
// a secret.
func (a *API) beginSpan(r *Request, name, pattern string) {
	if a.Trace == nil {
		return
	}
	parent, _ := octavo.ParseTraceparent(r.trace.parent) // zero begins a trace
	ctx, span := a.Trace.Start(r.Context(), name, tracing.Server, parent)
	span.Text("http.request.method", logMethod(r.Method))
	span.Text("http.route", pattern)
	span.Text("octavo.request", r.id)
	r.Request, r.span = r.WithContext(ctx), span
}

// endSpan ends it with the status of the answer.
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

// traceparent is what is handed on to all that the request causes: its own
// step, where that is recorded, or what it came with; "" when there is neither.
func (r *Request) traceparent() string {
	if r.span == nil {
		return r.trace.parent
	}
	return r.span.Traceparent().String()
}
