package siteapi_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BenchmarkSite asks for pages beside a read of the same page as JSON.
func BenchmarkSite(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{Search: true, Site: app.Site{Served: true, Public: true, Cache: 8 << 20}})
	var page octavo.Page
	if err := s.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		page, err = s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "Page", Slug: "page", Content: "# Page\n\nText of it.\n", Status: octavo.Published}})
		return err
	}); err != nil {
		b.Fatal(err)
	}
	token := s.Token(b, auth.Grant{Scopes: octavo.ScopeRead})
	get := func(path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		for i := 0; i < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		s.Handler.ServeHTTP(w, r)
		return w
	}
	tag := get("/docs", "Accept", browser, "Accept-Encoding", "gzip").Header().Get("ETag")
	for _, c := range []struct {
		name, path string
		status     int
		headers    []string
	}{
		{"json", "/v1/pages/" + string(page.ID), 200, []string{"Authorization", "Bearer " + token, "Accept-Encoding", "gzip"}},
		{"page", "/docs", 200, []string{"Accept", browser, "Accept-Encoding", "gzip"}},
		{"unchanged", "/docs", 304, []string{"Accept", browser, "Accept-Encoding", "gzip", "If-None-Match", tag}},
		{"markdown", "/docs/page.md", 200, []string{"Accept-Encoding", "gzip"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if w := get(c.path, c.headers...); w.Code != c.status {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}
