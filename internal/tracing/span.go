package tracing

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/octavo-docs/octavo"
)

// Span is a step of a trace that is under way. A nil one is not recorded. It
// may be used by one goroutine at a time.
type Span struct {
	span  trace.Span
	begun time.Time
	now   func() time.Time
}

// Text and Int note something about the step. The keys are those of
// OpenTelemetry's semantic conventions where these have one, and begin with
// "octavo." where they have none.
func (s *Span) Text(key, value string) {
	if s != nil {
		s.span.SetAttributes(attribute.String(key, value))
	}
}

// Int is Text for a number.
func (s *Span) Int(key string, value int64) {
	if s != nil {
		s.span.SetAttributes(attribute.Int64(key, value))
	}
}

// Fail marks the step as failed. The reason must hold no secrets.
func (s *Span) Fail(reason string) {
	if s != nil {
		s.span.SetStatus(codes.Error, reason)
	}
}

// FailIf is Fail if err is not nil. It does not record the error, which may contain data
// only meant for the log.
func (s *Span) FailIf(err error) {
	if err != nil {
		s.Fail("")
	}
}

// Traceparent names the step, for the calls that it causes. That of a nil span
// is zero.
func (s *Span) Traceparent() octavo.Traceparent {
	if s == nil {
		return octavo.Traceparent{}
	}
	c := s.span.SpanContext()
	return octavo.Traceparent{TraceID: c.TraceID(), ParentID: c.SpanID(), Flags: byte(c.TraceFlags())}
}

// End ends the step. A clock that is set while it is under way does not change
// how long it took.
func (s *Span) End() {
	if s != nil {
		s.span.End(trace.WithTimestamp(s.begun.Add(s.now().Sub(s.begun))))
	}
}
