package authserver_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// manage sends a request of an administrator, and returns its status and answer.
func manage(t testing.TB, s *octavotest.Server, method, path, body string) (int, map[string]any) {
	t.Helper()
	return ask(t, s, s.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin}), method, path, body)
}

func ask(t testing.TB, s *octavotest.Server, token, method, path, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+"/v1"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("If-Match", "*")
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]any{}
	if len(text) > 0 {
		if err := json.Unmarshal(text, &have); err != nil {
			t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
	return resp.StatusCode, have
}

// invite invites somebody, and returns their identifier and link.
func invite(t testing.TB, s *octavotest.Server, email string, role octavo.Role) (id, link string) {
	t.Helper()
	status, have := manage(t, s, "POST", "/users", fmt.Sprintf(`{"email":%q,"name":"New One","role":%q}`, email, role))
	if status != http.StatusCreated {
		t.Fatalf("invite %s: have %d %v", email, status, have)
	}
	return have["id"].(string), have["link"].(string)
}

// reset returns a link to set another password.
func reset(t testing.TB, s *octavotest.Server, id string) string {
	t.Helper()
	status, have := manage(t, s, "POST", "/users/"+id+"/reset", "")
	if status != http.StatusOK {
		t.Fatalf("reset %s: have %d %v", id, status, have)
	}
	return have["link"].(string)
}

// must changes a person.
func must(t testing.TB, s *octavotest.Server, method, path, body string) {
	t.Helper()
	if status, have := manage(t, s, method, path, body); status/100 != 2 {
		t.Fatalf("%s %s %s: have %d %v", method, path, body, status, have)
	}
}

// An invitation sets the password of one person once, whatever is sent with it,
// and gives the role that they have when it is used.
func TestInvitation(t *testing.T) {
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			o := octavotest.Options{}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			s := octavotest.Start(t, o)
			addUser(t, s, "root@example.com", octavo.RoleAdmin)
			id, link := invite(t, s, "new@example.com", octavo.RoleAdmin)
			must(t, s, "PATCH", "/users/"+id, `{"role":"reader"}`)
			b := newBrowser(t, s)
			b.login(b.get("/login"), "new@example.com", "").wants(t, 403, "is wrong")
			for range 3 { // looking spends nothing
				b.get(link).wants(t, 200, "Welcome, New One")
			}
			page := b.get(link)
			b.send(page, "/setup", "password", "short").wants(t, 422, "at least 12 characters")

			browsers := make([]*browser, 4) // no more than may wait
			pages, answers := make([]answer, len(browsers)), make([]answer, len(browsers))
			for i := range browsers {
				browsers[i] = newBrowser(t, s)
				pages[i] = browsers[i].get(link)
			}
			var group sync.WaitGroup
			for i, b := range browsers {
				group.Go(func() {
					answers[i] = b.send(pages[i], "/setup", "email", "root@example.com", "name", "Root", "role", "admin", "password", fmt.Sprint(password, i))
				})
			}
			group.Wait()
			won := 0
			for i, a := range answers {
				if a.StatusCode != http.StatusSeeOther {
					a.wants(t, 404, "not valid")
					continue
				}
				won++
				if role := browsers[i].signedInAs(); role != octavo.RoleReader {
					t.Errorf("signed in as %q, want reader", role)
				}
				browsers[i].get("/account").wants(t, 200, "new@example.com")
				b.login(b.get("/login"), "new@example.com", fmt.Sprint(password, i)).location(t)
			}
			if won != 1 {
				t.Errorf("%d used the link at once, want 1", won)
			}
			b.send(page, "/setup", "password", password).wants(t, 403, "cannot be accepted") // of another session
			b.get(link).wants(t, 404, "not valid")
			b.login(b.get("/login"), "root@example.com", password).location(t) // whose password stayed
		})
	}
}

// A link is worth nothing when it is guessed, late, replaced, or its person is
// disabled, removed, or has another password.
func TestLinksEnd(t *testing.T) {
	now := time.Now()
	s := octavotest.Start(t, octavotest.Options{Now: func() time.Time { return now }})
	addUser(t, s, "root@example.com", octavo.RoleAdmin)
	for i, c := range []struct {
		name string
		end  func(id, link string) string // returns the link to try
	}{
		{"guessed", func(_, link string) string { return link[:len(link)-2] + "xx" }},
		{"cut", func(_, link string) string { return link[:len(link)-1] }},
		{"none", func(string, string) string { return "/setup" }},
		{"late", func(_, link string) string { now = now.Add(authserver.LinkLife); return link }},
		{"replaced", func(id, link string) string { reset(t, s, id); return link }},
		{"disabled", func(id, link string) string { must(t, s, "PATCH", "/users/"+id, `{"disabled":true}`); return link }},
		{"disabled and enabled", func(id, link string) string {
			must(t, s, "PATCH", "/users/"+id, `{"disabled":true}`)
			must(t, s, "PATCH", "/users/"+id, `{"disabled":false}`)
			return link
		}},
		{"removed", func(id, link string) string { must(t, s, "DELETE", "/users/"+id, ""); return link }},
	} {
		id, link := invite(t, s, fmt.Sprint(i, "@example.com"), octavo.RoleEditor)
		b := newBrowser(t, s)
		page := b.get(link).wants(t, 200, "Welcome")
		bad := c.end(id, link)
		if a := b.get(bad); a.StatusCode != 404 || !strings.Contains(a.body, "not valid") {
			t.Errorf("%s: GET has %d", c.name, a.StatusCode)
		}
		_, text, _ := strings.Cut(bad, "link=")
		if a := b.send(page, "/setup", "link", text, "password", password); a.StatusCode != 404 {
			t.Errorf("%s: POST has %d", c.name, a.StatusCode)
		}
		if b.signedInAs() != "" {
			t.Errorf("%s: signed in", c.name)
		}
	}
}

// A reset ends all that its person had at once, and what they set then lets them in.
func TestResetEndsAccess(t *testing.T) {
	w := newWorld(t)
	r, code := w.redeem(w.code()), w.code()
	link := reset(t, w.Server, "usr_annexamplecom")
	gone := func(r reply) {
		t.Helper()
		if status := callAPI(t, w.Server, r.Access, "/v1/pages"); status != 401 {
			t.Errorf("access token: have %d, want 401", status)
		}
		w.refresh(r.Refresh).refused(t, "refresh", 400, "invalid_grant")
	}
	gone(r)
	w.redeem(code).refused(t, "a code", 400, "invalid_grant")
	w.get("/account").location(t)
	w.login(w.get("/login"), "ann@example.com", password).wants(t, 403, "is wrong")
	b := newBrowser(t, w.Server)
	b.send(b.get(link).wants(t, 200, "Set a new password"), "/setup", "password", "another good password").location(t)
	b.get("/account").wants(t, 200, "ann@example.com")
	w.login(w.get("/login"), "ann@example.com", "another good password").location(t)

	// The link itself ends what began after it was made.
	r = w.redeem(w.code())
	if status, _ := manage(t, w.Server, "POST", "/users/usr_nobody/reset", ""); status != 404 {
		t.Errorf("reset of nobody: have %d, want 404", status)
	}
	reset(t, w.Server, "usr_annexamplecom")
	gone(r)
}

// A removed person has no access any more, whatever credentials they have.
func TestRemovedPersonSignedOut(t *testing.T) {
	w := newWorld(t)
	r, code := w.redeem(w.code()), w.code()
	byHand := w.Token(t, auth.Grant{Subject: "usr_annexamplecom", Scopes: octavo.ScopeRead})
	must(t, w.Server, "DELETE", "/users/usr_annexamplecom", "")
	for _, token := range []string{r.Access, byHand} {
		if status := callAPI(t, w.Server, token, "/v1/pages"); status != 401 {
			t.Errorf("access token: have %d, want 401", status)
		}
	}
	w.refresh(r.Refresh).refused(t, "refresh", 400, "invalid_grant")
	w.redeem(code).refused(t, "a code", 400, "invalid_grant")
	w.get("/account").location(t)
	w.login(w.get("/login"), "ann@example.com", password).wants(t, 403, "is wrong")
}

// The name of a removed person only remains in the audit log.
func TestRemovedPersonName(t *testing.T) {
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			o := octavotest.Options{}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			s := octavotest.Start(t, o)
			ann := addUser(t, s, "ann@example.com", octavo.RoleEditor)
			token := s.Token(t, auth.Grant{Subject: string(ann.ID), Name: ann.Name, Scopes: octavo.ScopeWrite})
			do := func(path, body string) (id string) {
				status, have := ask(t, s, token, "POST", path, body)
				if status/100 != 2 {
					t.Fatalf("POST %s: have %d %v", path, status, have)
				}
				id, _ = have["id"].(string)
				return id
			}
			page := do("/pages", `{"title":"Guide","slug":"guide","content":"one\n"}`)
			paths := []string{"/pages/" + page + "/revisions", "/pages/" + page + "?include=authors"}
			for range 2 { // one is merged
				proposal := do("/proposals", `{"title":"Better","changes":[{"op":"create","title":"New","slug":"new","content":"new\n"}]}`)
				do("/proposals/"+proposal+"/comments", `{"text":"Mine."}`)
				do("/proposals/"+proposal+"/reviews", `{"verdict":"comment","text":"Ready."}`)
				if len(paths) == 2 {
					do("/proposals/"+proposal+"/merge", `{}`)
				}
				paths = append(paths, "/proposals/"+proposal, "/proposals/"+proposal+"/comments", "/proposals/"+proposal+"/reviews")
			}
			for _, want := range []string{ann.Name, octavo.FormerName} {
				for _, path := range paths {
					_, have := manage(t, s, "GET", path, "")
					text := fmt.Sprint(have)
					if !strings.Contains(text, want) || strings.Contains(text, ann.Name) != (want == ann.Name) || !strings.Contains(text, string(ann.ID)) {
						t.Errorf("%s: have %s, want the name %q", path, text, want)
					}
				}
				if want == ann.Name {
					must(t, s, "DELETE", "/users/"+string(ann.ID), "")
				}
			}
			if err := holdsName(t, s, ann.Name); err != "" {
				t.Error(err)
			}
		})
	}
}

// holdsName says where in a copy of the database a name is but in the audit log; ""
// for nowhere, and where no copy can be read.
func holdsName(t *testing.T, s *octavotest.Server, name string) string {
	t.Helper()
	if s.Store.DB.Shared() {
		return ""
	}
	path := filepath.Join(t.TempDir(), "copy.db")
	if err := s.Store.DB.CopyTo(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // a copy
	rows, err := db.QueryContext(t.Context(), "SELECT m.name, p.name FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name <> 'audit'")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	var columns [][2]string
	for rows.Next() {
		var c [2]string
		if err := rows.Scan(&c[0], &c[1]); err != nil {
			t.Fatal(err)
		}
		columns = append(columns, c)
	}
	if err := rows.Err(); err != nil || len(columns) < 100 {
		t.Fatalf("%d columns, %v", len(columns), err)
	}
	for _, c := range columns {
		var n int
		if err := db.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM \""+c[0]+"\" WHERE instr(CAST(\""+c[1]+"\" AS TEXT), ?) > 0", name).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			found = append(found, strings.Join(c[:], "."))
		}
	}
	if len(found) == 0 {
		return ""
	}
	return "the name is still in " + strings.Join(found, ", ")
}

// Where a provider signs people in alone there are no links, and the roles that it
// gives are not set here.
func TestNoLinksBesideAProviderAlone(t *testing.T) {
	p := newIDP(t)
	s := p.signing(authserver.Provider{Roles: everybody, Alone: true})
	b := newBrowser(t, s)
	b.get(b.leave("")).onward(t)
	users, _, err := s.Store.Accounts.Users.List(t.Context(), "", 1)
	if err != nil || len(users) != 1 {
		t.Fatalf("people: %v, %v", users, err)
	}
	path := "/users/" + string(users[0].ID)
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/users", `{"email":"new@example.com","name":"New","role":"reader"}`},
		{"POST", path + "/reset", ""},
		{"PATCH", path, `{"role":"admin"}`},
		{"PATCH", path, `{"name":"Changed","role":"admin"}`},
	} {
		if status, have := manage(t, s, c.method, c.path, c.body); status != 409 {
			t.Errorf("%s %s: have %d %v, want 409", c.method, c.path, status, have)
		}
	}
	if _, have := manage(t, s, "GET", path, ""); have["name"] == "Changed" || have["role"] != "reader" {
		t.Errorf("after refusals: have %v", have)
	}
	must(t, s, "PATCH", path, `{"name":"Ann","role":"reader"}`)
	b.get("/login/forgotten").wants(t, 404, "sends no links")
}
