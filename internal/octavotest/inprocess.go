package octavotest

import (
	"cmp"
	"net/http"
	"net/http/httptest"
)

// InProcess returns a transport that calls h.
func InProcess(h http.Handler) http.RoundTripper { return inProcess{h} }

type inProcess struct{ http.Handler }

func (t inProcess) RoundTrip(out *http.Request) (*http.Response, error) {
	in := httptest.NewRequestWithContext(out.Context(), out.Method, out.URL.RequestURI(), out.Body)
	in.Header, in.Host, in.ContentLength = out.Header.Clone(), cmp.Or(out.Host, out.URL.Host), out.ContentLength
	w := httptest.NewRecorder()
	t.ServeHTTP(w, in)
	if out.Method == http.MethodHead {
		w.Body.Reset()
	}
	return w.Result(), nil
}
