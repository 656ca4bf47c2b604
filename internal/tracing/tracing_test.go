package tracing

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/octavo-docs/octavo"
)

// collector receives OTLP as a real one does, over HTTP.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []*tracepb.Span
	labels  map[string]string // of the resource
	header  http.Header
	answers []int // statuses before the first that is 200
	reject  []byte
}

func newCollector(t *testing.T, start func(http.Handler) *httptest.Server) *collector {
	t.Helper()
	c := &collector{labels: map[string]string{}}
	c.Server = start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			z, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = z
		}
		text, err := io.ReadAll(body)
		var data tracepb.TracesData
		if err == nil {
			err = proto.Unmarshal(text, &data)
		}
		if err != nil || r.Method != http.MethodPost || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("have %s %s %v, %v", r.Method, r.URL, r.Header, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.answers) > 0 {
			w.WriteHeader(c.answers[0])
			c.answers = c.answers[1:]
			return
		}
		c.header = r.Header
		for _, about := range data.ResourceSpans {
			for _, label := range about.Resource.Attributes {
				c.labels[label.Key] = label.Value.GetStringValue()
			}
			for _, scope := range about.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
		_, _ = w.Write(c.reject) // the client may be gone
	}))
	t.Cleanup(c.Close)
	return c
}

// open opens a tracer under the variables, which are names and values in turn.
func open(t *testing.T, log io.Writer, variables ...string) (*Tracer, error) {
	t.Helper()
	for i := 0; i < len(variables); i += 2 {
		t.Setenv(variables[i], variables[i+1])
	}
	return Open(t.Context(), Options{
		Now: time.Now, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(log, nil)), Version: "v1.2.3",
		Client: func(timeout time.Duration, c *tls.Config) *http.Client {
			return &http.Client{Timeout: timeout, Transport: &http.Transport{TLSClientConfig: c}}
		},
	})
}

// TestSpansArrive: what is recorded is with the collector when the tracer is
// closed, in its trace, under the program's name.
func TestSpansArrive(t *testing.T) {
	c := newCollector(t, httptest.NewServer)
	tracer, err := open(t, io.Discard, "OTEL_EXPORTER_OTLP_ENDPOINT", c.URL, "OTEL_EXPORTER_OTLP_HEADERS", "api-key=a%20b, x=y", "OTEL_EXPORTER_OTLP_COMPRESSION", "gzip",
		"OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test,service.name=other", "OTEL_SERVICE_NAME", "docs", "OTEL_BSP_SCHEDULE_DELAY", "3600000")
	if err != nil {
		t.Fatal(err)
	}
	const text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	parent, _ := octavo.ParseTraceparent(text)
	ctx, span := tracer.Start(t.Context(), "getPage", Server, parent)
	span.Text("octavo.request", "req_1")
	span.Int("http.response.status_code", 503)
	span.Fail("late")
	_, child := tracer.Child(ctx, "store.write", Internal)
	child.End()
	from := time.Now().Add(-time.Minute)
	tracer.Waited("queued", span.Traceparent(), from, from.Add(time.Second))
	span.End()
	if _, none := tracer.Child(t.Context(), "alone", Internal); none != nil {
		t.Error("what works in the background began a trace")
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(c.spans) != 3 {
		t.Fatalf("have %d spans, want 3: %v", len(c.spans), c.spans)
	}
	byName := map[string]*tracepb.Span{}
	for _, s := range c.spans {
		byName[s.Name] = s
		if !bytes.Equal(s.TraceId, parent.TraceID[:]) {
			t.Errorf("%s: have trace %x, want %x", s.Name, s.TraceId, parent.TraceID)
		}
	}
	top := byName["getPage"]
	if !bytes.Equal(top.ParentSpanId, parent.ParentID[:]) || top.Kind != tracepb.Span_SPAN_KIND_SERVER || top.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR || len(top.Attributes) != 2 {
		t.Errorf("have %v", top)
	}
	for _, name := range []string{"store.write", "queued"} {
		if s := byName[name]; !bytes.Equal(s.ParentSpanId, top.SpanId) {
			t.Errorf("%s: have the parent %x, want %x", name, s.ParentSpanId, top.SpanId)
		}
	}
	if s := byName["queued"]; s.EndTimeUnixNano-s.StartTimeUnixNano != uint64(time.Second) || s.StartTimeUnixNano != uint64(from.UnixNano()) {
		t.Errorf("have %v, want a second from %v on", s, from)
	}
	for label, want := range map[string]string{"service.name": "docs", "service.version": "v1.2.3", "deployment.environment.name": "test"} {
		if have := c.labels[label]; have != want {
			t.Errorf("%s: have %q, want %q", label, have, want)
		}
	}
	if c.header.Get("Api-Key") != "a b" || c.header.Get("X") != "y" || c.header.Get("User-Agent") != "Octavo/v1.2.3" {
		t.Errorf("have the header %v", c.header)
	}
}

// TestRetryAndLogFailures retries temporary failures and logs permanent ones, without
// the address, which may contain a password.
func TestRetryAndLogFailures(t *testing.T) {
	for _, x := range []struct {
		name    string
		answers []int
		reject  []byte
		spans   int
		logged  string
	}{
		{"busy", []int{503}, nil, 1, ""},
		{"refused", []int{400}, nil, 0, "400 Bad Request"},
		{"partial", nil, []byte{0x0a, 0x02, 0x08, 0x01}, 1, "rejected 1 spans"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := newCollector(t, httptest.NewServer)
			c.answers, c.reject = x.answers, x.reject
			var log bytes.Buffer
			tracer, err := open(t, &log, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", c.URL+"/v1/traces")
			if err != nil {
				t.Fatal(err)
			}
			_, span := tracer.Start(t.Context(), "getPage", Server, octavo.Traceparent{})
			span.End()
			if err := tracer.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if have := log.String(); len(c.spans) != x.spans || !strings.Contains(have, x.logged) || (x.logged == "" && have != "") || strings.Contains(have, c.URL) {
				t.Errorf("have %d spans and %q, want %d and %q", len(c.spans), have, x.spans, x.logged)
			}
		})
	}
}

// TestCollectorDown delays nothing, and its address is not logged.
func TestCollectorDown(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	var log bytes.Buffer
	tracer, err := open(t, &log, "OTEL_EXPORTER_OTLP_ENDPOINT", strings.Replace(gone.URL, "//", "//user:secret@", 1), "OTEL_BSP_EXPORT_TIMEOUT", "100")
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracer.Start(t.Context(), "getPage", Server, octavo.Traceparent{})
	span.End()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := tracer.Close(ctx); err != nil {
		t.Error(err)
	}
	if have := log.String(); !strings.Contains(have, "traces were not sent") || strings.Contains(have, "secret") {
		t.Errorf("have %q", have)
	}
}

// TestOwnAuthority: a collector may have a certificate of one's own authority.
func TestOwnAuthority(t *testing.T) {
	c := newCollector(t, httptest.NewTLSServer)
	file := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	tracer, err := open(t, io.Discard, "OTEL_EXPORTER_OTLP_ENDPOINT", c.URL, "OTEL_EXPORTER_OTLP_CERTIFICATE", file)
	if err != nil {
		t.Fatal(err)
	}
	_, span := tracer.Start(t.Context(), "getPage", Server, octavo.Traceparent{})
	span.End()
	if err := tracer.Close(t.Context()); err != nil || len(c.spans) != 1 {
		t.Errorf("have %d spans, %v", len(c.spans), err)
	}
}

// TestVariables: without the variables nothing is recorded, and one that cannot
// be followed is named.
func TestVariables(t *testing.T) {
	const endpoint, address = "OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1"
	for _, x := range []struct {
		variables []string
		want      string // "off", "on", or what the error says
	}{
		{nil, "off"},
		{[]string{"OTEL_SERVICE_NAME", "docs"}, "off"},
		{[]string{endpoint, address}, "on"},
		{[]string{endpoint, address, "OTEL_SDK_DISABLED", "TRUE"}, "off"},
		{[]string{endpoint, address, "OTEL_TRACES_EXPORTER", "none"}, "off"},
		{[]string{endpoint, address, "OTEL_TRACES_EXPORTER", "jaeger"}, "OTEL_TRACES_EXPORTER"},
		{[]string{endpoint, "localhost:4318"}, endpoint + ": must be an address"},
		{[]string{endpoint, address, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "grpc"}, "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"},
		{[]string{endpoint, address, "OTEL_EXPORTER_OTLP_HEADERS", "key"}, "OTEL_EXPORTER_OTLP_HEADERS"},
		{[]string{endpoint, address, "OTEL_EXPORTER_OTLP_TIMEOUT", "10s"}, "OTEL_EXPORTER_OTLP_TIMEOUT"},
		{[]string{endpoint, address, "OTEL_EXPORTER_OTLP_COMPRESSION", "zstd"}, "OTEL_EXPORTER_OTLP_COMPRESSION"},
		{[]string{endpoint, address, "OTEL_EXPORTER_OTLP_CERTIFICATE", "/nowhere"}, "OTEL_EXPORTER_OTLP_CERTIFICATE"},
		{[]string{endpoint, address, "OTEL_TRACES_SAMPLER", "sometimes"}, "OTEL_TRACES_SAMPLER"},
		{[]string{endpoint, address, "OTEL_TRACES_SAMPLER", "traceidratio", "OTEL_TRACES_SAMPLER_ARG", "2"}, "OTEL_TRACES_SAMPLER_ARG"},
		{[]string{endpoint, address, "OTEL_TRACES_SAMPLER", "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG", "0.25"}, "on"},
		{[]string{endpoint, address, "OTEL_BSP_MAX_QUEUE_SIZE", "many"}, "OTEL_BSP_MAX_QUEUE_SIZE"},
	} {
		t.Run(strings.Join(x.variables, " "), func(t *testing.T) {
			tracer, err := open(t, io.Discard, x.variables...)
			have := "off"
			switch {
			case err != nil:
				have = err.Error()
			case tracer != nil:
				have = "on"
				if err := tracer.Close(t.Context()); err != nil {
					t.Error(err)
				}
			}
			if !strings.HasPrefix(have, x.want) {
				t.Errorf("have %q, want %q", have, x.want)
			}
		})
	}
}

// TestSampling: what is not sampled is not sent, and says so to those it calls.
func TestSampling(t *testing.T) {
	c := newCollector(t, httptest.NewServer)
	tracer, err := open(t, io.Discard, "OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	if err != nil {
		t.Fatal(err)
	}
	parent, _ := octavo.ParseTraceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
	_, span := tracer.Start(t.Context(), "getPage", Server, parent)
	if have := span.Traceparent(); have.Flags != 0 || have.TraceID != parent.TraceID || have.ParentID == parent.ParentID {
		t.Errorf("have %v, want another step of %v", have, parent)
	}
	span.End()
	if err := tracer.Close(t.Context()); err != nil || len(c.spans) != 0 {
		t.Errorf("have %d spans, %v; want none", len(c.spans), err)
	}
}

// TestNilTracerAllocations holds what a read costs where tracing is
// off.
func TestNilTracerAllocations(t *testing.T) {
	var tracer *Tracer
	ctx := t.Context()
	if n := testing.AllocsPerRun(100, func() {
		inner, span := tracer.Start(ctx, "getPage", Server, octavo.Traceparent{})
		_, child := tracer.Child(inner, "store.write", Internal)
		child.FailIf(nil)
		child.End()
		span.Text("octavo.request", "req_1")
		span.Int("http.response.status_code", 200)
		span.End()
	}); n != 0 {
		t.Errorf("have %v allocations, want 0", n)
	}
}
