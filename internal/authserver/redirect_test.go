package authserver

import (
	"net/url"
	"strings"
	"testing"
)

func TestCheckRedirectURI(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ uri, want string }{
		{"https://a.example/cb", ""},
		{"https://a.example:8443/cb?x=y", ""},
		{"http://127.0.0.1/cb", ""},
		{"http://[::1]:8080/cb", ""},
		{"http://localhost:3000/cb", ""},
		{"com.example.app:/cb", ""},
		{"http://a.example/cb", "must begin with https://"},
		{"http://127.0.0.1.evil.example/cb", "must begin with https://"},
		{"https:///cb", "must begin with https://"},
		{"app:/cb", "must begin with https://"},
		{"com.example.app://host/cb", "must begin with https://"},
		{"javascript:alert(1)", "must begin with https://"},
		{"data:text/html,x", "must begin with https://"},
		{"/cb", "must begin with https://"},
		{"", "must begin with https://"},
		{"https://a.example/#", "fragment"},
		{"https://a.example/cb#x", "fragment"},
		{"https://ann@a.example/cb", "user"},
		{"https://*.example/cb", "wildcards"},
		{"https://a.example/c b", "spaces"},
		{"https://a.example\\@b.example/", "without"},
		{"https://a.example/\r\nX: y", "without"},
		{"https://ä.example/", "outside ASCII"},
		{"https://a.example/" + strings.Repeat("x", 2000), "absolute URI"},
	} {
		if have := CheckRedirectURI(c.uri); !strings.Contains(have, c.want) || (have == "") != (c.want == "") {
			t.Errorf("CheckRedirectURI(%q): have %q, want %q", c.uri, have, c.want)
		}
	}
}

// FuzzMatchRedirect: whatever is accepted leads, as any parser of URLs
// understands it, to the host that is registered and nowhere else.
func FuzzMatchRedirect(f *testing.F) {
	registered := []string{"http://127.0.0.1/cb", "http://[::1]/cb?x=y", "https://a.example/cb", "com.example.app:/cb"}
	for _, seed := range append(registered, "http://127.0.0.1:80/cb", "http://127.0.0.1:80@b.example/cb", "http://[::1]:1/cb?x=y", "https://a.example:443/cb") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, asked string) {
		if !matchRedirect(registered, asked) {
			return
		}
		u, err := url.Parse(asked)
		if err != nil || u.User != nil || u.Fragment != "" {
			t.Fatalf("%q is accepted and parses as %+v, %v", asked, u, err)
		}
		for _, known := range registered {
			k, err := url.Parse(known)
			if err == nil && k.Scheme == u.Scheme && k.Hostname() == u.Hostname() && k.Path == u.Path && k.RawQuery == u.RawQuery {
				return
			}
		}
		t.Fatalf("%q is accepted and leads to %q", asked, u.Host)
	})
}

func TestScopes(t *testing.T) {
	t.Parallel()
	const read, propose, write, admin = "pages:read", "pages:propose", "pages:write", "admin"
	for _, c := range []struct{ asked, role, want string }{
		{"openid unknown " + read + "  email", read, read + " openid email"},
		{write, read, read},
		{write, write, write},
		{propose, write, propose},
		{write, propose, read + " " + propose},
		{propose, read, read},
		{admin, write, read + " " + propose + " " + write},
		{admin, admin, admin},
		{admin + " " + read, read, read},
		{"openid offline_access", read, "openid offline_access"},
		{"unknown", admin, ""},
		{"", admin, ""},
	} {
		if have := parseScopes(c.asked).bounded(parseScopes(c.role).api).String(); have != c.want {
			t.Errorf("%q for %q: have %q, want %q", c.asked, c.role, have, c.want)
		}
	}
	for _, c := range []struct {
		part, whole string
		want        bool
	}{
		{read, write, true},
		{write, read, false},
		{"openid", read, false},
		{"openid " + read, "openid email " + admin, true},
		{"", read, true},
	} {
		if have := parseScopes(c.part).within(parseScopes(c.whole)); have != c.want {
			t.Errorf("%q within %q: have %t, want %t", c.part, c.whole, have, c.want)
		}
	}
}

// TestNext checks that a sign-in only redirects to this server, to the page requested
// before.
func TestNext(t *testing.T) {
	t.Parallel()
	s := &Server{root: "/sub", Options: Options{Site: "/docs", Studio: "/studio"}}
	for next, led := range map[string]bool{
		"/sub/oauth/authorize?client_id=x": true, "/sub/docs": true, "/sub/docs/page": true, "/sub/docs/page?a=b": true, "/sub/docs?x": true, "/sub/docs/a%20b": true, "/sub/docs/%C3%A9": true, "/sub/docs/-/search?q=a%20b": true,
		"/sub/account": true, "/sub/studio": true, "/sub/studio/pages/page_1?x=y": true, "/studio": false, "/sub/studio/": false, "/sub/studio2": false, "/sub/studio/../oauth/logout": false, "/sub/studio//elsewhere.example": false,
		"": false, "/": false, "/docs/page": false, "/sub/account/x": false, "/sub/docsy": false, "/sub/oauth/authorize": false, "https://elsewhere.example/sub/docs": false,
		"//elsewhere.example/sub/docs": false, "/sub/docs/../oauth/logout": false, "/sub/docs//elsewhere.example": false, "/sub/docs/./x": false, "/sub/docs/%2e%2e/oauth/logout": false, "/sub/docs/..%2foauth": false, "/sub/docs/%5celsewhere": false, "/sub/docs/%0a": false, "/sub/docs/%zz": false,
		"/sub/docs/\\elsewhere": false, "/sub/docs/a b": false, "/sub/docs/\n": false, "/sub/docs/é": false, "/sub/docs#x": false, "/sub/docs/": false,
	} {
		want := ""
		if led {
			want = next
		}
		if have := s.next(next); have != want {
			t.Errorf("%q: have %q, want %q", next, have, want)
		}
	}
	for _, place := range []string{"/docs/page", "/studio"} {
		if have := (&Server{}).next(place); have != "" {
			t.Errorf("without a site and Studio: have %q", have)
		}
	}
	if have := s.continued("/sub/docs/page?client_id=x").get("client_id"); have != "" {
		t.Errorf("a page is taken for an authorization of %q", have)
	}
}
