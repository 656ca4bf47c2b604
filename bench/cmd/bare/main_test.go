package main

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/target"
)

func TestHandlerReplaysCapture(t *testing.T) {
	page := &target.Answer{Status: 200, Header: http.Header{"Etag": {`"1"`}, "Content-Length": {"4"}}, Body: []byte("page")}
	made := &target.Answer{Status: 201, Header: http.Header{"Location": {"/there"}}, Body: []byte("made")}
	h := handler(answers{gets: map[string]*target.Answer{"/v1/pages?limit=20": page}, post: made})
	for _, c := range []struct {
		method, path string
		want         *target.Answer
	}{
		{"GET", "/v1/pages?limit=20", page},
		{"POST", "/v1/pages", made},
		{"GET", "/v1/pages", nil},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, strings.NewReader("body")))
		if c.want == nil {
			if w.Code != http.StatusNotFound {
				t.Errorf("%s %s: have %d, want 404", c.method, c.path, w.Code)
			}
			continue
		}
		if w.Code != c.want.Status || !reflect.DeepEqual(w.Header(), c.want.Header) || w.Body.String() != string(c.want.Body) {
			t.Errorf("%s %s: have %d %v %q, want %+v", c.method, c.path, w.Code, w.Header(), w.Body, c.want)
		}
	}
}
