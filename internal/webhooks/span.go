package webhooks

import (
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// trace passes on what the causing request was known by (decision 43), and
// begins the step that a try is in its trace, where one is recorded. The
// receiver's address is not noted: it may hold a secret.
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

// sameTrace reports whether an identifier that changes are recorded under is
// the traceparent of the request, whose trace the receiver is told anyway.
func sameTrace(id string, parent octavo.Traceparent) bool {
	own, ok := octavo.ParseTraceparent(id)
	return ok && own.TraceID == parent.TraceID
}
