package siteapi_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// post sends a form as a browser does.
func (r *rig) post(path string, fields url.Values, headers ...string) (*http.Response, string) {
	r.Helper()
	return r.send(http.MethodPost, path, fields.Encode(), append([]string{"Content-Type", "application/x-www-form-urlencoded", "Accept", browser}, headers...)...)
}

// caller returns a client with that scope.
func (r *rig) caller(scope octavo.Scopes) *client.Client {
	r.Helper()
	c, err := client.New(r.URL, client.WithToken(r.Server.Token(r, auth.Grant{Scopes: scope})))
	r.must(err)
	return c
}

// TestFeedback: readers say what they think of pages that they see, and writers read
// it, the newest first.
func TestFeedback(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.page("home", "x")
		page := r.page("guide", "x")
		hidden := r.page("secret", "x", "status", "draft")
		say := func(id octavo.ID, more ...string) url.Values {
			v := url.Values{"page": {string(id)}, "revision": {"1"}, "helpful": {"no"}, "text": {"A line\r\nand\x00 another "}}
			for i := 0; i < len(more); i += 2 {
				v.Set(more[i], more[i+1])
			}
			return v
		}
		long := strings.Repeat("ü", octavo.MaxFeedbackText)
		for _, c := range []struct {
			name    string
			form    url.Values
			headers []string
			status  int
		}{
			{"a browser", say(page), []string{"Origin", r.URL, "Sec-Fetch-Site", "same-origin"}, 303},
			{"a script", say(page, "helpful", "yes", "text", ""), []string{"Accept", "application/json", "Origin", r.URL}, 204},
			{"the longest text", say(page, "text", long, "revision", "99"), nil, 303},
			{"a longer text", say(page, "text", long+"x"), nil, 400},
			{"neither yes nor no", say(page, "helpful", "maybe"), nil, 400},
			{"a page that is hidden", say(hidden), nil, 404},
			{"a page that never was", say("page_01h455vb4pex5vsknk084sn02q"), nil, 404},
			{"another site", say(page), []string{"Origin", "https://evil.example"}, 403},
			{"this site by another name", say(page), []string{"Origin", "http://localhost:1", "Sec-Fetch-Site", "same-origin"}, 303},
			{"another site by its fetch", say(page), []string{"Sec-Fetch-Site", "cross-site"}, 403},
			{"a long form", say(page, "more", strings.Repeat("x", 20_000)), nil, 400},
		} {
			resp, text := r.post("/docs/-/feedback", c.form, c.headers...)
			if resp.StatusCode != c.status || c.status == 303 && resp.Header.Get("Location") != "/docs/-/thanks?page=guide" {
				r.Errorf("%s: have %s, %q\n%s", c.name, resp.Status, resp.Header.Get("Location"), text)
			}
		}
		if _, text := r.get("/docs/-/thanks?page=guide"); !strings.Contains(text, `<a href="/docs/guide">Back to the page</a>`) {
			r.Errorf("the thanks are\n%s", text)
		}
		if resp, _ := r.send(http.MethodPost, "/docs/-/feedback", "{}", "Content-Type", "application/json"); resp.StatusCode != http.StatusUnsupportedMediaType {
			r.Errorf("JSON: have %s", resp.Status)
		}
		writer := r.caller(octavo.ScopeWrite)
		var have []octavo.Feedback
		for f, err := range writer.Feedback(r.Context()) {
			r.must(err)
			if f.PageID != page || f.Slug != "guide" || f.Revision != 1 || time.Since(f.CreatedAt) > time.Hour || !f.ID.Is(octavo.PrefixFeedback) {
				r.Errorf("have %+v", f)
			}
			have = append(have, f)
		}
		if len(have) != 4 || have[1].Text != long || !have[2].Helpful || have[3].Text != "A line\nand another" || have[3].Helpful {
			r.Fatalf("have %+v", have)
		}
		if resp, text := r.post("/docs/-/feedback", say(hidden, "text", "<b>lost?")); resp.StatusCode != 404 || !strings.Contains(text, "<pre>&lt;b&gt;lost?</pre>") {
			r.Errorf("what was not taken: have %s\n%s", resp.Status, text)
		}
		r.must(writer.DeleteFeedback(r.Context(), have[0].ID))
		if err := writer.DeleteFeedback(r.Context(), have[0].ID); err == nil || !strings.Contains(err.Error(), "404") {
			r.Errorf("removed twice: have %v", err)
		}
		if _, text := r.get("/docs/guide"); !strings.Contains(text, "Was this page helpful?") {
			r.Errorf("nobody is asked:\n%s", text)
		}
		r.token = r.Server.Token(r, auth.Grant{Scopes: octavo.ScopeAdmin})
		r.api(http.MethodPatch, "/site", object{"feedback": false})
		if _, text := r.get("/docs/guide"); strings.Contains(text, "Was this page helpful?") {
			r.Errorf("readers are asked still:\n%s", text)
		}
		if resp, _ := r.post("/docs/-/feedback", say(page)); resp.StatusCode != http.StatusNotFound {
			r.Errorf("while nobody is asked: have %s", resp.Status)
		}
	})
}

// TestFeedbackOfMembers: a site for members takes feedback with a session alone.
func TestFeedbackOfMembers(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, false)
	page := r.page("home", "x")
	form := url.Values{"page": {string(page)}, "helpful": {"yes"}}
	if resp, _ := r.post("/docs/-/feedback", form); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("nobody: have %s", resp.Status)
	}
	r.signUp()
	if resp, _ := r.post("/docs/-/feedback", form); resp.StatusCode != http.StatusSeeOther {
		t.Errorf("a member: have %s", resp.Status)
	}
	if resp, _ := r.post("/docs/-/feedback", form, "Origin", "https://evil.example"); resp.StatusCode != http.StatusForbidden {
		t.Errorf("another site: have %s", resp.Status)
	}
}

// TestMe: scripts learn who is signed in, and pages do not.
func TestMe(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.page("home", "x")
	_, before := r.get("/docs")
	for _, want := range []string{"{}", `{"actions":[{"rel":"account","href":"/account"}],"name":"Ann"}`} {
		resp, text := r.get("/docs/-/me")
		if text != want || resp.Header.Get("Cache-Control") != "private, no-store" || resp.Header.Get("Vary") != "Cookie" {
			t.Errorf("have %s, %v", text, resp.Header)
		}
		if want == "{}" {
			r.signUp()
		}
	}
	if _, after := r.get("/docs"); after != before {
		t.Error("the page is another one for whoever is signed in")
	}
}

// People who may propose changes get a link to Studio on every page.
func TestMeEdits(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.signUp() // remains an administrator
	r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	shown, draft := r.page("home", "x"), r.page("draft", "x", "status", "draft")
	people, _, err := r.Store.Accounts.Users.List(t.Context(), "", 1)
	r.must(err)
	second := people[0]
	second.ID, second.Email = "usr_second", "bo@example.com"
	r.must(r.Store.Accounts.Users.Add(t.Context(), sqldb.Cause{}, accounts.User{User: second}))
	for _, c := range []struct {
		role        octavo.Role
		suggestions bool
		page        octavo.ID
		edits       bool
	}{
		{octavo.RoleAdmin, false, shown, true},
		{octavo.RoleEditor, false, shown, true},
		{octavo.RoleContributor, false, shown, true},
		{octavo.RoleReader, false, shown, false},
		{octavo.RoleReader, true, shown, true},
		{octavo.RoleAdmin, false, draft, false},
		{octavo.RoleAdmin, false, "page_none", false},
		{octavo.RoleAdmin, false, `"><script>`, false},
		{octavo.RoleAdmin, false, "", false},
	} {
		r.must(r.Store.Accounts.Users.SetRole(t.Context(), sqldb.Cause{}, people[0].ID, c.role))
		r.api("PATCH", "/site", object{"suggestions": c.suggestions})
		want := `{"actions":[{"rel":"account","href":"/account"}],"name":"Ann"}`
		if c.edits {
			want = `{"actions":[{"rel":"account","href":"/account"},{"rel":"edit","href":"/studio/pages/` + string(c.page) + `"}],"name":"Ann"}`
		}
		if _, have := r.get("/docs/-/me?page=" + url.QueryEscape(string(c.page))); have != want {
			t.Errorf("%s, suggestions %t, %q: have %s, want %s", c.role, c.suggestions, c.page, have, want)
		}
	}
}

// Searches are counted without anything that identifies a person.
func TestQueries(t *testing.T) {
	t.Parallel()
	onBoth(t, true, func(r *rig) {
		r.page("home", "Zebras are here.")
		r.must(r.Search.Await(r.Context()))
		for range 3 {
			r.get("/docs/-/search?q=Zebras")
			r.get("/docs/-/search?q=ann@example.com")
			r.get("/docs/-/search?q=4111111111111111")
			r.get("/docs/-/search?q=sk_live_abc123")
			r.get("/docs/-/search?q=glpat-abcdefghij")
			r.get("/docs/-/search?q=http://x.example/secret?token=abc")
			r.get("/docs/-/search?q=" + url.QueryEscape("如何安装vue3"))
			r.get("/docs/-/search?q=kubernetes-1.29.3-release")
			r.get("/docs/-/search?q=" + strings.Repeat("x", 101))
			r.get("/docs/-/search?q=")
			for q, n := range map[string]string{"no  Horse": "0", "foal": "20", "mare": "21"} {
				if resp, _ := r.post("/docs/-/searched", url.Values{"q": {q}, "results": {n}}, "Origin", r.URL); resp.StatusCode != http.StatusNoContent {
					r.Errorf("%s: have %s", q, resp.Status)
				}
			}
			r.must(r.Store.Sites.FlushQueries(r.Context()))
		}
		r.get("/docs/-/search?q=seldom")
		r.post("/docs/-/searched", url.Values{"q": {"no horse"}, "results": {"0"}})
		r.must(r.Store.Sites.FlushQueries(r.Context()))
		var have []string
		for q, err := range r.caller(octavo.ScopeAdmin).SearchedQueries(r.Context()) {
			r.must(err)
			have = append(have, q.Query)
			if q.Count != map[string]int64{"no horse": 4}[q.Query] && q.Count != 3 || q.LastDay == "" {
				r.Errorf("have %+v", q)
			}
		}
		if strings.Join(have, ",") != "no horse,kubernetes-1.29.3-release,如何安装vue3,foal,zebras" {
			r.Errorf("have %q", have)
		}
		r.token = r.Server.Token(r, auth.Grant{Scopes: octavo.ScopeAdmin})
		cursor, pieces := "", 0
		for ; pieces < 9; pieces++ { // in slices of one
			_, text := r.send(http.MethodGet, "/v1/search/queries?limit=1"+cursor, "", "Authorization", "Bearer "+r.token)
			if !strings.Contains(text, `"query":"`+have[pieces]+`"`) {
				r.Fatalf("slice %d is %s", pieces, text)
			}
			_, next, more := strings.Cut(text, `"cursor":"`)
			if !more {
				break
			}
			next, _, _ = strings.Cut(next, `"`)
			cursor = "&cursor=" + url.QueryEscape(next)
		}
		if pieces != 4 {
			r.Errorf("have %d slices", pieces+1)
		}
	})
}
