package siteapi_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// rig is a server with a site.
type rig struct {
	*testing.T
	*octavotest.Server
	token  string
	client http.Client
}

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

func start(t *testing.T, o octavotest.Options, public bool) *rig {
	t.Helper()
	o.Search, o.Site = true, app.Site{Served: true, URL: o.Site.URL, Public: public, Cache: cmp.Or(o.Site.Cache, 8<<20), Limit: o.Site.Limit}
	r := &rig{T: t, Server: octavotest.Start(t, o)}
	r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	jar, err := cookiejar.New(nil)
	r.must(err)
	transport := &http.Transport{DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	r.client = http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return r
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, public bool, test func(*rig)) {
	t.Run("sqlite", func(t *testing.T) { test(start(t, octavotest.Options{}, public)) })
	t.Run("postgres", func(t *testing.T) {
		test(start(t, octavotest.Options{PostgresURL: octavotest.Postgres(t)}, public))
	})
}

func (r *rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// send makes one request and follows no redirect. headers are names and values in
// turn.
func (r *rig) send(method, path, body string, headers ...string) (*http.Response, string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), method, r.URL+path, strings.NewReader(body))
	r.must(err)
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := r.client.Do(req)
	r.must(err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	r.must(err)
	return resp, string(text)
}

// get is what a browser does.
func (r *rig) get(path string, headers ...string) (*http.Response, string) {
	r.Helper()
	return r.send(http.MethodGet, path, "", append([]string{"Accept", browser}, headers...)...)
}

// api changes something, and returns the identifier of what that was.
func (r *rig) api(method, path string, body any) octavo.ID {
	r.Helper()
	text, err := json.Marshal(body)
	r.must(err)
	resp, answer := r.send(method, "/v1"+path, string(text), "Authorization", "Bearer "+r.token, "Content-Type", "application/json")
	if resp.StatusCode >= 300 {
		r.Fatalf("%s %s: %s\n%s", method, path, resp.Status, answer)
	}
	var made struct{ ID octavo.ID }
	_ = json.Unmarshal([]byte(answer), &made)
	return made.ID
}

type object = map[string]any

// page makes a published page; more are members and their values in turn.
func (r *rig) page(slug, content string, more ...any) octavo.ID {
	r.Helper()
	page := object{"title": "Title of " + slug, "slug": slug, "content": content, "status": "published"}
	place := object{}
	for i := 0; i < len(more); i += 2 {
		switch name := more[i].(string); name {
		case "parentId", "position":
			place[name] = more[i+1]
		default:
			page[name] = more[i+1]
		}
	}
	id := r.api(http.MethodPost, "/pages", page)
	if len(place) > 0 {
		r.patch(id, place)
	}
	return id
}

func (r *rig) patch(id octavo.ID, change object) {
	r.Helper()
	r.api(http.MethodPatch, "/pages/"+string(id), change)
}

// upload makes an asset of the file at a path.
func (r *rig) upload(path, text string) octavo.Asset {
	r.Helper()
	up, err := r.Assets.Receive(r.Context(), strings.NewReader(text), path, "")
	r.must(err)
	asset, err := r.Assets.Create(r.Context(), sqldb.Cause{}, up, assets.Description{Source: path}, nil)
	r.must(err)
	return asset
}

// signUp adds the first person, who is signed in from then on.
func (r *rig) signUp() {
	r.Helper()
	link := strings.TrimPrefix(r.SetupURL(r), r.URL)
	_, secret, _ := strings.Cut(link, "link=")
	r.form(link, "/setup", "/studio", url.Values{"link": {secret}, "name": {"Ann"}, "email": {"ann@example.com"}, "password": {"correct horse battery"}})
}

// signIn signs that person in, and looks where that leads.
func (r *rig) signIn(next, want string) {
	r.Helper()
	r.form("/login?next="+url.QueryEscape(next), "/login", want, url.Values{"next": {next}, "email": {"ann@example.com"}, "password": {"correct horse battery"}})
}

// form sends the form at a path, and looks where that leads.
func (r *rig) form(at, to, want string, values url.Values) {
	r.Helper()
	_, form := r.get(at)
	found := regexp.MustCompile(`name="token" value="([^"]*)"`).FindStringSubmatch(form)
	if found == nil {
		r.Fatalf("no token in\n%s", form)
	}
	values["token"] = found[1:2]
	resp, text := r.send(http.MethodPost, to, values.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Origin", r.URL)
	if resp.StatusCode != http.StatusSeeOther || resp.Header.Get("Location") != want {
		r.Fatalf("%s leads to %q, want %q: %s\n%s", to, resp.Header.Get("Location"), want, resp.Status, text)
	}
}

// fill makes so many published pages side by side, below one that may be "".
func (r *rig) fill(pages int, parent octavo.ID) {
	r.Helper()
	for from := 0; from < pages; from += 1000 {
		r.must(r.Store.DB.Write(r.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for i := from; i < min(from+1000, pages); i++ {
				page := octavo.PageCreate{Title: fmt.Sprint("A page of the manual, number ", i), Slug: fmt.Sprint("page-", i), Content: "Text of a page\n", Status: octavo.Published}
				if _, err := r.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: page, ParentID: parent}); err != nil {
					return err
				}
			}
			return nil
		}))
	}
}
