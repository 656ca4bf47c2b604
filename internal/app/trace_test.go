package app_test

import (
	"bytes"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// spans are those that a collector received.
type spans struct {
	mu   sync.Mutex
	list []*tracepb.Span
}

// ServeHTTP implements http.Handler: a receiver of OTLP.
func (s *spans) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var data tracepb.TracesData
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = proto.Unmarshal(body, &data)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, about := range data.ResourceSpans {
		for _, scope := range about.ScopeSpans {
			s.list = append(s.list, scope.Spans...)
		}
	}
}

// below returns the spans of a name whose parent is the given one.
func (s *spans) below(parent []byte, name string) []*tracepb.Span {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*tracepb.Span
	for _, span := range s.list {
		if span.Name == name && bytes.Equal(span.ParentSpanId, parent) {
			found = append(found, span)
		}
	}
	return found
}

// path returns the span at the end of a chain of names that begins below the
// parent.
func (s *spans) path(t *testing.T, parent []byte, names ...string) *tracepb.Span {
	t.Helper()
	var last *tracepb.Span
	for _, name := range names {
		found := s.below(parent, name)
		if len(found) != 1 {
			t.Fatalf("have %d spans %s, want one after %v", len(found), name, names)
		}
		last = found[0]
		parent = last.SpanId
	}
	return last
}

// TestTraceThroughParts: a trace that a caller began goes through the request,
// its commit and the change log to the receiver of a webhook; one of an export
// to the message of its end; a search is a step of its own. No step tells what
// was asked for or written, by which credential, nor where a receiver is.
func TestTraceThroughParts(t *testing.T) {
	collected := &spans{}
	collector := httptest.NewServer(collected)
	defer collector.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	tracer, err := tracing.Open(t.Context(), tracing.Options{
		Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler), Version: "test",
		Client: func(timeout time.Duration, _ *tls.Config) *http.Client { return &http.Client{Timeout: timeout} },
	})
	if err != nil {
		t.Fatal(err)
	}
	type sent struct{ kind, traceparent, id string }
	arrived := make(chan sent, 16)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var event octavo.Event
		if err := json.NewDecoder(r.Body).Decode(&event); err != nil {
			t.Error(err)
		}
		arrived <- sent{string(event.Type), r.Header.Get("Traceparent"), r.Header.Get("X-Trace-Id")}
	}))
	defer receiver.Close()
	writing, exporting, searching := parentOf(t, '4'), parentOf(t, '5'), parentOf(t, '6')
	var published, ended sent
	served := t.Run("serve", func(t *testing.T) { // its end ends the server, and all spans with it
		s := octavotest.Start(t, octavotest.Options{Trace: tracer, Deliver: true, Search: true, Export: true})
		as := func(parent octavo.Traceparent) *client.Client {
			api, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})),
				client.WithHTTPClient(&http.Client{Transport: traced(parent.String())}))
			if err != nil {
				t.Fatal(err)
			}
			return api
		}
		await := func(kind octavo.EventType) sent {
			select {
			case v := <-arrived:
				if v.kind != string(kind) {
					t.Errorf("have %s, want %s", v.kind, kind)
				}
				return v
			case <-time.After(time.Minute):
				t.Fatalf("no %s arrived", kind)
				return sent{}
			}
		}
		api := as(writing)
		if _, err := api.CreateWebhook(t.Context(), octavo.WebhookCreate{URL: receiver.URL + "/hushed?token=hushed", Types: []octavo.EventType{octavo.PagePublished, octavo.ExportIsReady}}); err != nil {
			t.Fatal(err)
		}
		if _, err := api.Create(t.Context(), octavo.PageCreate{Title: "T", Slug: "hushed", Content: "hushed", Status: octavo.Published}); err != nil {
			t.Fatal(err)
		}
		published = await(octavo.PagePublished)
		if _, err := as(exporting).CreateExport(t.Context(), json.RawMessage(`{"format":"markdown","scope":"published"}`)); err != nil {
			t.Fatal(err)
		}
		ended = await(octavo.ExportIsReady)
		if _, err := as(searching).Search(t.Context(), client.SearchQuery{Text: "hushed"}); err != nil {
			t.Fatal(err)
		}
	})
	if err := tracer.Close(t.Context()); err != nil || !served {
		t.Fatal(err)
	}

	collected.path(t, writing.ParentID[:], "createPage", "store.write")
	collected.path(t, writing.ParentID[:], "createPage", "delivery.queued")
	collected.path(t, exporting.ParentID[:], "createExport", "export.queued")
	collected.path(t, exporting.ParentID[:], "createExport", "export.make")
	collected.path(t, exporting.ParentID[:], "createExport", "delivery.queued")
	collected.path(t, searching.ParentID[:], "searchPages", "search.find")
	for _, x := range []struct {
		sent   sent
		parent octavo.Traceparent
		span   *tracepb.Span
	}{
		{published, writing, collected.path(t, writing.ParentID[:], "createPage", "delivery.send")},
		{ended, exporting, collected.path(t, exporting.ParentID[:], "createExport", "delivery.send")},
	} {
		if have, want := x.sent.traceparent, "00-"+hex.EncodeToString(x.parent.TraceID[:])+"-"+hex.EncodeToString(x.span.SpanId)+"-01"; have != want || x.sent.id != "" {
			t.Errorf("%s came with %q and the trace id %q, want %q", x.sent.kind, have, x.sent.id, want)
		}
		if !bytes.Equal(x.span.TraceId, x.parent.TraceID[:]) || x.span.Kind != tracepb.Span_SPAN_KIND_CLIENT {
			t.Errorf("have %v", x.span)
		}
	}
	for _, span := range collected.list {
		if text := span.String(); strings.Contains(text, "hushed") || strings.Contains(text, "eyJ") || strings.Contains(text, receiver.URL) {
			t.Errorf("the span %s", text)
		}
	}
	if begun := slices.ContainsFunc(collected.list, func(s *tracepb.Span) bool { return len(s.ParentSpanId) == 0 && s.Name == "store.write" }); begun {
		t.Error("what works in the background began traces")
	}
}

// traced sends requests with a traceparent.
type traced string

func (text traced) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Traceparent", string(text))
	return http.DefaultTransport.RoundTrip(r)
}

// parentOf is a step of a trace that begins with the digit.
func parentOf(t *testing.T, digit rune) octavo.Traceparent {
	t.Helper()
	parent, ok := octavo.ParseTraceparent("00-" + string(digit) + "bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	if !ok {
		t.Fatalf("%c begins no trace", digit)
	}
	return parent
}
