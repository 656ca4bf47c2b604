package httpapi_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/conform"
)

// fault is one way in which a server can break the contract.
type fault struct {
	name   string
	script string // begins the name of the script that must catch it
	wrap   func(http.Handler) http.Handler
}

// onRequest alters requests before the server sees them.
func onRequest(alter func(*http.Request)) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			alter(r)
			h.ServeHTTP(w, r)
		})
	}
}

// onAnswer alters answers before the client sees them.
func onAnswer(alter func(*http.Request, *httptest.ResponseRecorder)) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, r)
			alter(r, rec)
			for name, values := range rec.Header() {
				w.Header()[name] = values
			}
			if rec.Header().Get("Content-Length") != "" && r.Method != http.MethodHead {
				w.Header().Set("Content-Length", strconv.Itoa(rec.Body.Len()))
			}
			w.WriteHeader(rec.Code)
			_, _ = w.Write(rec.Body.Bytes()) // conform notes a short answer
		})
	}
}

// inBody replaces text in answers.
func inBody(pattern, with string) func(http.Handler) http.Handler {
	re := regexp.MustCompile(pattern)
	return onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
		rec.Body = bytes.NewBuffer(re.ReplaceAll(rec.Body.Bytes(), []byte(with)))
	})
}

// status turns one status into another.
func status(from, to int) func(http.Handler) http.Handler {
	return onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
		if rec.Code == from {
			rec.Code = to
		}
	})
}

// without drops a field from the request.
func without(header string) func(http.Handler) http.Handler {
	return onRequest(func(r *http.Request) { r.Header.Del(header) })
}

// ignoring drops a query parameter.
func ignoring(name string) func(http.Handler) http.Handler {
	return onRequest(func(r *http.Request) {
		q := r.URL.Query()
		q.Del(name)
		r.URL.RawQuery = q.Encode()
	})
}

// instead makes the server take one credential for another.
func instead(from, to conform.Credential) func(http.Handler) http.Handler {
	return onRequest(func(r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+from.Secret {
			r.Header.Set("Authorization", "Bearer "+to.Secret)
		}
	})
}

// faults lists the seeded faults.
func faults(c map[string]conform.Credential) []fault {
	return []fault{
		{"401 has a body", "04", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			if rec.Code == http.StatusUnauthorized {
				rec.Body.WriteString("{}")
			}
		})},
		{"a key passes for a token", "04", onRequest(func(r *http.Request) {
			if r.Header.Get("X-Api-Key") != "" && r.Header.Get("Authorization") == "" {
				r.Header.Set("Authorization", "Bearer "+c["writer"].Secret)
			}
		})},
		{"readers may write", "05", instead(c["reader"], c["writer"])},
		{"published-only sees all", "06", instead(c["published"], c["reader"])},
		{"Location is relative", "07", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			if l := rec.Header().Get("Location"); l != "" {
				rec.Header().Set("Location", l[strings.Index(l, "/v"):])
			}
		})},
		{"content loses its line end", "07", inBody(`\\n",`, `",`)},
		{"only the first mistake is told", "09", inBody(`"errors":\[(\{[^}]*\}).*\]`, `"errors":[$1]`)},
		{"a null parent is left out", "07", inBody(`"parentId":null,`, ``)},
		{"times without milliseconds", "07", inBody(`\.\d{3}Z"`, `Z"`)},
		{"slug conflict is 400", "07", status(http.StatusConflict, http.StatusBadRequest)},
		{"a list ignores its limit", "11", ignoring("limit")},
		{"a list always has more", "11", inBody(`"hasMore":false`, `"hasMore":true`)},
		{"a cursor is ignored", "12", ignoring("cursor")},
		{"a filter is ignored", "13", ignoring("status")},
		{"include is ignored", "14", ignoring("include")},
		{"a deletion answers 200", "17", status(http.StatusNoContent, http.StatusOK)},
		{"a former slug redirects for now", "19", status(http.StatusPermanentRedirect, http.StatusFound)},
		{"If-Match is ignored", "20", without("If-Match")},
		{"If-None-Match is ignored", "20", without("If-None-Match")},
		{"every page has one entity tag", "20", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			if rec.Header().Get("Etag") != "" {
				rec.Header().Set("Etag", `"1"`)
			}
		})},
		{"a file is shown without its sandbox", "33", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			rec.Header().Del("Content-Security-Policy")
		})},
		{"HTML is shown in place", "33", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			if d := rec.Header().Get("Content-Disposition"); d != "" {
				rec.Header().Set("Content-Disposition", strings.Replace(d, "attachment", "inline", 1))
			}
		})},
		{"ranges are ignored", "33", without("Range")},
		{"an asset in use is deleted", "33", onRequest(func(r *http.Request) {
			if r.Method == http.MethodDelete {
				r.URL.RawQuery = "force=true"
			}
		})},
		{"a repeated upload acts twice", "33", without("Idempotency-Key")},
		{"unused is ignored", "33", ignoring("unused")},
		{"a repeated request acts twice", "23", without("Idempotency-Key")},
		{"errors are plain JSON", "31", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			if strings.HasPrefix(rec.Header().Get("Content-Type"), "application/problem") {
				rec.Header().Set("Content-Type", "application/json")
			}
		})},
		{"answers have no request id", "27", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			rec.Header().Del("X-Request-Id")
		})},
		{"a key in the header passes for one in the query", "04-auth-refusals", onRequest(func(r *http.Request) {
			if key := r.Header.Get("X-Api-Key"); key != "" {
				r.URL.RawQuery += "&api_key=" + key
			}
		})},
		{"of two credentials one counts", "04-auth-refusals", onRequest(func(r *http.Request) {
			for _, name := range []string{"Authorization", "X-Api-Key"} {
				if lines := r.Header[name]; len(lines) > 1 {
					r.Header[name] = lines[:1]
				}
			}
		})},
		{"writers read the audit log", "35", instead(c["writer"], c["admin"])},
		{"the audit log ignores its filters", "35", ignoring("since")},
		{"the feed shows everything to everybody", "39", instead(c["published"], c["reader"])},
		{"the feed begins anew each time", "39", ignoring("after")},
		{"the feed ignores its types", "39", ignoring("types")},
		{"a rotation has always grace", "36", onRequest(func(r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/rotate") {
				r.Body, r.ContentLength = http.NoBody, 0
			}
		})},
		{"a key may be kept on the way", "36", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			rec.Header().Set("Cache-Control", "private, no-cache")
		})},
		{"a search ignores its filters", "41", ignoring("filters")},
		{"a search ignores its limit", "41", ignoring("limit")},
		{"a search shows drafts", "41", instead(c["published"], c["reader"])},
		{"a search shows markup", "41", inBody(`&amp;`, `&`)},
		{"a formula is not guarded", "41", inBody(`"'=`, `"=`)},
		{"an export shows the password of an address", "42", inBody(`:xxxxx@`, `:hush@`)},
		{"an export does not tell of its callback", "42", inBody(`,?\{"kind":"webhook","url":"https://(ann:xxxxx@)?callback[^}]*\}`, ``)},
		{"405 does not say what is allowed", "28", onAnswer(func(_ *http.Request, rec *httptest.ResponseRecorder) {
			rec.Header().Del("Allow")
		})},
	}
}
