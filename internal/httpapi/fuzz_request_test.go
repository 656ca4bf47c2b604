package httpapi_test

import (
	"compress/gzip"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
)

// samples are requests that a server answers well, most of them with success.
func samples() []sample {
	const (
		writer = "as: writer\nContent-Type: application/json"
		page   = `{"title":"T","slug":"s","content":"c"}`
	)
	return []sample{
		{"GET", "/v1/pages?limit=2&sort=-updatedAt&status=draft&tag=x&updatedAfter=2026-01-01T00:00:00Z", "as: reader", ""},
		{"GET", "/v1/pages?parentId=root&include=authors,children&slug=guide&cursor=AAAA", "as: published\nAccept: application/json;q=0.5, */*;q=0.1", ""},
		{"GET", "/v2/examples/basic-request", "as: key\nAccept-Encoding: gzip\nX-Trace-Id: t", ""},
		{"GET", "/v1/pages/$page?include=assets", "as: reader\nIf-None-Match: \"x\", W/\"y\"\nAccept: text/markdown", ""},
		{"HEAD", "/v1/pages/$page", "as: reader\nIf-None-Match: *", ""},
		{"GET", "/v1/pages/by-slug/guide", "as: reader\ntraceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", ""},
		{"GET", "/v1/pages/$page/revisions/1", "as: reader", ""},
		{"GET", "/v1/pages/$page/backlinks?limit=1", "as: reader", ""},
		{"POST", "/v1/pages", writer + "\nIdempotency-Key: k1", page},
		{"POST", "/v1/examples/basic-request", "as: writer\nContent-Type: application/x-yaml", "title: T\nslug: y\ncontent: |\n  x\nfrontmatter: {tags: [a, &b c, *b]}\n"},
		{"POST", "/v1/pages", "as: writer\nContent-Type: multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--b--\r\n"},
		{"PATCH", "/v1/pages/$page", writer + "\nIf-Match: *\nPrefer: handling=strict", `{"title":"U","position":1,"publishAt":"2030-01-01T00:00:00Z","parentId":null}`},
		{"PATCH", "/v1/examples/path-parameters/$page", "as: writer\nContent-Type: application/merge-patch+json", `{"status":"archived"}`},
		{"PUT", "/v1/pages/$page", writer + "\nIf-Match: \"a.1\"", page},
		{"POST", "/v1/pages/bulk", writer, `{"atomic":true,"operations":[{"op":"create","source":"a.md","page":` + page + `},{"op":"update","id":"$page","page":{"title":"V"}},{"op":"delete","id":"page_1","ifMatch":"*"}]}`},
		{"DELETE", "/v1/pages/page_01h455vb4pex5vsknk084sn02q?children=cascade", "as: admin", ""},
		{"POST", "/v1/pages/$page/restore", "as: writer\nIdempotency-Key: k2", ""},
		{"POST", "/v1/pages/$page/revisions/1/restore", "as: writer", ""},
		{"OPTIONS", "/v1/pages", "Origin: https://a.example\nAccess-Control-Request-Method: PUT", ""},
		{"GET", "/search/eu/v1/examples/query-parameters?q=a&api_key=x", "", ""},
		{"GET", "/v1/search?q=guide&filters=%7B%22tags%22:[%22a%22]%7D&limit=3&format=csv", "as: reader", ""},
		{"GET", "/v2/search?q=%22guide%22+x&explain=true", "as: admin\nAccept: text/csv;q=.1, */*\nPrefer: wait=1, handling=strict", ""},
		{"POST", "/v1/proposals", "as: proposer\nContent-Type: application/json\nIdempotency-Key: k3", `{"title":"T","description":"d","status":"draft","reviewers":[],"changes":[{"op":"update","pageId":"$page","title":"U","frontmatterRaw":"---\na: 1\n---\n"},{"op":"create","title":"T","slug":"proposed","content":"c","parentId":"$page"}]}`},
		{"PATCH", "/v1/proposals/$proposal", writer + "\nIf-Match: *", `{"title":"V","reviewers":["usr_01h455vb4pex5vsknk084sn02q"]}`},
		{"POST", "/v1/proposals/$proposal/changes", writer, `[{"op":"create","title":"T","slug":"more","content":"c","publishAt":"2030-01-01T00:00:00Z"}]`},
		{"PUT", "/v1/proposals/$proposal/changes/$change", writer + "\nIf-Match: *", `{"op":"update","pageId":"$page","content":"y","baseRevision":1}`},
		{"GET", "/v1/proposals/$proposal/changes/$change/diff", "as: proposer\nAccept: text/x-diff", ""},
		{"GET", "/v1/proposals/$proposal/changes/$change/preview?theme=dark", "as: proposer\nAccept: text/html", ""},
		{"GET", "/v1/proposals?pageId=$page&status=open&limit=1", "as: proposer", ""},
		{"GET", "/v1/proposals/$proposal/checks", "as: proposer\nIf-None-Match: *", ""},
		{"POST", "/v1/proposals/$proposal/comments", "as: proposer\nContent-Type: application/json", `{"changeId":"$change","side":"proposed","line":1,"text":"t","suggestion":"z"}`},
		{"POST", "/v1/proposals/$proposal/reviews", writer, `{"verdict":"approve","text":"t"}`},
		{"POST", "/v1/proposals/$proposal/merge", writer + "\nIf-Match: \"a.1\"", `{}`},
		{"GET", "/openapi.json", "", ""},
		{"GET", "/problems", "Accept: text/html", ""},
		{"GET", "/%2e%2e/x%zz", "", ""},
	}
}

// FuzzRequest puts any request to the server, most of them valid ones with
// something changed, and holds what is true of every answer.
func FuzzRequest(f *testing.F) {
	for _, seed := range samples() {
		f.Add(seed.method, seed.target, seed.headers, []byte(seed.body))
	}
	s := newSurface(f)
	f.Fuzz(func(t *testing.T, method, target, headers string, body []byte) {
		r := s.request(method, target, headers, body)
		if r == nil {
			return
		}
		w := httptest.NewRecorder()
		s.Handler.ServeHTTP(w, r)
		for _, broken := range judge(r, body, w) {
			t.Errorf("%s %s\n%s\n%q\nhave %d %v\n%.500q\n%s: %s", method, target, headers, body, w.Code, w.Header(), w.Body, broken, s.log.take())
		}
		if r.Header.Get("Idempotency-Key") != "" && r.Method == http.MethodPost && w.Code/100 == 2 {
			again := s.send(method, target, headers, body)
			if again.Code != w.Code || again.Body.String() != w.Body.String() || again.Header().Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s %s\n%s\n%q\nrepeated: have %d %v %s, want %d %s", method, target, headers, body, again.Code, again.Header(), again.Body, w.Code, w.Body)
			}
		}
		s.log.take()
	})
}

// judge lists what is not true of an answer and must be.
func judge(r *http.Request, sent []byte, w *httptest.ResponseRecorder) (broken []string) {
	hold := func(ok bool, rule string) {
		if !ok {
			broken = append(broken, rule)
		}
	}
	h, body := w.Header(), w.Body.Bytes()
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	hold(w.Code != http.StatusInternalServerError && w.Code >= 200 && w.Code < 600, "the server fails")
	hold(h.Get("X-Request-Id") != "", "no request id")
	for name, values := range h {
		for _, v := range values {
			hold(!strings.ContainsFunc(v, func(c rune) bool { return c < ' ' || c == 0x7f }), "control characters in "+name)
		}
	}
	if n := h.Get("Content-Length"); n != "" && r.Method != http.MethodHead {
		hold(n == strconv.Itoa(len(body)), "Content-Length is wrong")
	}
	if r.Method == http.MethodHead || w.Code == http.StatusNoContent || w.Code == http.StatusNotModified || w.Code == http.StatusUnauthorized {
		hold(len(body) == 0, "there is a body")
		return broken
	}
	if h.Get("Content-Encoding") == "gzip" {
		plain, err := gzip.NewReader(w.Body)
		if err == nil {
			body, err = io.ReadAll(plain)
		}
		hold(err == nil, "the body is not compressed")
	}
	value, err := jsonvalue.Decode(body)
	if media == "application/json" || media == "application/problem+json" {
		hold(err == nil, "the body is not JSON")
	}
	if w.Code >= 400 {
		hold(media == "application/problem+json", "an error is no Problem")
		status, _ := value.Get("status")
		hold(status.Str == strconv.Itoa(w.Code), "the Problem has another status")
		instance, _ := value.Get("instance")
		replayed := h.Get("Idempotency-Replayed") == "true" // that of the first request, as all of the answer
		hold(replayed || instance.Str == "urn:octavo:request:"+h.Get("X-Request-Id"), "the Problem has another instance")
	}
	if w.Code/100 == 2 {
		broken = append(broken, judgeSuccess(r, sent, value)...)
	}
	return broken
}

// judgeSuccess lists why a request cannot have succeeded.
func judgeSuccess(r *http.Request, sent []byte, answer octavo.Value) (broken []string) {
	change := r.Method != http.MethodGet && r.Method != http.MethodOptions
	if change && r.Header.Get("Authorization") == "" && r.Header.Get("X-API-Key") == "" {
		broken = append(broken, "nobody changes something")
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if change && media == "application/json" && !strings.HasSuffix(r.URL.Path, "/restore") && r.Method != http.MethodDelete {
		if _, err := jsonvalue.Decode(sent); err != nil {
			broken = append(broken, "a body that is not JSON is taken")
		}
	}
	whole := strings.HasSuffix(r.URL.Path, "/changes") || strings.HasSuffix(r.URL.Path, "/reviews") // of a proposal come at once
	if list, ok := answer.Get("data"); ok && !whole && list.Kind == octavo.KindArray && len(list.Items) > 100 {
		broken = append(broken, "a list has more than 100 pages")
	}
	return broken
}
