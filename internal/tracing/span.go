package tracing

import (
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/octavo-docs/octavo"
)

// Span is a running step of a trace. A nil Span records nothing. Only one goroutine may
// use it at a time.
type Span struct {
	span  trace.Span
	begun time.Time
	now   func() time.Time
}

// Text and Int add an attribute. Keys come from OpenTelemetry's semantic conventions,
// others begin with "octavo.".
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

// Fail marks the step as failed. The reason must not contain secrets.
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

// Traceparent identifies the step to the calls that it makes. It is zero for a nil span.
func (s *Span) Traceparent() octavo.Traceparent {
	if s == nil {
		return octavo.Traceparent{}
	}
	c := s.span.SpanContext()
	return octavo.Traceparent{TraceID: c.TraceID(), ParentID: c.SpanID(), Flags: byte(c.TraceFlags())}
}

// End ends the step. Setting the clock meanwhile does not change its duration.
func (s *Span) End() {
	if s != nil {
		s.span.End(trace.WithTimestamp(s.begun.Add(s.now().Sub(s.begun))))
	}
}
