package webhooks

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// trace passes on the trace identifiers of the causing request (decision
// 43). It starts the span of an attempt if a trace is recorded. The span
// does not have the receiver's address, which may contain a secret.
func (s *sender) trace(req *http.Request, d hookstore.Delivery, v hookstore.Sending) (*tracing.Span, error) {
	parent, ok := octavo.ParseTraceparent(v.Traceparent)
	if v.TraceID != "" && !sameTrace(v.TraceID, parent) {
		req.Header.Set("X-Trace-Id", v.TraceID)
	}
	if s.Trace != nil {
		if d.Attempt == 1 {
			s.Trace.Waited("delivery.queued", parent, v.Event.CreatedAt, s.Now())
		}
		_, span := s.Trace.Start(req.Context(), "delivery.send", tracing.Client, parent)
		span.Text("http.request.method", req.Method)
		span.Text("octavo.event", string(v.Event.ID))
		span.Text("octavo.event.type", string(v.Event.Type))
		span.Text("octavo.delivery", string(d.ID))
		span.Int("octavo.attempt", int64(d.Attempt))
		req.Header.Set("Traceparent", span.Traceparent().String())
		return span, nil
	}
	if !ok {
		return nil, nil
	}
	child, err := parent.Child(s.Random)
	if err == nil {
		req.Header.Set("Traceparent", child.String())
	}
	return nil, err
}

// sameTrace reports whether a recorded trace identifier is just the
// traceparent of the request, which the receiver gets anyway.
func sameTrace(id string, parent octavo.Traceparent) bool {
	own, ok := octavo.ParseTraceparent(id)
	return ok && own.TraceID == parent.TraceID
}
