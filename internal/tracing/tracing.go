// Package tracing records what a request causes as an OpenTelemetry trace, and sends it
// to a collector by OTLP over HTTP. It is configured by the standard variables of
// OpenTelemetry; without them [Open] returns a nil [Tracer], whose methods do nothing
// and allocate nothing.
//
// It owns the variables and the sending. The code that takes a step names its span.
//
//	ctx, span := tracer.Start(ctx, "getPage", tracing.Server, parent)
//	defer span.End()
package tracing

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/octavo-docs/octavo"
)

// Options are the dependencies of tracing. All are required.
type Options struct {
	Now     func() time.Time
	Random  io.Reader // for the identifiers of traces and spans
	Log     *slog.Logger
	Version string // of the program
	// Client returns a client for the collector, with a timeout for each request. c may be
	// nil. The client must not follow redirects, so that secret headers go nowhere else.
	Client func(timeout time.Duration, c *tls.Config) *http.Client
}

// Tracer records spans. A nil Tracer records nothing. It is safe for concurrent use.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	now      func() time.Time
}

// Open returns the tracer that the environment configures: nil without a collector, or if
// tracing is disabled. An invalid variable is an error that names it. Open does not
// connect.
func Open(ctx context.Context, o Options) (*Tracer, error) {
	v := variables{}
	on := v.on()
	if !on || v.err != nil {
		return nil, v.err
	}
	client, sampler := v.client(o), v.sampler()
	v.checkNumbers()
	if v.err != nil {
		return nil, v.err
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "octavo"), attribute.String("service.version", o.Version)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	exporter, err := otlptrace.New(ctx, client)
	if err != nil {
		return nil, fmt.Errorf("prepare the sending of traces: %w", err)
	}
	provider := sdktrace.NewTracerProvider(
		sdktrace.WithResource(about), sdktrace.WithSampler(sampler), sdktrace.WithIDGenerator(ids{o.Random}),
		sdktrace.WithBatcher(telling{exporter, o.Log}))
	return &Tracer{provider, provider.Tracer("github.com/octavo-docs/octavo", trace.WithInstrumentationVersion(o.Version)), o.Now}, nil
}

// Close sends the remaining spans until ctx ends, and stops recording.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return octavo.Wrapf(t.provider.Shutdown(ctx), "send the last traces")
}

// Kind is the role of a step in a call.
type Kind = trace.SpanKind

// The kinds of steps.
const (
	Internal = trace.SpanKindInternal
	Server   = trace.SpanKindServer   // answers a call
	Client   = trace.SpanKindClient   // makes a call and waits
	Consumer = trace.SpanKindConsumer // processes something from a queue
)

// Start begins a step caused by another system or an earlier request. A zero parent begins
// a new trace. The returned context is for calls within the step. The caller must end the
// span.
func (t *Tracer) Start(ctx context.Context, name string, kind Kind, parent octavo.Traceparent) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	return t.begin(trace.ContextWithRemoteSpanContext(ctx, remote(parent)), name, kind, t.now())
}

// Child begins a step within the step of ctx. Without one it does nothing: background work
// begins no traces.
func (t *Tracer) Child(ctx context.Context, name string, kind Kind) (context.Context, *Span) {
	if t == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil
	}
	return t.begin(ctx, name, kind, t.now())
}

// Waited records a wait from one time to another as a step below parent.
func (t *Tracer) Waited(name string, parent octavo.Traceparent, from, to time.Time) {
	if t == nil || parent == (octavo.Traceparent{}) || to.Before(from) {
		return
	}
	ctx := trace.ContextWithRemoteSpanContext(context.Background(), remote(parent))
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(from))
	span.End(trace.WithTimestamp(to))
}

// remote converts a parent for OpenTelemetry.
func remote(parent octavo.Traceparent) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: parent.TraceID, SpanID: parent.ParentID, TraceFlags: trace.TraceFlags(parent.Flags) & trace.FlagsSampled, Remote: true,
	})
}

func (t *Tracer) begin(ctx context.Context, name string, kind Kind, at time.Time) (context.Context, *Span) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithTimestamp(at))
	return ctx, &Span{span: span, begun: at, now: t.now}
}

// ids generates the identifiers of traces and spans.
type ids struct{ random io.Reader }

func (g ids) NewIDs(context.Context) (id trace.TraceID, span trace.SpanID) {
	g.draw(id[:])
	g.draw(span[:])
	return id, span
}

func (g ids) NewSpanID(context.Context, trace.TraceID) (span trace.SpanID) {
	g.draw(span[:])
	return span
}

// draw fills an identifier, which must not be all zero. The interface allows no error:
// without randomness spans are invalid and are not sent.
func (g ids) draw(id []byte) {
	if _, err := io.ReadFull(g.random, id); err == nil && binary.BigEndian.Uint64(id) == 0 {
		id[0] = 1
	}
}

// telling logs failed sends, which the SDK would write to standard error.
type telling struct {
	sdktrace.SpanExporter
	log *slog.Logger
}

func (e telling) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if err := e.SpanExporter.ExportSpans(ctx, spans); err != nil {
		e.log.WarnContext(ctx, "traces were not sent and are lost", "spans", len(spans), "error", err)
	}
	return nil // already logged
}
