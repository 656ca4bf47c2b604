package httpapi_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestCredentialsNotInResponses: a key or a token that is sent, in its place or
// in a wrong one, is in no answer, no header, no line of the log at any level
// and no label of a metric.
func TestCredentialsNotInResponses(t *testing.T) {
	var log octavotest.Log
	counts := metrics.New("test")
	s := octavotest.Start(t, octavotest.Options{
		Log: &log, RateLimit: 1_000_000, Metrics: counts,
	})
	service := s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeWrite})
	search := s.Key(t, auth.KeyRequest{Kind: octavo.KeySearch})
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	wrong := service[:len(service)-1] + "~" // an attacker could correct a key with one wrong character
	searching := "/search/us/v1/examples/query-parameters?q=a&api_key="
	secrets := []string{service, search, token, wrong}
	for _, secret := range secrets {
		for _, c := range []struct{ method, path, name, value, body string }{
			{"GET", searching + secret, "", "", ""},
			{"GET", searching + secret + "&limit=x&cursor=" + secret, "", "", ""},
			{"GET", searching + secret + "%zz", "", "", ""},
			{"GET", "/search/mars/v1/examples/query-parameters?api_key=" + secret, "", "", ""},
			{"GET", "/v1/pages?api_key=" + secret + "&limit=" + secret, "", "", ""},
			{"GET", "/v1/pages?access_token=" + secret, "", "", ""},
			{"GET", "/v1/pages/" + secret, "", "", ""},
			{"GET", "/v1/pages/page_" + secret, "X-API-Key", secret, ""},
			{"DELETE", "/v1/api-keys/" + secret, "Authorization", "Bearer " + token, ""},
			{"GET", "/" + secret, "", "", ""},
			{secret[:3], "/v1/pages", "", "", ""},
			{"GET", "/v1/pages", "Authorization", "Bearer " + secret, ""},
			{"GET", "/v1/pages", "Authorization", secret, ""},
			{"GET", "/v1/pages", "Authorization", "Basic " + secret, ""},
			{"GET", "/v1/pages", "X-API-Key", secret, ""},
			{"GET", "/v1/pages", "Cookie", "key=" + secret, ""},
			{"GET", "/v1/pages", "Referer", s.URL + searching + secret, ""},
			{"POST", "/v1/pages?api_key=" + secret, "X-API-Key", secret, `{"title": 1}`},
		} {
			req, err := http.NewRequestWithContext(t.Context(), c.method, s.URL, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.URL.Path, req.URL.RawQuery, _ = strings.Cut(c.path, "?")
			req.Header.Set("Content-Type", "application/json")
			if c.name != "" {
				req.Header.Set(c.name, c.value)
			}
			resp, err := http.DefaultTransport.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range append(secrets, url.QueryEscape(wrong)) {
				if bytes.Contains(body, []byte(secret)) {
					t.Errorf("%s %s %s: the answer %d repeats a credential: %s", c.method, c.path, c.name, resp.StatusCode, body)
				}
				if strings.Contains(fmt.Sprint(resp.Header), secret) {
					t.Errorf("%s %s %s: a header of the answer repeats a credential: %v", c.method, c.path, c.name, resp.Header)
				}
			}
		}
	}
	observed := httptest.NewRecorder()
	counts.Handler().ServeHTTP(observed, httptest.NewRequest("GET", "/metrics", nil))
	for _, secret := range secrets {
		for name, text := range map[string]string{"log": log.String(), "metrics": observed.Body.String()} {
			if i := strings.Index(text, secret[4:40]); i >= 0 {
				t.Errorf("the %s holds a credential: %s", name, text[max(0, i-200):i])
			}
		}
	}
	if !strings.Contains(log.String(), "operation=demoQueryParameters") || !strings.Contains(observed.Body.String(), `operation="demoQueryParameters",status="401"`) {
		t.Error("the log or the metrics saw nothing: the test shows nothing")
	}
}

// TestHeaderInjection sends what an HTTP library would not: line ends
// in values that answers repeat or that come into their neighbourhood.
func TestHeaderInjection(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	for _, lines := range []string{
		"X-Trace-Id: a\rSet-Cookie: x=1",
		"X-Trace-Id: a\nSet-Cookie: x=1",
		"X-Trace-Id: a\x00b",
		"X-Trace-Id: a%0d%0aSet-Cookie: x=1",
		"Traceparent: 00-\rSet-Cookie: x=1",
		"Authorization: Bearer a\rSet-Cookie: x=1",
		"Authorization: Bearer a\"\\, error=\"x",
		"X-API-Key: oct_\rSet-Cookie: x=1",
		"X-API-Key: \"\r\n Set-Cookie: x=1",
		"X-Forwarded-For: 1.2.3.4\rSet-Cookie: x=1",
	} {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.WriteString(conn, "GET /v1/pages?q=%0d%0aSet-Cookie:x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"+lines+"\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%q: %v", lines, err)
		}
		_ = resp.Body.Close()
		_ = conn.Close()
		if resp.StatusCode != http.StatusUnauthorized && resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%q: have %d, want 401 or 400", lines, resp.StatusCode)
		}
		if resp.Header.Get("Set-Cookie") != "" || strings.Contains(resp.Header.Get("WWW-Authenticate"), `error="x`) {
			t.Errorf("%q: it is in the header of the answer: %v", lines, resp.Header)
		}
	}
}

// TestLongCredentials: one that is too long is refused without a look at it.
func TestLongCredentials(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeRead})
	for name, header := range map[string][2]string{
		"64 KB behind a token": {"Authorization", "Bearer " + token + strings.Repeat("A", 64<<10)},
		"64 KB of dots":        {"Authorization", "Bearer " + strings.Repeat(".", 64<<10)},
		"a key of 64 KB":       {"X-API-Key", "oct_" + strings.Repeat("0", 64<<10)},
	} {
		resp, text := send(t, s, http.MethodGet, "/v1/pages", "", header[0], header[1])
		if resp.StatusCode != http.StatusUnauthorized || text != "" || !strings.Contains(resp.Header.Get("WWW-Authenticate"), "longer than 8192 bytes") {
			t.Errorf("%s: have %d %q %s, want 401 that says so", name, resp.StatusCode, resp.Header.Get("WWW-Authenticate"), text)
		}
	}
}
