package exports

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// beginSpan starts the span of an attempt to make an export, in the trace of
// its request.
func (s *Service) beginSpan(ctx context.Context, x exportstore.Export) (context.Context, *tracing.Span) {
	if s.Trace == nil {
		return ctx, nil
	}
	cause, err := s.Exports.Cause(ctx, x.ID)
	if err != nil {
		s.Log.WarnContext(ctx, "an export is made without its trace", "export", x.ID, "error", err)
	}
	parent, _ := octavo.ParseTraceparent(cause.Traceparent) // zero starts a trace
	if x.Attempt == 1 {
		s.Trace.Waited("export.queued", parent, x.CreatedAt, s.Now())
	}
	ctx, span := s.Trace.Start(ctx, "export.make", tracing.Consumer, parent)
	span.Text("octavo.export", string(x.ID))
	span.Text("octavo.export.format", string(x.Format))
	span.Int("octavo.attempt", int64(x.Attempt))
	return ctx, span
}
