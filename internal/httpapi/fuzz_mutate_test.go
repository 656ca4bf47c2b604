package httpapi_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/conform"
)

// sample is a request in the form that surface.request reads.
type sample struct{ method, target, headers, body string }

// choices are read from the input of a fuzz target; when they end all further
// ones are 0.
type choices struct{ rest []byte }

func (c *choices) next(n int) int {
	if len(c.rest) == 0 || n == 0 {
		return 0
	}
	v := int(c.rest[0])
	c.rest = c.rest[1:]
	return v % n
}

// pick returns one of the list.
func pick[T any](c *choices, list []T) T { return list[c.next(len(list))] }

// hostile are values that take the place of good ones, as JSON.
func hostile() []string {
	return []string{
		`null`, `""`, `0`, `-1`, `1e999`, `1.5`, `9223372036854775808`, `true`, `[]`, `{}`, `[[[[[[]]]]]]`, `{"":{"":null}}`,
		`"a"`, `" "`, `"\u0000"`, `"\ud83d\ude00"`, `"../.."`, `"%00"`, `"` + strings.Repeat("x", 600) + `"`, `"$page"`, `"$proposal"`, `"$change"`, `"guide"`,
		`"page_01h455vb4pex5vsknk084sn02q"`, `"published"`, `"archived"`, `"root"`, `"2026-02-30T00:00:00Z"`, `"9999-12-31T23:59:60.999999999+23:59"`,
		`"javascript:alert(1)"`, `"https://a.example/"`, `"*"`, `"\"x\""`, `"a,b;c=d&e#f?g"`, `"` + "\u202e\u0301" + `"`, `"application/json;q=0"`,
		`{"tags":["a","a",1,null,{}]}`, `[{"op":"create"}]`,
	}
}

// plainText is a hostile value as it stands in a path, a query or a header.
func plainText(c *choices) string {
	var text string
	value := pick(c, hostile())
	if json.Unmarshal([]byte(value), &text) != nil {
		return value
	}
	return text
}

// mutate changes one thing about the request.
func (s sample) mutate(c *choices) sample {
	escape := strings.NewReplacer(" ", "%20", "\x00", "%00", "\n", "%0a", "\u202e", "%e2%80%ae")
	path, query, _ := strings.Cut(s.target, "?")
	switch c.next(10) {
	case 0:
		s.method = pick(c, []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "X"})
	case 1: // a segment of the path
		parts := strings.Split(path, "/")
		parts[max(1, c.next(len(parts)))%len(parts)] = escape.Replace(plainText(c))
		s.target = strings.Join(parts, "/") + "?" + query
	case 2: // a parameter: another value, or once more
		parts := strings.Split(query, "&")
		i := c.next(len(parts))
		name, _, _ := strings.Cut(parts[i], "=")
		parts = slices.Insert(parts, i, name+"="+escape.Replace(plainText(c)))
		if c.next(2) == 0 {
			parts = slices.Delete(parts, i+1, i+2)
		}
		s.target = path + "?" + strings.Join(parts, "&")
	case 3: // a header: another value, once more, or gone
		lines := strings.Split(s.headers, "\n")
		i := c.next(len(lines))
		name, _, _ := strings.Cut(lines[i], ":")
		lines = slices.Insert(lines, i, name+": "+plainText(c))
		if c.next(3) > 0 {
			lines = slices.Delete(lines, i+1, i+2)
		} else if c.next(2) > 0 {
			lines = slices.Delete(lines, i, i+2)
		}
		s.headers = strings.Join(lines, "\n")
	case 4:
		s.headers += "\n" + pick(c, []string{"Idempotency-Key", "If-Match", "If-None-Match", "Accept", "Prefer", "X-Trace-Id", "Content-Type", "Accept-Encoding", "X-API-Key", "Authorization"}) + ": " + plainText(c)
	case 5:
		s.headers += "\nas: " + pick(c, []string{"reader", "proposer", "writer", "admin", "published", "key", "nobody"})
	case 6: // a part of the text of the body
		i, j := c.next(len(s.body)+1), c.next(len(s.body)+1)
		s.body = s.body[:min(i, j)] + pick(c, []string{"", "\xff", "{", "\"", ",", "\x00", "- ", "&a ", "*a", "\n"}) + s.body[max(i, j):]
	default: // a value in the body
		var value any
		decoder := json.NewDecoder(strings.NewReader(s.body))
		decoder.UseNumber()
		if decoder.Decode(&value) == nil {
			if text, err := json.Marshal(replaceIn(c, value)); err == nil {
				s.body = string(text)
			}
		}
	}
	return s
}

// replaceIn returns the value with something in it replaced, removed or added.
func replaceIn(c *choices, value any) any {
	other := json.RawMessage(pick(c, hostile()))
	switch v := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(v))
		switch c.next(6) {
		case 0:
			return other
		case 1:
			v[pick(c, []string{"title", "slug", "content", "status", "frontmatter", "parentId", "position", "publishAt", "callbackUrl", "op", "id", "ifMatch", "page", "source", "atomic", "children", "changes", "pageId", "baseRevision", "frontmatterRaw", "extra"})] = other
		default:
			if len(names) > 0 {
				name := pick(c, names)
				if v[name] = replaceIn(c, v[name]); c.next(8) == 1 {
					delete(v, name)
				}
			}
		}
		return v
	case []any:
		if len(v) == 0 || c.next(6) == 0 {
			return append(v, other)
		}
		i := c.next(len(v))
		v[i] = replaceIn(c, v[i])
		return v
	}
	return other
}

// FuzzMutated puts sequences of valid requests, most of them with a few
// changes, to the server, and holds each answer against the document too.
func FuzzMutated(f *testing.F) {
	samples := samples()
	for i := range samples {
		f.Add([]byte{byte(i), 0})
		f.Add([]byte{byte(i), 1, byte(7 * i), byte(i), 1, 3, byte(i), 2, 7, 1, 2, 3, 4, 5})
	}
	f.Add([]byte{14, 2, 7, 5, 0, 0, 2, 3, 1, 9, 1, 6, 20, 40, 2, 10, 1, 3, 1, 4, 1})
	s := newSurface(f)
	judge := newJudge(f)
	f.Fuzz(func(t *testing.T, input []byte) {
		s.send("POST", "/v1/pages/$page/restore", "as: writer", nil) // an input before may have deleted it
		c := &choices{input}
		for range 8 {
			if len(c.rest) == 0 {
				break
			}
			request := pick(c, samples)
			for range c.next(4) {
				request = request.mutate(c)
			}
			r := s.request(request.method, request.target, request.headers, []byte(request.body))
			if r == nil {
				continue
			}
			w := httptest.NewRecorder()
			s.Handler.ServeHTTP(w, r)
			body := bytes.Clone(w.Body.Bytes())
			for _, broken := range judge(r, []byte(s.expand(request.body)), w) {
				t.Errorf("%+v\nhave %d %v\n%.1000q\n%s: %s", request, w.Code, w.Header(), body, broken, s.log.take())
			}
		}
		s.log.take()
	})
}

// newJudge returns judge with the document's say in addition.
func newJudge(t testing.TB) func(*http.Request, []byte, *httptest.ResponseRecorder) []string {
	t.Helper()
	document, err := conform.NewJudge(api.Document())
	if err != nil {
		t.Fatal(err)
	}
	return func(r *http.Request, sent []byte, w *httptest.ResponseRecorder) []string {
		body := bytes.Clone(w.Body.Bytes())
		broken := judge(r, sent, w)
		if w.Header().Get("Content-Encoding") != "" {
			return broken
		}
		return append(broken, document.Check(r.Method, r.URL.RequestURI(), w.Code, w.Header(), body)...)
	}
}
