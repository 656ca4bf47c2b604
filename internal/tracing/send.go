package tracing

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

const (
	firstPause = time.Second // before a batch is sent again; doubled each time
	maxPause   = 10 * time.Second
)

// sender sends spans by OTLP over HTTP. It implements otlptrace.Client instead of
// otlptracehttp, which would link gRPC into the program.
type sender struct {
	client  *http.Client
	address *url.URL
	header  http.Header
	timeout time.Duration // of one request
	level   int           // of gzip; 0 does not compress
	agent   string
}

func (*sender) Start(context.Context) error { return nil }

func (s *sender) Stop(context.Context) error {
	s.client.CloseIdleConnections()
	return nil
}

// againError is a failure that may be retried.
type againError struct {
	err   error
	after time.Duration // 0 if the collector does not say
}

func (e *againError) Error() string { return e.err.Error() }

func (e *againError) Unwrap() error { return e.err }

// UploadTraces implements otlptrace.Client. It retries temporary failures (OTLP
// specification, "Failures") until ctx ends, which the SDK limits to
// OTEL_BSP_EXPORT_TIMEOUT.
func (s *sender) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// The requested message, ExportTraceServiceRequest, has the same only field.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	if body, err = s.compress(body); err != nil {
		return err
	}
	for pause := firstPause; ; pause = min(2*pause, maxPause) {
		err := s.post(ctx, body)
		var again *againError
		if !errors.As(err, &again) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(max(again.after, pause)):
		}
	}
}

func (s *sender) compress(body []byte) ([]byte, error) {
	if s.level == 0 {
		return body, nil
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, s.level)
	if err != nil {
		return nil, fmt.Errorf("compress spans: %w", err)
	}
	if _, err := w.Write(body); err != nil {
		return nil, fmt.Errorf("compress spans: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress spans: %w", err)
	}
	return b.Bytes(), nil
}

func (s *sender) post(ctx context.Context, body []byte) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address.String(), bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask the collector: %w", err)
	}
	req.Header.Set("User-Agent", s.agent)
	maps.Copy(req.Header, s.header)
	req.Header.Set("Content-Type", "application/x-protobuf")
	if s.level != 0 {
		req.Header.Set("Content-Encoding", "gzip")
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return &againError{err: plainError(err)}
	}
	defer resp.Body.Close() //nolint:errcheck // read as far as needed
	answer, err := io.ReadAll(resp.Body)
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests || code == http.StatusBadGateway || code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout:
		return &againError{fmt.Errorf("the collector answered %s", resp.Status), retryAfter(resp.Header)}
	case code < 200 || code > 299:
		return fmt.Errorf("the collector answered %s", resp.Status)
	case err != nil:
		return fmt.Errorf("read the collector's answer: %w", err)
	}
	if n := rejected(answer); n > 0 {
		return fmt.Errorf("the collector rejected %d spans", n)
	}
	return nil
}

// plainError removes the address from an error, since it may contain a password.
func plainError(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// retryAfter returns the pause that the collector asks for.
func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// rejected returns how many spans the collector did not accept: rejected_spans, 1, of
// partial_success, 1, of ExportTraceServiceResponse. It is 0 for any other response.
func rejected(answer []byte) (count uint64) {
	if field, kind, n := protowire.ConsumeTag(answer); field == 1 && kind == protowire.BytesType {
		inner, _ := protowire.ConsumeBytes(answer[n:])
		if field, kind, n := protowire.ConsumeTag(inner); field == 1 && kind == protowire.VarintType {
			count, _ = protowire.ConsumeVarint(inner[n:])
		}
	}
	return count
}
