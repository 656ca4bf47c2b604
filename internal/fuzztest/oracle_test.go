package fuzztest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
)

// late reports whether the response is a retryable timeout, as on a busy machine; run
// counts them.
func (a *answer) late() bool {
	return a.status == http.StatusServiceUnavailable && a.header.Get("Retry-After") != "" && strings.Contains(string(a.body), `"/problems/unavailable"`)
}

// form checks a response against the document, and the form of Problems.
func (p *play) form(r request, q *http.Request, res *answer) (broken []string) {
	if res.late() {
		return nil
	}
	if res.status >= 500 {
		broken = append(broken, fmt.Sprintf("status: the server answers %d", res.status))
	}
	if !r.op.statuses[strconv.Itoa(res.status)] {
		broken = append(broken, fmt.Sprintf("undeclared: the document does not declare %d for %s %s", res.status, r.op.Method, r.op.Path))
	}
	for _, text := range p.judge.Check(q.Method, q.URL.RequestURI(), res.status, res.header, res.body) {
		broken = append(broken, "document: "+text)
	}
	if res.status < 400 || len(res.body) == 0 && res.status == http.StatusUnauthorized {
		return broken
	}
	var problem octavo.Problem
	err := json.Unmarshal(res.body, &problem)
	id := res.header.Get("X-Request-Id")
	replayed := res.header.Get("Idempotency-Replayed") == "true"
	if err != nil || problem.Status != res.status || !strings.HasPrefix(problem.Type, "/problems/") || problem.Title == "" ||
		problem.Instance != "urn:octavo:request:"+id && !replayed || res.header.Get("Content-Type") != "application/problem+json" {
		broken = append(broken, fmt.Sprintf("problem: %s is not well formed (request %s)", res.body, id))
	}
	if res.status == http.StatusBadRequest && len(problem.Errors) == 0 && problem.Detail == "" {
		broken = append(broken, fmt.Sprintf("problem: %s does not say what is wrong", res.body))
	}
	return broken
}

// permission checks that no caller exceeds its scopes.
func (p *play) permission(r request, res *answer) []string {
	if res.status >= 400 || r.op.Scope == "" {
		return nil
	}
	rank := map[string]int{"": 0, "pages:read": 1, "pages:propose": 2, "pages:write": 3, "admin": 4}
	search := r.as == "search-key" && strings.HasPrefix(r.op.ID, "search") || r.as == "search-key" && r.op.ID == "demoQueryParameters"
	if rank[callers[r.as]] < rank[r.op.Scope] && !search {
		return []string{fmt.Sprintf("permission: %s succeeds with %s, which needs %s", r.as, r.op.ID, r.op.Scope)}
	}
	return nil
}

// visibility checks that published-only callers learn of no other page, except ids that a
// refusal repeats and ids in the content of pages that they may have seen.
func (p *play) visibility(r request, q *http.Request, sent string, res *answer) (broken []string) {
	if !publishedOnly(r.as) {
		return nil
	}
	body := withoutDeletions(res.body)
	asked, err := url.QueryUnescape(q.URL.RequestURI())
	if err != nil {
		asked = q.URL.RequestURI()
	}
	if asked += sent; res.status < http.StatusBadRequest {
		asked = "" // only a refusal may repeat what was asked for
	}
	if id, ok := pageOf(q); ok && res.status/100 == 2 && p.state.pages[id].Status != string(octavo.Published) {
		broken = append(broken, fmt.Sprintf("visibility: %s reads %s, which is %q", r.as, id, p.state.pages[id].Status))
	}
	for id, page := range p.state.pages {
		if page.Status != string(octavo.Published) && !p.linked[id] && strings.Contains(body, id) && !strings.Contains(asked, id) {
			broken = append(broken, fmt.Sprintf("visibility: %s sees %s, which is %s", r.as, id, page.Status))
		}
	}
	return broken
}

// withoutDeletions returns a response without deletion events: those of pages that were
// once public are public (decision 34), whatever the pages are after a restoration.
func withoutDeletions(body []byte) string {
	var feed struct {
		Data []struct{ Type string }
		Next string
	}
	if json.Unmarshal(body, &feed) != nil || feed.Next == "" {
		return string(body)
	}
	var raw struct{ Data []json.RawMessage }
	if json.Unmarshal(body, &raw) != nil {
		return string(body)
	}
	var b strings.Builder
	for i, event := range feed.Data {
		if event.Type != string(octavo.PageDeleted) {
			b.Write(raw.Data[i])
		}
	}
	return b.String()
}

// page has the compared members of a page.
type page struct {
	ID       string
	Status   string
	ParentID *string
	text     string // the whole of it, as it was answered
}

// state is the data of a server as an administrator sees it.
type state struct {
	pages map[string]page
	rest  string // assets, webhooks, keys, proposals
}

// read reads the state.
func (p *play) read() (*state, error) {
	s := &state{pages: map[string]page{}}
	err := p.list("/v1/pages", func(item json.RawMessage) error {
		var v page
		err := json.Unmarshal(item, &v)
		v.text = string(item)
		s.pages[v.ID] = v
		return err
	})
	for _, path := range []string{"/v1/assets", "/v1/webhooks", "/v1/api-keys", "/v1/proposals"} {
		if err == nil {
			err = p.list(path, func(item json.RawMessage) error {
				var v node
				err := json.Unmarshal(item, &v)
				delete(v, "lastUsedAt")
				s.rest += path + " " + text(v) + "\n"
				return err
			})
		}
	}
	return s, err
}

// list reads a list to its end.
func (p *play) list(path string, each func(json.RawMessage) error) error {
	for cursor := ""; ; {
		res := p.get(path + "?limit=100" + cursor)
		for tries := 1; res.late() && tries < 10; tries++ { // each takes seconds by itself
			res = p.get(path + "?limit=100" + cursor)
		}
		var slice struct {
			Data       []json.RawMessage
			Pagination struct {
				Cursor  string
				HasMore bool
			}
		}
		if err := json.Unmarshal(res.body, &slice); err != nil || res.status != http.StatusOK {
			return fmt.Errorf("read %s: %d %s, %w", path, res.status, res.body, err)
		}
		for _, item := range slice.Data {
			if err := each(item); err != nil {
				return err
			}
		}
		if !slice.Pagination.HasMore {
			return nil
		}
		cursor = "&cursor=" + url.QueryEscape(slice.Pagination.Cursor)
	}
}

// effect compares the state before and after a request: a refused request changed nothing,
// one about a page changed only that page, and the response matches the state.
func (p *play) effect(r request, q *http.Request, res *answer) (broken []string) {
	now, err := p.read()
	if err != nil {
		return []string{"state: " + err.Error()}
	}
	before := p.state
	p.state = now
	if res.late() {
		return nil // whether it acted is not known
	}
	target, isPage := pageOf(q)
	for id := range union(before.pages, now.pages) {
		a, b := before.pages[id], now.pages[id]
		switch {
		case a.text == b.text:
		case res.status >= 400 || r.op.Method == http.MethodGet:
			broken = append(broken, fmt.Sprintf("effect: %d, and page %s has changed from %s to %s", res.status, id, a.text, b.text))
		case strings.HasSuffix(q.URL.Path, "/move"): // may number its new siblings anew
		case isPage && id != target && !under(before.pages, id, target):
			broken = append(broken, fmt.Sprintf("effect: of another page, %s has changed from %s to %s", id, a.text, b.text))
		}
	}
	if before.rest != now.rest && (res.status >= 400 || r.op.Method == http.MethodGet) {
		broken = append(broken, fmt.Sprintf("effect: %d, and what is kept has changed from %s to %s", res.status, before.rest, now.rest))
	}
	var answered page
	if res.status < 300 && r.op.Method != http.MethodGet && json.Unmarshal(res.body, &answered) == nil && strings.HasPrefix(answered.ID, "page_") && res.header.Get("Idempotency-Replayed") == "" {
		if have := now.pages[answered.ID].text; have != strings.TrimSpace(string(res.body)) {
			broken = append(broken, fmt.Sprintf("read: page %s was answered as %s and is read as %s", answered.ID, res.body, have))
		}
	}
	if r.op.Method == http.MethodDelete && isPage && res.status == http.StatusNoContent {
		if _, there := now.pages[target]; there {
			broken = append(broken, "read: page "+target+" was deleted and is listed")
		}
	}
	return broken
}

// pageOf returns the page in a path.
func pageOf(q *http.Request) (id string, ok bool) {
	for _, prefix := range []string{"/v1/pages/", "/v1/examples/path-parameters/"} {
		if rest, found := strings.CutPrefix(q.URL.Path, prefix); found {
			id, _, _ = strings.Cut(rest, "/")
			return id, strings.HasPrefix(id, "page_")
		}
	}
	return "", false
}

// under reports whether a page is anywhere below another.
func under(pages map[string]page, id, above string) bool {
	for range len(pages) {
		parent := pages[id].ParentID
		if parent == nil {
			return false
		}
		if id = *parent; id == above {
			return true
		}
	}
	return false
}

func union(a, b map[string]page) map[string]bool {
	all := map[string]bool{}
	for id := range a {
		all[id] = true
	}
	for id := range b {
		all[id] = true
	}
	return all
}
