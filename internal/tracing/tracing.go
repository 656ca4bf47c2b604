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

// Options are what tracing takes from the program. All are needed.
type Options struct {
	Now     func() time.Time
	Random  io.Reader // for the identifiers of traces and spans
	Log     *slog.Logger
	Version string // of the program
	// Client makes what reaches the collector, within the timeout for each
	// request; without one for TLS, the usual is meant. It follows no redirect:
	// headers with secrets go nowhere else.
	Client func(timeout time.Duration, c *tls.Config) *http.Client
}

// Tracer records spans. A nil one records nothing. It is safe for concurrent
// use.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	now      func() time.Time
}

// Open returns the tracer that the environment asks for: nil where no collector
// is named, or tracing is switched off. A variable with a value that cannot be
// followed is an error that names it. Nothing is connected to yet.
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

// Close sends what is recorded and not sent yet, for as long as ctx allows, and
// records nothing from then on.
func (t *Tracer) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	return octavo.Wrapf(t.provider.Shutdown(ctx), "send the last traces")
}

// Kind is the part that a step has in a call.
type Kind = trace.SpanKind

// The kinds of steps.
const (
	Internal = trace.SpanKindInternal
	Server   = trace.SpanKindServer   // answers a call
	Client   = trace.SpanKindClient   // makes one and waits
	Consumer = trace.SpanKindConsumer // takes up what was put in line
)

// Start begins a step that another system, or an earlier time, has caused. A
// parent that is zero begins a trace. The context is for what belongs to the
// step; the span has to be ended.
func (t *Tracer) Start(ctx context.Context, name string, kind Kind, parent octavo.Traceparent) (context.Context, *Span) {
	if t == nil {
		return ctx, nil
	}
	return t.begin(trace.ContextWithRemoteSpanContext(ctx, remote(parent)), name, kind, t.now())
}

// Child begins a step of the step that ctx belongs to. Outside of one it does
// nothing: what works in the background begins no traces.
func (t *Tracer) Child(ctx context.Context, name string, kind Kind) (context.Context, *Span) {
	if t == nil || !trace.SpanContextFromContext(ctx).IsValid() {
		return ctx, nil
	}
	return t.begin(ctx, name, kind, t.now())
}

// Waited records that something waited for its turn from one time to another,
// as a step of the step that parent names.
func (t *Tracer) Waited(name string, parent octavo.Traceparent, from, to time.Time) {
	if t == nil || parent == (octavo.Traceparent{}) || to.Before(from) {
		return
	}
	ctx := trace.ContextWithRemoteSpanContext(context.Background(), remote(parent))
	_, span := t.tracer.Start(ctx, name, trace.WithTimestamp(from))
	span.End(trace.WithTimestamp(to))
}

// remote is a parent as OpenTelemetry has it.
func remote(parent octavo.Traceparent) trace.SpanContext {
	return trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: parent.TraceID, SpanID: parent.ParentID, TraceFlags: trace.TraceFlags(parent.Flags) & trace.FlagsSampled, Remote: true,
	})
}

func (t *Tracer) begin(ctx context.Context, name string, kind Kind, at time.Time) (context.Context, *Span) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithTimestamp(at))
	return ctx, &Span{span: span, begun: at, now: t.now}
}

// ids draws the identifiers of traces and spans.
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

// draw fills an identifier, which may not be all zero. The interface has no
// error: without randomness spans are not valid, and are not sent.
func (g ids) draw(id []byte) {
	if _, err := io.ReadFull(g.random, id); err == nil && binary.BigEndian.Uint64(id) == 0 {
		id[0] = 1
	}
}

// telling logs what could not be sent; the SDK would write it to standard error.
type telling struct {
	sdktrace.SpanExporter
	log *slog.Logger
}

func (e telling) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if err := e.SpanExporter.ExportSpans(ctx, spans); err != nil {
		e.log.WarnContext(ctx, "traces were not sent and are lost", "spans", len(spans), "error", err)
	}
	return nil // it was logged above
}
