package httpapi_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const formType = "multipart/form-data; boundary=b"

// pendingRig is a server and some callers.
type pendingRig struct {
	*testing.T
	s       *octavotest.Server
	bearers map[string]string
}

func newPendingRig(t *testing.T, o octavotest.Options) *pendingRig {
	t.Helper()
	r := &pendingRig{t, octavotest.Start(t, o), map[string]string{"nobody": ""}}
	for name, g := range map[string]auth.Grant{
		"uploader": {Scopes: octavo.ScopePropose}, "proposer": {Scopes: octavo.ScopePropose}, "outside": {Scopes: octavo.ScopePropose, PublishedOnly: true},
		"reader": {Scopes: octavo.ScopeRead}, "published": {Scopes: octavo.ScopeRead, PublishedOnly: true}, "writer": {Scopes: octavo.ScopeWrite}, "admin": {Scopes: octavo.ScopeAdmin},
	} {
		g.Subject = name
		r.bearers[name] = "Bearer " + r.s.Token(t, g)
	}
	return r
}

// ask sends a request as somebody, and wants that status unless it is 0.
func (r *pendingRig) ask(as, method, path, body string, status int, headers ...string) (*http.Response, map[string]any) {
	r.Helper()
	kind := "application/json"
	if strings.HasPrefix(body, "--b") {
		kind = formType
	}
	headers = append([]string{"Content-Type", kind}, headers...)
	if bearer := r.bearers[as]; bearer != "" {
		headers = append(headers, "Authorization", bearer)
	}
	resp, text := send(r.T, r.s, method, strings.TrimPrefix(path, r.s.URL), body, headers...)
	if status != 0 && resp.StatusCode != status {
		r.Fatalf("%s %s as %s: have %s %s, want %d", method, path, as, resp.Status, text, status)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		v = map[string]any{"text": text}
	}
	return resp, v
}

func (r *pendingRig) upload(as, content string) (id, address string) {
	r.Helper()
	_, v := r.ask(as, http.MethodPost, "/v1/assets", part("file", `; filename="a.txt"`, content)+formEnd, http.StatusAccepted)
	return v["id"].(string), v["url"].(string)
}

// seen is what everybody but the uploader is answered at the paths.
func (r *pendingRig) seen(paths []string) map[string]string {
	r.Helper()
	seen := map[string]string{}
	for name := range r.bearers {
		if name == "uploader" {
			continue
		}
		for _, path := range paths {
			for _, media := range []string{"application/json", "text/html"} {
				resp, v := r.ask(name, http.MethodGet, path, "", 0, "Accept", media)
				delete(v, "instance")
				delete(v, "requestId")
				text, err := json.Marshal(v)
				if err != nil {
					r.Fatal(err)
				}
				seen[name+" "+media+" "+path] = strings.Join([]string{resp.Status, resp.Header.Get("ETag"), resp.Header.Get("Last-Modified"), string(text)}, " ")
			}
		}
	}
	return seen
}

// TestPendingStaysHidden: no answer, entity tag or count of anybody else changes with a
// pending file that no proposal names which they read, whatever is done with it.
func TestPendingStaysHidden(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { newPendingRig(t, octavotest.Options{Search: true}).staysHidden() })
	t.Run("postgres", func(t *testing.T) {
		newPendingRig(t, octavotest.Options{Search: true, PostgresURL: octavotest.Postgres(t)}).staysHidden()
	})
}

func (r *pendingRig) staysHidden() {
	_, ordinary := r.upload("writer", "known")
	_, page := r.ask("writer", http.MethodPost, "/v1/pages", `{"title":"Page","slug":"page","status":"published","content":"![a](`+ordinary+`) word"}`, http.StatusCreated)
	paths := []string{
		"/v1/assets", "/v1/assets?unused=true", "/v1/assets?tag=secret", "/v1/assets?contentType=text/*", "/v1/pages?include=assets", "/v1/pages/page_x",
		"/v1/pages/" + page["id"].(string) + "?include=assets", "/v1/pages/" + page["id"].(string) + "/preview", "/v1/search?q=word", "/v1/search?q=secret",
		"/v1/events", "/v1/proposals", "/v1/exports", "/v1/site", "/v1/notifications", "/v1/tree", "/v1/activity", "/v1/presence", "/v1/links?state=broken",
	}
	if err := r.s.Search.Await(r.Context()); err != nil {
		r.Fatal(err)
	}
	before := r.seen(paths)
	same := func(when string) {
		r.Helper()
		after := r.seen(paths)
		for name, want := range before {
			if after[name] != want {
				r.Errorf("%s, %s:\nhave %s\nwant %s", when, name, after[name], want)
			}
		}
	}
	id, address := r.upload("uploader", "known")
	other, _ := r.upload("uploader", "secret")
	same("uploaded")
	r.ask("uploader", http.MethodPatch, "/v1/assets/"+id, `{"tags":["secret"],"alt":"secret"}`, http.StatusOK)
	r.ask("uploader", http.MethodPost, "/v1/proposals", `{"title":"secret","status":"draft","changes":[{"op":"update","pageId":"`+page["id"].(string)+`","content":"secret ![](`+address+`) `+other+`"}]}`, http.StatusCreated)
	same("in a draft")
	// What it is asked for by its names is what is answered for those that nothing has.
	none := strings.NewReplacer(id[6:], strings.Repeat("0", 26), octavo.AssetKey(strings.TrimPrefix(address, r.s.URL)), strings.Repeat("a", 26))
	for name, have := range r.seen([]string{"/v1/assets/" + id, strings.TrimPrefix(address, r.s.URL)}) {
		path := none.Replace(name[strings.LastIndex(name, " ")+1:])
		want := r.seen([]string{path})[none.Replace(name)]
		if none.Replace(have) != want || !strings.HasPrefix(have, "40") {
			r.Errorf("%s: have %s, want %s", name, have, want)
		}
	}
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		for _, as := range []string{"nobody", "reader", "proposer", "outside", "writer", "admin"} {
			have, _ := r.ask(as, method, "/v1/assets/"+id, `{"alt":"x"}`, 0)
			want, _ := r.ask(as, method, none.Replace("/v1/assets/"+id), `{"alt":"x"}`, 0)
			if have.StatusCode != want.StatusCode || have.StatusCode < 400 {
				r.Errorf("%s as %s: have %s, want %s", method, as, have.Status, want.Status)
			}
		}
	}
	r.ask("uploader", http.MethodDelete, "/v1/assets/"+id+"?force=true", "", http.StatusNoContent)
	r.ask("uploader", http.MethodDelete, "/v1/assets/"+other+"?force=true", "", http.StatusNoContent)
	same("deleted")
}

// TestPendingOnPages: a page that names a pending file, which its merge did not bring,
// shows none of it.
func TestPendingOnPages(t *testing.T) {
	t.Parallel()
	r := newPendingRig(t, octavotest.Options{})
	id, address := r.upload("uploader", "secret")
	_, page := r.ask("writer", http.MethodPost, "/v1/pages", `{"title":"Page","slug":"page","status":"published","content":"![a](`+address+`)"}`, http.StatusCreated)
	path := "/v1/pages/" + page["id"].(string)
	for _, as := range []string{"uploader", "writer"} {
		if _, v := r.ask(as, http.MethodGet, path+"?include=assets", "", http.StatusOK); len(v["assets"].([]any)) > 0 {
			t.Errorf("%s: have %v", as, v["assets"])
		}
	}
	r.ask("writer", http.MethodGet, "/v1/assets/"+id, "", http.StatusNotFound)
	if resp, v := r.ask("admin", http.MethodPatch, "/v1/site", `{"logo":{"light":"`+id+`"}}`, 0); resp.StatusCode != http.StatusBadRequest {
		t.Errorf("as a logo: have %s %v, want 400", resp.Status, v)
	}
}

// TestPendingLimit: an upload beyond what a person without pages:write may have pending
// ends while it is sent, and leaves nothing behind.
func TestPendingLimit(t *testing.T) {
	t.Parallel()
	s, dir := startWithFiles(t, octavotest.Options{})
	r := &pendingRig{t, s, map[string]string{}}
	for name, scope := range map[string]octavo.Scopes{"uploader": octavo.ScopePropose, "proposer": octavo.ScopePropose, "writer": octavo.ScopeWrite} {
		r.bearers[name] = "Bearer " + s.Token(t, auth.Grant{Subject: name, Scopes: scope})
	}
	const left = 300_000
	if err := s.Store.DB.Write(t.Context(), sqldb.Cause{Actor: octavo.Actor{ID: "uploader"}}, func(tx *sqldb.Tx) error {
		files, err := s.Store.Assets.Files(t.Context())
		if err != nil {
			return err
		}
		_, _, err = s.Store.Assets.Pending.Create(tx, assetstore.NewAsset{
			FilesID: files.ID, Key: "k", Name: "k", ContentType: "text/plain", Blob: assetstore.Blob{Key: "k", Size: octavo.MaxPendingFiles - left},
		})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	had := files(t, dir)
	over := strings.Repeat("x", left+1)
	r.ask("uploader", http.MethodPost, "/v1/assets", part("file", `; filename="a"`, over)+formEnd, http.StatusConflict)
	for _, as := range []string{"proposer", "writer"} {
		r.ask(as, http.MethodPost, "/v1/assets", part("file", `; filename="a"`, over+as)+formEnd, http.StatusAccepted)
	}
	if have := files(t, dir); have != had+2 {
		t.Errorf("have %d files, want %d", have, had+2)
	}
	// A long one is not read to its end.
	sent := &counted{Reader: io.MultiReader(strings.NewReader("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n"), bytes.NewReader(make([]byte, 40<<20)), strings.NewReader("\r\n"+formEnd))}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/assets", sent)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", formType)
	req.Header.Set("Authorization", r.bearers["uploader"])
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		resp.Body.Close()
		if resp.StatusCode != http.StatusConflict {
			t.Errorf("a long one: have %s, want 409", resp.Status)
		}
	}
	if taken := sent.n.Load(); taken > 20<<20 {
		t.Errorf("%d bytes of a refused upload were taken", taken)
	}
	id, _ := r.upload("uploader", strings.Repeat("x", left))
	r.ask("uploader", http.MethodPost, "/v1/assets", part("file", `; filename="a"`, "x")+formEnd, http.StatusConflict)
	r.ask("uploader", http.MethodDelete, "/v1/assets/"+id, "", http.StatusNoContent)
	r.upload("uploader", "x")
	if have := files(t, dir); have != had+3 {
		t.Errorf("have %d files, want %d", have, had+3)
	}
}

// counted counts what is read, which may go on after the answer has come.
type counted struct {
	io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

// TestExpiringPendingAddresses: a signature is needed beside the credential.
func TestExpiringPendingAddresses(t *testing.T) {
	t.Parallel()
	r := newPendingRig(t, octavotest.Options{AssetLifetime: time.Hour})
	key := r.s.Key(t, auth.KeyRequest{Scopes: octavo.ScopePropose})
	_, v := r.ask("nobody", http.MethodPost, "/v1/assets", part("file", `; filename="a.txt"`, "text")+formEnd, http.StatusAccepted, "X-API-Key", key)
	u, err := url.Parse(v["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	signed := u.Path + "?" + u.RawQuery
	resp, _ := r.ask("nobody", http.MethodGet, signed, "", http.StatusOK, "X-API-Key", key)
	if have := resp.Header.Get("Cache-Control"); have != "private, no-cache" {
		t.Errorf("have Cache-Control %q", have)
	}
	r.ask("nobody", http.MethodGet, u.Path, "", http.StatusForbidden, "X-API-Key", key)
	r.ask("nobody", http.MethodGet, signed, "", http.StatusNotFound)
	r.ask("nobody", http.MethodGet, signed, "", http.StatusNotFound, "X-API-Key", key+"x")
	r.ask("proposer", http.MethodGet, signed, "", http.StatusNotFound)
}

// A text with the address of a pending file shows the file to its uploader before any
// proposal has it, then in the preview of a proposal to its readers, and to everybody on
// the merged page.
func TestPendingInDrafts(t *testing.T) {
	t.Parallel()
	for name, lifetime := range map[string]time.Duration{"addresses that stay": 0, "addresses that end": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newPendingRig(t, octavotest.Options{AssetLifetime: lifetime})
			_, address := r.upload("uploader", "a text of somebody")
			u, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			shown := func(text any) (addresses []string) {
				for _, part := range strings.Split(text.(string), `href="`)[1:] {
					if to, _, _ := strings.Cut(part, `"`); strings.HasPrefix(to, r.s.URL+u.Path) {
						addresses = append(addresses, strings.ReplaceAll(to, "&amp;", "&"))
					}
				}
				return addresses
			}
			forms := []string{u.Path, u.Path + "?expires=1&signature=x", r.s.URL + u.Path, u.Path + "#part"}
			content := "[a](" + strings.Join(forms, ")\n\n[a](") + ")\n"
			body, err := json.Marshal(map[string]any{"content": content})
			if err != nil {
				t.Fatal(err)
			}
			for as, sees := range map[string]bool{"uploader": true, "proposer": false, "outside": false, "reader": false, "published": false, "writer": false, "admin": false} {
				_, v := r.ask(as, http.MethodPost, "/v1/render", string(body), http.StatusOK)
				found := shown(v["html"])
				if (len(found) == len(forms)) != sees || !sees && len(found) > 1 { // what is absolute stays a link
					t.Errorf("%s: have %q", as, v["html"])
				}
				if state := v["links"].([]any)[0].(map[string]any)["state"]; (state == "ok") != sees {
					t.Errorf("%s: the link is %s", as, state)
				}
				for _, to := range found {
					if sees {
						r.ask(as, http.MethodGet, to, "", http.StatusOK)
					}
				}
			}

			text, _ := json.Marshal(content)
			_, p := r.ask("uploader", http.MethodPost, "/v1/proposals", `{"title":"With a file","changes":[{"op":"create","title":"T","slug":"t","status":"published","content":`+string(text)+`}]}`, http.StatusCreated)
			path := "/v1/proposals/" + p["id"].(string)
			change := p["changes"].([]any)[0].(map[string]any)["id"].(string)
			for _, as := range []string{"uploader", "proposer", "writer"} {
				_, v := r.ask(as, http.MethodGet, path+"/changes/"+change+"/preview", "", http.StatusOK, "Accept", "text/html")
				found := shown(v["text"])
				if len(found) != len(forms) {
					t.Fatalf("the preview for %s: have %s", as, v["text"])
				}
				r.ask(as, http.MethodGet, found[0], "", http.StatusOK)
			}
			resp, _ := r.ask("writer", http.MethodGet, path, "", http.StatusOK)
			r.ask("writer", http.MethodPost, path+"/merge", "{}", http.StatusOK, "If-Match", resp.Header.Get("ETag"))
			_, v := r.ask("published", http.MethodGet, "/v1/pages/by-slug/t", "", http.StatusOK, "Accept", "text/html")
			found := shown(v["text"])
			if len(found) != len(forms) {
				t.Fatalf("the page: have %s", v["text"])
			}
			for _, to := range found {
				r.ask("nobody", http.MethodGet, to, "", http.StatusOK)
			}
			if _, v := r.ask("writer", http.MethodGet, "/v1/links?state=broken", "", http.StatusOK); len(v["data"].([]any)) > 0 {
				t.Errorf("broken links: %v", v["data"])
			}
		})
	}
}
