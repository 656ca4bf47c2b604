package fuzztest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/conform"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// play is a running sequence on a separate server.
type play struct {
	s           *octavotest.Server
	judge       *conform.Judge
	credentials map[string]string
	known       *harvest
	values      map[string]string // of captures
	state       *state
	linked      map[string]bool // pages whose id stands in the content of another
	last        *answer
	answers     int
	good, lates int
}

func newPlay(t testing.TB, o octavotest.Options) *play {
	t.Helper()
	o.RateLimit, o.Search, o.Export = 0, true, true
	p := &play{
		s: octavotest.Start(t, o), values: map[string]string{}, linked: map[string]bool{},
		known: &harvest{byKind: map[string][]capture{}, seen: map[string]bool{}},
	}
	var err error
	if p.judge, err = conform.NewJudge(api.Document()); err != nil {
		t.Fatal(err)
	}
	token := func(scopes octavo.Scopes, published bool) string {
		return p.s.Token(t, auth.Grant{Scopes: scopes, PublishedOnly: published, TTL: 24 * time.Hour})
	}
	p.credentials = map[string]string{
		"admin": token(octavo.ScopeAdmin, false), "writer": token(octavo.ScopeWrite, false), "reader": token(octavo.ScopeRead, false),
		"published": token(octavo.ScopeRead, true), "proposer": token(octavo.ScopePropose, false), "published-proposer": token(octavo.ScopePropose, true),
		"writer-key":    p.s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeWrite}),
		"published-key": p.s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeRead, PublishedOnly: true}),
		"search-key":    p.s.Key(t, auth.KeyRequest{Kind: octavo.KeySearch}),
	}
	if p.state, err = p.read(); err != nil {
		t.Fatal(err)
	}
	return p
}

// get reads a list or a page as the administrator.
func (p *play) get(target string) *answer {
	q := httptest.NewRequest(http.MethodGet, target, nil)
	q.Header.Set("Authorization", "Bearer "+p.credentials["admin"])
	return p.send(q)
}

func (p *play) send(q *http.Request) *answer {
	w := httptest.NewRecorder()
	p.s.Handler.ServeHTTP(w, q)
	return &answer{w.Code, w.Header(), w.Body.Bytes()}
}

// step sends a request, and returns broken rules and the response, nil if the request
// could not be sent.
func (p *play) step(r request) (broken []string, res *answer) {
	q, sent := r.http(p.values, p.credentials)
	if q == nil {
		return nil, nil
	}
	for _, m := range linkedPage.FindAllStringSubmatch(sent, -1) {
		p.linked[m[1]] = true
	}
	if publishedOnly(r.as) { // its proposals repeat what it has sent
		for _, id := range anyPage.FindAllString(sent, -1) {
			p.linked[id] = true
		}
	}
	etag := p.tagBefore(q)
	res = p.send(q)
	p.answers++
	if res.late() {
		p.lates++
	}
	if res.status < http.StatusBadRequest {
		p.good++
	}
	broken = append(broken, p.form(r, q, res)...)
	broken = append(broken, p.permission(r, res)...)
	broken = append(broken, p.visibility(r, q, sent, res)...)
	broken = append(broken, precondition(q, etag, res)...)
	if r.again && p.last != nil && p.last.status < 500 {
		broken = append(broken, repeated(p.last, res)...)
	}
	if r.op.Method != http.MethodGet || r.number%50 == 0 {
		broken = append(broken, p.effect(r, q, res)...)
	}
	before := p.known.newest()
	p.known.take(r, q.URL.Path, res)
	for _, c := range p.known.since(before) {
		p.values[c.name] = c.value
	}
	p.last = res
	return broken, res
}

var anyPage = regexp.MustCompile(`page_\w+`)

// linkedPage finds links to a page by its id.
var linkedPage = regexp.MustCompile(`\]\((page_\w+)\)`)

// repeated checks that a request with an Idempotency-Key acts once.
func repeated(first, again *answer) []string {
	if first.status/100 == 2 && (again.status != first.status || string(again.body) != string(first.body) || again.header.Get("Idempotency-Replayed") != "true") {
		return []string{fmt.Sprintf("idempotency: the first answer was %d %.300s", first.status, first.body)}
	}
	return nil
}

// tagBefore returns the entity tag of the target of a conditional request.
func (p *play) tagBefore(q *http.Request) string {
	if q.Header.Get("If-Match") == "" && q.Header.Get("If-None-Match") == "" {
		return ""
	}
	path := strings.Replace(q.URL.EscapedPath(), "/examples/path-parameters/", "/pages/", 1)
	return p.get(path).header.Get("ETag")
}

// precondition checks that a false condition is not ignored. The tags of all
// representations of a version are valid for a change of it.
func precondition(q *http.Request, etag string, res *answer) []string {
	match := q.Header.Get("If-Match")
	if match == "" || match == "*" || etag == "" || res.status/100 != 2 || q.Method == http.MethodGet || strings.Contains(match, strings.TrimSuffix(etag, `"`)) {
		return nil
	}
	return []string{fmt.Sprintf("precondition: If-Match %s was taken for %s", match, etag)}
}
