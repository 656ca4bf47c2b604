package faulttest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// The server reads request boundaries unambiguously or closes the connection, since a
// proxy in front may read them differently.
func TestSmuggling(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	s := in.serve(t)
	token := in.token(t)
	a := newAPI(t, s.url, token)
	const chunked = "Transfer-Encoding: chunked\r\n"
	for _, c := range []struct {
		name string
		// The request's fields and body. HIDDEN stands for a request that
		// would be found in the body, LEN for the body's length.
		fields, body string
		want         []int // statuses of the first answer
	}{
		{"two different lengths", "Content-Length: 0\r\nContent-Length: LEN\r\n", "HIDDEN", []int{400}},
		{"two lengths in one field", "Content-Length: 0, LEN\r\n", "HIDDEN", []int{400}},
		{"a length with a sign", "Content-Length: +LEN\r\n", "HIDDEN", []int{400}},
		{"a negative length", "Content-Length: -1\r\n", "HIDDEN", []int{400}},
		{"a hexadecimal length", "Content-Length: 0x10\r\n", "HIDDEN", []int{400}},
		{"a huge length", "Content-Length: 99999999999999999999\r\n", "HIDDEN", []int{400}},
		{"a length and chunks", "Content-Length: LEN\r\n" + chunked, "0\r\n\r\nHIDDEN", []int{400}},
		{"chunks and a length", chunked + "Content-Length: 5\r\n", "0\r\n\r\nHIDDEN", []int{400}},
		{"chunks in other letters and a length", "transfer-encoding: Chunked\r\nContent-Length: 5\r\n", "0\r\n\r\nHIDDEN", []int{400}},
		{"chunks twice", chunked + chunked + "Content-Length: 5\r\n", "0\r\n\r\nHIDDEN", []int{400, 501}},
		{"chunks and identity", "Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\nHIDDEN", []int{400, 501}},
		{"an unknown coding", "Transfer-Encoding: xchunked\r\nContent-Length: 5\r\n", "0\r\n\r\nHIDDEN", []int{400, 501}},
		{"a blank before the colon", "Transfer-Encoding : chunked\r\nContent-Length: LEN\r\n", "0\r\n\r\nHIDDEN", []int{400}},
		{"a vertical tab in the coding", "Transfer-Encoding: \vchunked\r\nContent-Length: LEN\r\n", "0\r\n\r\nHIDDEN", []int{400, 501}},
		{"a field that goes on", "X-A: b\r\n Transfer-Encoding: chunked\r\nContent-Length: LEN\r\n", "0\r\n\r\nHIDDEN", []int{400}},
		{"a bare CR in a field", "X-A: b\rTransfer-Encoding: chunked\r\nContent-Length: LEN\r\n", "0\r\n\r\nHIDDEN", []int{400}},
		{"a NUL in a field", "X-A: b\x00c\r\nContent-Length: LEN\r\n", "HIDDEN", []int{400}},
		{"a size that is no number", chunked, "zz\r\n{}\r\n0\r\n\r\nHIDDEN", []int{400}},
		{"a size with a sign", chunked, "+2\r\n{}\r\n0\r\n\r\nHIDDEN", []int{400}},
		{"a size with 0x", chunked, "0x2\r\n{}\r\n0\r\n\r\nHIDDEN", []int{400}},
		{"a size that overflows", chunked, "10000000000000002\r\n{}\r\n0\r\n\r\nHIDDEN", []int{400}},
		{"no line break behind a chunk", chunked, "2\r\n{}x0\r\n\r\nHIDDEN", []int{400}},
		{"a bare LF behind a size", chunked, "2\n{}\r\n0\r\n\r\nHIDDEN", []int{400}},
		{"a bare LF behind an extension", chunked, "2;a\n{}\r\n0\r\n\r\nHIDDEN", []int{400}},
		{"endless extensions", chunked, "2;" + strings.Repeat("a", 1<<16) + "\r\n{}\r\n0\r\n\r\nHIDDEN", []int{400}},
		{"trailers that are framing", chunked, "2\r\n{}\r\n0\r\nContent-Length: LEN\r\n\r\nHIDDEN", []int{400}},
	} {
		slug := strings.ReplaceAll(c.name, " ", "-")
		page := fmt.Sprintf(`{"title":"x","slug":%q,"content":""}`, strings.ToLower(slug))
		hidden := fmt.Sprintf("POST /v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			token, len(page), page)
		body := strings.ReplaceAll(c.body, "HIDDEN", hidden)
		fields := strings.ReplaceAll(c.fields, "LEN", fmt.Sprint(len(body)))
		w := s.dial(t)
		w.send("POST /v1/pages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\nContent-Type: application/json\r\n" + fields + "\r\n" + body)
		w.halfClose()
		list, err := w.answers()
		if err != nil || len(list) != 1 || !slices.Contains(c.want, list[0].status) {
			t.Errorf("%s: have %v, %v; want one answer of %v and the end", c.name, list, err, c.want)
		}
		have, err := a.do(t.Context(), call{method: http.MethodGet, path: "/pages/by-slug/" + strings.ToLower(slug)})
		if err != nil || have.status != octavo.NotFound.Info().Status {
			t.Errorf("%s: the hidden request was carried out: %s, %v", c.name, have, err)
		}
	}
	if err := health(t.Context(), a); err != nil {
		t.Error(err)
	}
}
