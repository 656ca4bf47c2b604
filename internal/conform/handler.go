package conform

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
)

// Handler returns a transport that hands requests to h within the process, as
// a server would, so that scripts need no port.
func Handler(h http.Handler) http.RoundTripper { return handler{h} }

type handler struct{ h http.Handler }

// RoundTrip implements http.RoundTripper.
func (t handler) RoundTrip(out *http.Request) (*http.Response, error) {
	in := out.Clone(out.Context())
	in.RequestURI = out.URL.RequestURI()
	in.RemoteAddr = "192.0.2.1:1234" // of the addresses for documentation, RFC 5737
	if in.Host == "" {
		in.Host = out.URL.Host
	}
	var err error
	if in.URL, err = url.ParseRequestURI(in.RequestURI); err != nil {
		return nil, err
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := &recorder{header: http.Header{}}
	t.h.ServeHTTP(w, in)
	w.WriteHeader(http.StatusOK) // has no effect when one was written
	if out.Method == http.MethodHead {
		w.body.Reset()
	}
	return &http.Response{
		StatusCode: w.status, Header: w.sent, Request: out,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()),
	}, nil
}

// recorder keeps what a handler answers. Like a server, it takes the header as
// it stands when the status is written.
type recorder struct {
	header, sent http.Header
	status       int
	body         bytes.Buffer
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 && status >= http.StatusOK {
		w.status, w.sent = status, w.header.Clone()
	}
}

func (w *recorder) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(b)
}

// Flush implements http.Flusher.
func (w *recorder) Flush() { w.WriteHeader(http.StatusOK) }
