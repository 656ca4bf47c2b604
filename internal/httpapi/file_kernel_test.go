package httpapi_test

import (
	"io"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/octavo-docs/octavo/internal/octavotest"
)

// kernelWriter stands for a connection. It counts what it could have the kernel
// send from a file.
type kernelWriter struct {
	http.ResponseWriter
	sent *atomic.Int64
}

func (w kernelWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w kernelWriter) ReadFrom(src io.Reader) (int64, error) {
	n, err := io.Copy(struct{ io.Writer }{w.ResponseWriter}, src)
	if part, ok := src.(*io.LimitedReader); ok {
		if _, file := part.R.(syscall.Conn); file {
			w.sent.Add(n)
		}
	}
	return n, err
}

// TestSendfile: a file of the folder reaches the connection as a
// file, which can then be sent without passing through the program.
func TestSendfile(t *testing.T) {
	t.Parallel()
	var sent atomic.Int64
	s, _ := startWithFiles(t, octavotest.Options{Wrap: func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(kernelWriter{w, &sent}, r) })
	}})
	path := upload(t, s, "some text")
	for ranges, want := range map[string]int64{"": 9, "bytes=2-4": 3} {
		sent.Store(0)
		if _, body := send(t, s, http.MethodGet, path, "", "Range", ranges); sent.Load() != want {
			t.Errorf("Range %q: of %q the kernel could send %d bytes, want %d", ranges, body, sent.Load(), want)
		}
	}
}
