package fuzztest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
)

// request is one step of a sequence. ${name} in it stands for a capture.
type request struct {
	number int
	op     operation
	as     string
	target string
	header map[string]string
	body   string
	again  bool // the same as the one before, with its Idempotency-Key
}

type answer struct {
	status int
	header http.Header
	body   []byte
}

// callers send the requests, each with its scopes.
var callers = map[string]string{
	"admin": "admin", "writer": "pages:write", "reader": "pages:read", "published": "pages:read", "published-key": "pages:read",
	"proposer": "pages:propose", "published-proposer": "pages:propose", "writer-key": "pages:write", "search-key": "", "nobody": "",
}

// publishedOnly reports whether a caller only sees published pages.
func publishedOnly(as string) bool {
	return as == "published" || as == "published-proposer" || as == "published-key" || as == "search-key" || as == "nobody"
}

// draw draws a request.
func (g *generator) draw(number int) request {
	operations := g.d.operations
	if g.proposals {
		operations = g.d.proposals
	}
	r := request{number: number, op: oneOf(g, operations), header: map[string]string{}}
	for range 10 { // what needs a proposal is drawn when there is one
		missing := kindOf(r.op.Path) == "prop" && len(g.known.byKind["prop"]) == 0 && strings.Contains(r.op.Path, "{")
		if part := partOf(r.op.Path); !missing && (part == "" || len(g.known.byKind[part]) > 0) {
			break
		}
		r.op = oneOf(g, operations)
	}
	if r.op.Scope == "pages:write" && g.chance(75) || g.chance(10) {
		r.as = oneOf(g, []string{"writer", "writer-key", "admin"})
	} else if r.op.Scope == "pages:propose" && g.chance(75) {
		r.as = oneOf(g, []string{"proposer", "published-proposer", "writer", "admin"})
	} else if r.op.Scope == "admin" && g.chance(75) {
		r.as = "admin"
	} else {
		r.as = oneOf(g, []string{"admin", "writer", "reader", "proposer", "published", "published-proposer", "published-key", "search-key", "nobody"})
	}
	g.known.hostility = oneOf(g, []int{0, 0, 10, 50})
	g.known.kind, g.known.part, g.known.proposal, g.known.as = kindOf(r.op.Path), partOf(r.op.Path), "", ""
	path := r.op.Path
	query := []string{}
	for _, p := range r.op.parameters {
		name, _ := p["name"].(string)
		if p["in"] != "path" && (p["required"] != true || g.chance(1)) && !g.chance(g.usual(name)) {
			continue
		}
		v := plain(g.value(name, p["schema"], 0))
		switch p["in"] {
		case "path":
			path = strings.ReplaceAll(path, "{"+name+"}", escape(v))
		case "query":
			if name == "wait" && v != "0" {
				continue // only time
			}
			query = append(query, name+"="+escape(v))
		case "header":
			if !strings.ContainsFunc(v, func(c rune) bool { return c < ' ' || c == 0x7f }) {
				r.header[name] = v
			}
		}
	}
	if _, known := callers[g.known.as]; known && r.op.Scope != "pages:write" {
		r.as = g.known.as
	}
	slices.Sort(query)
	r.target = "/v1" + path
	if r.op.Search {
		r.target = "/search/us" + r.target
	}
	if len(query) > 0 {
		r.target += "?" + strings.Join(query, "&")
	}
	if len(r.op.bodies) > 0 {
		g.fill(&r)
	}
	return r
}

// kindOf returns the prefix of the identifier {id} in a path.
func kindOf(path string) string {
	for part, kind := range map[string]string{"/webhooks/": "hook", "/proposals/": "prop", "/api-keys/": "key", "/events/": "evt"} {
		if strings.HasPrefix(path, part) {
			return kind
		}
	}
	return "page"
}

// partOf returns the prefix of the identifier of a proposal's part in a path.
func partOf(path string) string {
	for part, kind := range map[string]string{"{changeId}": "chg", "{reviewId}": "rev", "{commentId}": "cmt"} {
		if strings.Contains(path, part) {
			return kind
		}
	}
	return ""
}

// usual is the percentage of requests with a parameter. Proposals are always changed with
// their version.
func (g *generator) usual(name string) int {
	if name == "If-Match" && g.known.kind == "prop" {
		return 85
	}
	return 25
}

// fill draws the body of a request.
func (g *generator) fill(r *request) {
	body := oneOf(g, r.op.bodies)
	r.header["Content-Type"] = body.media
	if body.media == "multipart/form-data" {
		r.header["Content-Type"] += "; boundary=b"
		var b strings.Builder
		fmt.Fprintf(&b, "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=%q\r\n\r\n%s\r\n",
			oneOf(g, []string{"a.txt", "b.svg", "ü.bin", ""}), oneOf(g, []string{"text", "<svg/>", "same bytes", "\x00\x01"}))
		if g.chance(50) {
			metadata, _ := g.value("", g.d.at("#/components/schemas/AssetMetadata"), 0).(node)
			fmt.Fprintf(&b, "--b\r\nContent-Disposition: form-data; name=\"metadata\"\r\nContent-Type: application/json\r\n\r\n%s\r\n", text(metadata))
		}
		r.body = b.String() + "--b--\r\n"
		return
	}
	schema := body.schema
	if strings.HasSuffix(body.media, "yaml") {
		schema = g.d.at("#/components/schemas/PageCreateRequest")
	}
	r.body = text(g.value("", schema, 0))
	if g.known.hostility > 0 && g.chance(5) {
		r.body = r.body[:g.IntN(len(r.body)+1)]
	}
}

// plain returns a value as text for a path, a query or a header.
func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	return text(v)
}

func text(v any) string {
	t, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(t)
}

// escape escapes all but captures.
func escape(v string) string {
	if strings.HasPrefix(v, "${") {
		return v
	}
	return url.PathEscape(strings.ReplaceAll(v, "&", "%26"))
}

// expand replaces captures in a text by their values. It returns false if one is missing.
func expand(text string, values map[string]string) (string, bool) {
	whole := true
	text = os.Expand(escapeDollars(text), func(name string) string {
		if name == "$" {
			return "$"
		}
		v, ok := values[name]
		whole = whole && ok
		return v
	})
	return text, whole
}

// escapeDollars escapes every $ except in captures, for os.Expand.
func escapeDollars(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "$", "${$}"), "${$}{v", "${v")
}

// http builds the request. It returns nil if a value is missing, or if a client could not
// send it.
func (r request) http(values map[string]string, credential map[string]string) (*http.Request, string) {
	target, ok := expand(r.target, values)
	body, whole := expand(r.body, values)
	if !ok || !whole {
		return nil, ""
	}
	if r.as == "search-key" {
		mark := "?"
		if strings.Contains(target, "?") {
			mark = "&"
		}
		target += mark + "api_key=" + credential[r.as]
	}
	if _, err := url.ParseRequestURI(target); err != nil {
		return nil, ""
	}
	q := httptest.NewRequest(r.op.Method, target, strings.NewReader(body))
	q.RemoteAddr = "192.0.2.1:1234"
	for name, value := range r.header {
		v, ok := expand(value, values)
		if !ok {
			return nil, ""
		}
		q.Header.Set(name, v)
	}
	switch {
	case r.as == "nobody" || r.as == "search-key":
	case strings.HasSuffix(r.as, "-key"):
		q.Header.Set("X-API-Key", credential[r.as])
	default:
		q.Header.Set("Authorization", "Bearer "+credential[r.as])
	}
	return q, body
}

// String returns the request in the language of package conform.
func (r request) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\nas %s\n", r.op.Method, r.target, r.as)
	for name, value := range r.header {
		fmt.Fprintf(&b, "%s: %s\n", name, value)
	}
	if r.body != "" {
		fmt.Fprintf(&b, "raw: %q\n", r.body)
	}
	return b.String()
}
