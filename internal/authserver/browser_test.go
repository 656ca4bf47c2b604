package authserver_test

import (
	"crypto/rand"
	"crypto/sha256"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/authserver"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const password = "correct horse battery"

// browser is what a person has in front of them: cookies, and forms that are
// filled in and sent. It follows no redirect by itself.
type browser struct {
	t      testing.TB
	server *octavotest.Server
	client *http.Client
	jar    http.CookieJar
	header http.Header // of each request
}

func newBrowser(t testing.TB, s *octavotest.Server) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &browser{t: t, server: s, jar: jar, header: http.Header{}, client: &http.Client{
		Transport: transport, Jar: jar, Timeout: time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is what came back.
type answer struct {
	*http.Response
	body string
}

func (b *browser) do(method, address, form string) answer {
	b.t.Helper()
	if strings.HasPrefix(address, "/") {
		address = b.server.URL + address
	}
	req, err := http.NewRequestWithContext(b.t.Context(), method, address, strings.NewReader(form))
	if err != nil {
		b.t.Fatal(err)
	}
	for name, values := range b.header {
		req.Header[name] = values
	}
	if form != "" {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return b.sent(req)
}

// sent sends a request, and returns what comes back.
func (b *browser) sent(req *http.Request) answer {
	b.t.Helper()
	resp, err := b.client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read to its end
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer{resp, string(body)}
}

func (b *browser) get(address string) answer { b.t.Helper(); return b.do("GET", address, "") }

func (b *browser) post(address string, form url.Values) answer {
	b.t.Helper()
	return b.do("POST", address, form.Encode())
}

var (
	formPattern   = regexp.MustCompile(`(?s)<form[^>]* action="([^"]*)".*?</form>`)
	hiddenPattern = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
)

// send fills in the form of a page that leads to action, and sends it.
func (b *browser) send(page answer, action string, fields ...string) answer {
	b.t.Helper()
	for _, form := range formPattern.FindAllStringSubmatch(page.body, -1) {
		if form[1] != action {
			continue
		}
		values := url.Values{}
		for _, hidden := range hiddenPattern.FindAllStringSubmatch(form[0], -1) {
			values.Set(unescape(hidden[1]), unescape(hidden[2]))
		}
		for i := 0; i+1 < len(fields); i += 2 {
			values.Set(fields[i], fields[i+1])
		}
		return b.post(action, values)
	}
	b.t.Fatalf("the page has no form for %s: %d\n%s", action, page.StatusCode, page.body)
	return answer{}
}

var entities = strings.NewReplacer("&amp;", "&", "&#43;", "+", "&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">")

func unescape(s string) string { return entities.Replace(s) }

// login signs in, and returns where that leads.
func (b *browser) login(page answer, email, password string) answer {
	b.t.Helper()
	return b.send(page, "/login", "email", email, "password", password)
}

// wants fails the test unless the answer has the status and the text.
func (a answer) wants(t testing.TB, status int, text string) answer {
	t.Helper()
	if a.StatusCode != status || !strings.Contains(a.body, text) {
		t.Fatalf("%s %s: have %d, Location %q, want %d with %q\n%s", a.Request.Method, a.Request.URL, a.StatusCode, a.Header.Get("Location"), status, text, a.body)
	}
	return a
}

// location returns where the answer redirects to.
func (a answer) location(t testing.TB) *url.URL {
	t.Helper()
	u, err := a.Location()
	if err != nil || a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s: have %d, %v, want a redirect\n%s", a.Request.Method, a.Request.URL, a.StatusCode, err, a.body)
	}
	return u
}

// addUser adds a person with the password of these tests.
func addUser(t testing.TB, s *octavotest.Server, email string, role octavo.Role) accounts.User {
	t.Helper()
	hash, err := authserver.HashPassword(rand.Reader, authserver.Cost{Memory: 64, Passes: 1}, password)
	if err != nil {
		t.Fatal(err)
	}
	u := accounts.User{User: octavo.User{ID: octavo.ID("usr_" + strings.NewReplacer("@", "", ".", "").Replace(email)), Email: email, Name: "Ann Example", Role: role}, Password: hash}
	if err := s.Store.Accounts.Users.Add(t.Context(), sqldb.Cause{}, u); err != nil {
		t.Fatal(err)
	}
	return u
}

const secretText = "a-secret-that-a-client-was-given-once-xyzab"

// addClient adds a client, a confidential one with secretText.
func addClient(t testing.TB, s *octavotest.Server, id string, public bool, uris ...string) accounts.Client {
	t.Helper()
	c := accounts.Client{ID: octavo.ID(id), Name: "Wiki " + id, RedirectURIs: uris}
	if !public {
		hash := sha256.Sum256([]byte(secretText))
		c.Secret, c.Scopes = hash[:], octavo.ScopeWrite
	}
	if err := s.Store.Accounts.Clients.Add(t.Context(), sqldb.Cause{}, c); err != nil {
		t.Fatal(err)
	}
	return c
}
