package rest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// with returns a request that has the fields, but for empty ones.
func with(method string, fields ...string) *Request {
	r := &Request{Request: httptest.NewRequest(method, "/", nil)}
	for i := 0; i < len(fields); i += 2 {
		if fields[i+1] != "" {
			r.Header.Add(fields[i], fields[i+1])
		}
	}
	return r
}

// FuzzConditions checks that conditional fields permit a change only of what
// they name, and that reading and changing understand them alike.
func FuzzConditions(f *testing.F) {
	f.Add(`"01h455vb4pex5vsknk084sn02q.3"`, ``)
	f.Add(`*`, `"x", W/"01h455vb4pex5vsknk084sn02q.3"`)
	f.Add(`"a" , "01h455vb4pex5vsknk084sn02q.3.n.md.gzip"`, `*`)
	f.Add(`"a"b`, `W/"`)
	f.Fuzz(func(t *testing.T, match, none string) {
		const own = `"01h455vb4pex5vsknk084sn02q.3`
		condition, err := with("PUT", "If-Match", match, "If-None-Match", none).WriteCondition()
		if err == nil && condition != nil {
			allowed := condition(tagID, 3)
			if allowed && match != "" && strings.Trim(match, " \t") != "*" && !strings.Contains(match, own) {
				t.Errorf("If-Match %q permits a change of %s", match, own)
			}
			if allowed && strings.Trim(none, " \t") == "*" {
				t.Errorf("If-None-Match * permits a change")
			}
			if !allowed && match == "" && !strings.Contains(none, own) && strings.Trim(none, " \t") != "*" {
				t.Errorf("If-None-Match %q refuses a change of %s", none, own)
			}
		}
		tag := EntityTag{ID: tagID.Suffix(), Version: 3}
		switch have := readCondition(with("GET", "If-Match", match, "If-None-Match", none), http.StatusOK, tag); {
		case have == http.StatusNotModified && strings.Trim(none, " \t") != "*" && !strings.Contains(none, own+`"`),
			have == http.StatusPreconditionFailed && (match == "" || strings.Trim(match, " \t") == "*"),
			have != 0 && have != http.StatusNotModified && have != http.StatusPreconditionFailed:
			t.Errorf("If-Match %q, If-None-Match %q: have %d", match, none, have)
		}
	})
}

// FuzzNegotiate checks that what is chosen was accepted.
func FuzzNegotiate(f *testing.F) {
	for _, seed := range []string{"", "*/*", "text/*;q=0.5, application/json;q=0.4", "APPLICATION/JSON;q=1.0000", "gzip;q=0, *", "identity;q=NaN", ",;,"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, accept, coding string) {
		available := []string{"application/json", "text/markdown"}
		media, err := with("GET", "Accept", accept).Negotiate(available...)
		lower := strings.ToLower(accept)
		switch {
		case err == nil && !slices.Contains(available, media):
			t.Errorf("Accept %q: have %q", accept, media)
		case err == nil && named(accept) && !strings.Contains(lower, media) && !strings.Contains(lower, "/*"):
			t.Errorf("Accept %q: have %q, which it does not accept", accept, media)
		case err != nil && !named(accept):
			t.Errorf("Accept %q: %v", accept, err)
		}
		lower = strings.ToLower(coding)
		if with("GET", "Accept-Encoding", coding).AcceptsGzip() && !strings.Contains(lower, "gzip") && !strings.Contains(lower, "*") {
			t.Errorf("Accept-Encoding %q: gzip is sent", coding)
		}
	})
}

// named reports whether an element of the list has a name; one without is
// passed over.
func named(field string) bool {
	return slices.ContainsFunc(strings.Split(field, ","), func(element string) bool {
		name, _, _ := strings.Cut(element, ";")
		return strings.TrimSpace(name) != ""
	})
}

// FuzzClaim holds what an Idempotency-Key may be, and that the hash tells
// requests apart.
func FuzzClaim(f *testing.F) {
	f.Add("k1", "", "/pages", []byte(`{}`))
	f.Add("k 1", "k2", "/pages\x00", []byte("\x00"))
	f.Fuzz(func(t *testing.T, key, second, path string, body []byte) {
		r := with("POST", "Idempotency-Key", key, "Idempotency-Key", second)
		r.URL.Path, r.body = path, body
		claim, err := claimOf(r)
		values := r.Header.Values("Idempotency-Key")
		valid := len(values) == 1 && len(values[0]) <= 255 && !strings.ContainsFunc(values[0], func(c rune) bool { return c <= ' ' || c >= 0x7f })
		if (err == nil) != (valid || len(values) == 0) || (claim != nil) != valid {
			t.Fatalf("%q: have %v %v", values, claim, err)
		}
		if claim == nil {
			return
		}
		other := with("POST", "Idempotency-Key", values[0])
		other.URL.Path, other.body = path, append([]byte("x"), body...)
		if changed, err := claimOf(other); err != nil || changed.Hash == claim.Hash || changed.Key != claim.Key || changed.Owner != claim.Owner {
			t.Errorf("another body has the claim %v %v", changed, err)
		}
	})
}

// claimOf is the claim of a request, nil where it has no key.
func claimOf(r *Request) (*sqldb.Claim, error) {
	key, err := r.IdempotencyKey()
	if err != nil || key == "" {
		return nil, err
	}
	return newClaim(r, key, r.Header.Get("Content-Type"), r.body), nil
}

// FuzzSender checks that only trusted proxies are believed.
func FuzzSender(f *testing.F) {
	f.Add("192.0.2.1:1234", "198.51.100.1")
	f.Add("10.0.0.1:1", "203.0.113.9, 198.51.100.1, 10.0.0.2")
	f.Add("[2001:db8::1%eth0]:1", "::ffff:10.0.0.1")
	a := &API{Options: Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
	f.Fuzz(func(t *testing.T, remote, forwarded string) {
		r := with("GET", "X-Forwarded-For", forwarded)
		r.RemoteAddr = remote
		have := a.sender(r)
		plain := with("GET")
		plain.RemoteAddr = remote
		if own := a.sender(plain); !strings.HasPrefix(own, "10.") && have != own {
			t.Errorf("%q from %q: have %q, want %q", forwarded, remote, have, own)
		}
		_, err := netip.ParseAddr(have)
		_, errPrefix := netip.ParsePrefix(have)
		if from, parsed := netip.ParseAddrPort(remote); parsed == nil && from.Addr().Zone() == "" && err != nil && errPrefix != nil {
			t.Errorf("%q from %q: have %q, want an address", forwarded, remote, have)
		}
	})
}

// FuzzBody checks that a body which is taken as a page, in JSON or in YAML,
// says the same when the page is written out and read again.
func FuzzBody(f *testing.F) {
	for _, seed := range []struct{ media, body string }{
		{"application/json", `{"title":"T","slug":"s","content":"c","frontmatter":{"a":[1.50,true,null,"\u00e9"]}}`},
		{"application/json; charset=UTF-8", `{"title":"T","title":"U"}`},
		{"application/x-yaml", "title: &t T\nslug: s\ncontent: |\n  c\nfrontmatter:\n  a: [*t, 0x1F, .inf, 2026-01-01, ~]\n"},
		{"application/x-yaml", `"title: T\nslug: s\ncontent: c"`},
		{"text/plain", ""},
	} {
		f.Add(seed.media, []byte(seed.body))
	}
	f.Fuzz(func(t *testing.T, media string, body []byte) {
		r := with("POST", "Content-Type", media)
		r.body = body
		value, err := r.DecodeBody(MediaYAML)
		if err != nil {
			return
		}
		text := value.AppendJSON(nil)
		again, err := DecodeJSON(text)
		if err != nil || !bytes.Equal(again.AppendJSON(nil), text) {
			t.Fatalf("%s %q: have %v %q, want %q", media, body, err, again.AppendJSON(nil), text)
		}
		page, err := octavo.DecodePageCreate(value)
		if err != nil {
			return
		}
		same, err := octavo.DecodePageCreate(again)
		if err != nil || same.Title != page.Title || same.Slug != page.Slug || same.Content != page.Content || !bytes.Equal(same.Frontmatter, page.Frontmatter) {
			t.Errorf("%s %q: have %+v %v, want %+v", media, body, same, err, page)
		}
	})
}

// FuzzIdentify checks that names from outside come back only when they are fit
// to be, and that others are replaced by one that is.
func FuzzIdentify(f *testing.F) {
	f.Add("t", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("größe", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
	f.Add("a\tb", "00-00000000000000000000000000000000-0000000000000000-ff")
	f.Add(strings.Repeat("t", 129), "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what")
	random := zeros{}
	a := &API{Options: Options{Random: random, IDs: octavo.NewIDSource(func() time.Time { return time.Unix(1, 0) }, random)}}
	f.Fuzz(func(t *testing.T, id, parent string) {
		r := with("GET", "X-Trace-Id", id, "Traceparent", parent)
		w := httptest.NewRecorder()
		r.w = &recorder{ResponseWriter: w}
		a.identify(r)
		for name, sent := range map[string]string{"X-Trace-Id": id, "Traceparent": parent} {
			have := w.Header().Get(name)
			if (sent == "") != (have == "") || utf8.RuneCountInString(have) > maxTraceID || !utf8.ValidString(have) || strings.ContainsFunc(have, unicode.IsControl) {
				t.Errorf("%s %q: have %q", name, sent, have)
			}
		}
		if have := w.Header().Get("Traceparent"); have != "" {
			if _, ok := octavo.ParseTraceparent(have); !ok {
				t.Errorf("traceparent %q: have %q", parent, have)
			}
		}
	})
}

// zeros is a source of chance that leaves none.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
