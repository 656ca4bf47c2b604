package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// hider is a server on which a published-only person proposes.
type hider struct {
	*testing.T
	*octavotest.Server
	credentials map[string]string
	ids         map[string]string // by the names that requests give as $name
}

func newHider(t *testing.T, o octavotest.Options) *hider {
	h := &hider{T: t, Server: octavotest.Start(t, o), credentials: map[string]string{}, ids: map[string]string{
		// Until there are such pages.
		"hidden": "page_01h455vb4pex5vsknk084sn02q", "gone": "page_01h455vb4pex5vsknk084sn02r", "archived": "page_01h455vb4pex5vsknk084sn02s",
	}}
	h.credentials["admin"] = h.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin, Subject: "admin"})
	h.name("ann", "POST", "/users", `{"email":"ann@mail.example","name":"Ann","role":"contributor"}`)
	h.credentials["ann"] = h.Token(t, auth.Grant{Scopes: octavo.ScopePropose, PublishedOnly: true, Subject: h.ids["ann"]})
	return h
}

// ask sends a request, with what it accepts behind the path, and returns all of the
// answer that counts.
func (h *hider) ask(as, method, path, body string) (status int, answer string) {
	h.Helper()
	path, accept, _ := strings.Cut(path, " ")
	for name, id := range h.ids {
		path, body = strings.ReplaceAll(path, "$"+name+"$", id), strings.ReplaceAll(body, "$"+name+"$", id)
	}
	r := httptest.NewRequest(method, "/v1"+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+h.credentials[as])
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("If-Match", "*")
	if method == http.MethodGet {
		r.Header.Del("If-Match")
	}
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	w := httptest.NewRecorder()
	h.Handler.ServeHTTP(w, r)
	text, err := io.ReadAll(w.Body)
	if err != nil {
		h.Fatal(err)
	}
	head := ""
	for _, name := range []string{"ETag", "Location", "Link", "WWW-Authenticate"} {
		head += name + ": " + w.Header().Get(name) + "\n"
	}
	return w.Code, fmt.Sprintf("%s %s: %d\n%s%s", method, path, w.Code, head, text)
}

var firstID = regexp.MustCompile(`"id":"(\w+)"`)

// name carries out a request that must succeed, and names what it answers: as the page
// or proposal, and the changes of that as NAME0 and so on.
func (h *hider) name(name, method, path, body string, as ...string) {
	h.Helper()
	status, answer := h.ask(append(as, "admin")[0], method, path, body)
	if status >= 300 {
		h.Fatalf("%s", answer)
	}
	found := firstID.FindStringSubmatch(answer)
	h.ids[name] = found[1]
	for i, change := range regexp.MustCompile(`chg_\w+`).FindAllString(answer, -1) {
		h.ids[fmt.Sprint(name, i)] = change
	}
}

func (h *hider) do(method, path, body string) {
	h.Helper()
	if status, answer := h.ask("admin", method, path, body); status >= 300 {
		h.Fatalf("%s", answer)
	}
}

// public are the pages that everybody sees, or has seen. Of guide there is a revision that
// nobody has seen, and parent stands where it is told.
func (h *hider) public(first, under string) {
	h.Helper()
	h.name("guide", "POST", "/pages", `{"title":"Guide","slug":"guide","content":"`+first+`"}`)
	h.do("PUT", "/pages/$guide$", `{"title":"Guide","slug":"guide","content":"one\ntwo\nthree\n","status":"published"}`)
	h.name("parent", "POST", "/pages", `{"title":"Parent","slug":"parent","content":"text\n","status":"published"}`)
	for _, parent := range []string{`"$guide$"`, under} {
		h.do("PATCH", "/pages/$parent$", `{"parentId":`+parent+`}`)
	}
	h.name("once", "POST", "/pages", `{"title":"Once","slug":"once","content":"four\nfive\n","status":"published"}`)
}

// secrets are pages that are hidden from ann: in the way of everything that she proposes.
func (h *hider) secrets() {
	h.Helper()
	h.do("POST", "/pages", `{"title":"Taken","slug":"taken","content":"[x](guide)\n"}`)
	h.name("below", "POST", "/pages", `{"title":"Below","slug":"below","content":""}`)
	h.do("PATCH", "/pages/$below$", `{"parentId":"$parent$"}`)
	h.name("gone", "POST", "/pages", `{"title":"Gone","slug":"gone","content":""}`)
	h.do("DELETE", "/pages/$gone$", "")
	h.name("archived", "POST", "/pages", `{"title":"Archived","slug":"archived","content":""}`)
	h.do("PATCH", "/pages/$archived$", `{"status":"archived"}`)
}

// proposed is what ann asks for; all of it is answered.
func (h *hider) proposed() (answers []string) {
	h.Helper()
	ask := func(method, path, body string) {
		h.Helper()
		_, answer := h.ask("ann", method, path, body)
		answers = append(answers, answer)
	}
	for _, change := range []string{
		`{"op":"update","pageId":"$hidden$","title":"x"}`, `{"op":"delete","pageId":"$hidden$"}`, `{"op":"restore","pageId":"$gone$"}`, `{"op":"update","pageId":"$gone$","title":"x"}`,
		`{"op":"update","pageId":"$archived$","baseRevision":1,"content":"x"}`, `{"op":"update","pageId":"$guide$","baseRevision":1,"content":"x"}`,
		`{"op":"update","pageId":"$once$","baseRevision":9,"content":"x"}`, `{"op":"create","title":"x","slug":"x","content":"","parentId":"chg_01h455vb4pex5vsknk084sn02q"}`,
	} {
		ask("POST", "/proposals", `{"title":"Wrong","changes":[`+change+`]}`)
		ask("POST", "/proposals/$mine$/changes", change)
	}
	ask("POST", "/proposals/$mine$/merge", "{}")
	ask("POST", "/proposals/$mine$/reviews", `{"verdict":"comment","text":"text"}`)
	ask("POST", "/proposals/$mine$/comments", `{"changeId":"$mine2$","side":"base","line":1,"text":"text"}`)
	ask("PUT", "/proposals/$mine$/changes/$mine2$", `{"op":"update","pageId":"$once$","content":"FOUR\nfive\nsix\n"}`)
	ask("PUT", "/proposals/$mine$/changes/$mine2$", `{"op":"update","pageId":"$once$","baseRevision":1,"content":"FOUR\nfive\n"}`)
	ask("PUT", "/proposals/$mine$/changes/$mine2$", `{"op":"update","pageId":"$once$","baseRevision":2,"content":"FOUR\nfive\n"}`)
	ask("GET", "/people", "")
	return append(answers, h.reads()...)
}

// reads reads all that there is about what ann has proposed.
func (h *hider) reads() (answers []string) {
	h.Helper()
	paths := []string{
		"/proposals", "/proposals?limit=1", "/proposals?pageId=$hidden$", "/proposals?pageId=$once$", "/proposals?status=open&author=$ann$", "/notifications", "/presence", "/assets",
		"/proposals/$mine$", "/proposals/$mine$/changes", "/proposals/$mine$/checks", "/proposals/$mine$/comments", "/proposals/$mine$/reviews",
		"/proposals/$other$", "/proposals/$other$/checks", "/proposals/$other$/changes/$other0$/diff", "/proposals/$other$/comments",
		"/events?types=proposal.opened,proposal.updated,comment.created,review.created", "/pages/$guide$/revisions", "/pages/$once$", "/pages/$guide$/revisions/1/diff",
	}
	for i := range 6 {
		change := fmt.Sprintf("/proposals/$mine$/changes/$mine%d$", i)
		paths = append(paths, change, change+"/diff", change+"/diff text/x-diff", change+"/preview text/html")
	}
	for _, path := range paths {
		status, answer := h.ask("ann", "GET", path, "")
		if status >= 500 {
			h.Errorf("%s", answer)
		}
		answer, _, _ = strings.Cut(answer, `,"instance":`)
		answers = append(answers, answer)
	}
	return answers
}

// propose makes ann's proposal, which everything hidden is in the way of, and one of
// somebody else.
func (h *hider) propose() {
	h.Helper()
	h.name("mine", "POST", "/proposals", `{"title":"Mine","changes":[
		{"op":"update","pageId":"$guide$","slug":"taken","content":"ONE\ntwo\n[a](secret) [b](once) [c]($hidden$) [d](gone)\n","parentId":"$hidden$"},
		{"op":"create","title":"New","slug":"secret","content":"[a](taken)\n"},
		{"op":"update","pageId":"$once$","content":"FOUR\nfive\n"},
		{"op":"create","title":"Under","slug":"archived","content":"","parentId":"$archived$"},
		{"op":"delete","pageId":"$parent$"},
		{"op":"create","title":"Free","slug":"gone","content":"![](below.png)\n"}]}`, "ann")
	h.name("other", "POST", "/proposals", `{"title":"Other","changes":[{"op":"update","pageId":"$guide$","content":"1\ntwo\nthree\n"}]}`)
	h.do("POST", "/proposals/$mine$/comments", `{"changeId":"$mine2$","side":"base","line":2,"text":"Hm, @$ann$."}`)
	h.do("POST", "/proposals/$mine$/comments", `{"changeId":"$mine0$","side":"proposed","line":2,"text":"Hm."}`)
	h.do("POST", "/proposals/$mine$/reviews", `{"verdict":"request-changes","text":"No."}`)
}

var (
	anyIdentifier = regexp.MustCompile(`\b[a-z]+_[0-9a-z]{26}\b`)
	anyTag        = regexp.MustCompile(`"[0-9a-z]{26}\.(\d+)[^"\n]*"`)
	anyTime       = regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)
)

// alike writes answers without what differs between two stores anyway: identifiers are
// replaced by names and by the order in which they come.
func (h *hider) alike(answers []string) []string {
	names, count := map[string]string{}, 0
	for name, id := range h.ids {
		names[id] = "$" + name
	}
	list := make([]string, len(answers))
	for i, text := range answers {
		text = strings.ReplaceAll(text, h.URL, "URL")
		text = anyIdentifier.ReplaceAllStringFunc(text, func(id string) string {
			if names[id] == "" {
				kind, _, _ := strings.Cut(id, "_")
				if kind == "req" {
					return kind
				}
				count++
				names[id] = fmt.Sprint(kind, "#", count)
			}
			return names[id]
		})
		list[i] = anyTime.ReplaceAllString(anyTag.ReplaceAllString(text, `"ID.$1"`), "TIME")
	}
	return list
}

// TestProposersHiddenPages puts the same requests of a published-only proposer to two
// servers. Hidden pages are in the way of all that is proposed on one, and the other has
// none: no answer tells them apart. Nor does one change with what hidden pages become.
func TestProposersHiddenPages(t *testing.T) {
	for name, options := range map[string]func(testing.TB) octavotest.Options{
		"sqlite":   func(testing.TB) octavotest.Options { return octavotest.Options{} },
		"postgres": func(t testing.TB) octavotest.Options { return octavotest.Options{PostgresURL: octavotest.Postgres(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with, without := newHider(t, options(t)), newHider(t, options(t))
			with.name("hidden", "POST", "/pages", `{"title":"Secret","slug":"secret","content":"secret\n","frontmatter":{"a":1}}`)
			with.public("secret", `"$hidden$"`)
			with.secrets()
			without.public("other", "null")
			with.propose()
			without.propose()
			with.compare("before a page is hidden", with.alike(with.reads()), without.alike(without.reads()))

			with.do("PATCH", "/pages/$once$", `{"status":"draft"}`)
			with.do("PATCH", "/pages/$once$", `{"content":"secret\n"}`)
			without.do("DELETE", "/pages/$once$", "")
			for _, h := range []*hider{with, without} {
				if status, answer := h.ask("admin", "POST", "/proposals/$mine$/merge", "{}"); status != http.StatusConflict {
					t.Fatalf("%s", answer)
				}
			}
			with.compare("all answers", with.alike(with.proposed()), without.alike(without.proposed()))

			before := with.reads()
			with.do("PATCH", "/pages/$hidden$", `{"slug":"secret-now","title":"Secret now","content":"[a](guide)\n"}`)
			with.do("DELETE", "/pages/$archived$", "")
			with.do("POST", "/pages/$gone$/restore", "")
			with.do("POST", "/pages", `{"title":"x","slug":"new-secret","content":"secret\n"}`)
			with.do("PATCH", "/pages/$below$", `{"parentId":"$guide$"}`)
			with.do("PATCH", "/pages/$once$", `{"slug":"once-secret","content":"four\nsecret\n"}`)
			with.compare("hidden pages change", with.reads(), before)
			with.do("DELETE", "/pages/$once$", "")
			with.compare("a hidden page is deleted", with.reads(), before)
		})
	}
}

func (h *hider) compare(when string, have, want []string) {
	h.Helper()
	for i := range want {
		if have[i] != want[i] {
			h.Errorf("%s: have\n%s\nwant\n%s", when, have[i], want[i])
		}
	}
	for i, answer := range have {
		if text := strings.ReplaceAll(answer, "](secret)", ""); strings.Contains(text, "Secret") || strings.Contains(text, "secret\\n") {
			h.Errorf("%s: answer %d tells of a secret:\n%s", when, i, answer)
		}
	}
}
