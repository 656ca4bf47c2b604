package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// sink is a client that throws everything away.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteHeader(status int)      { s.status = status }

// BenchmarkRead measures what the API adds to net/http: one request for a page
// or a list of 20 that is in memory, from the parsed request to the answer's
// bytes.
func BenchmarkRead(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{})
	var id octavo.ID
	for i := range 40 {
		err := s.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			page, err := s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
				Title: "A page", Slug: fmt.Sprint("page-", i), Content: strings.Repeat("Some words of text. ", 100),
			}})
			id = page.ID
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	token := s.Token(b, auth.Grant{Scopes: octavo.ScopeRead})
	for name, path := range map[string]string{"page": "/v1/pages/" + string(id), "slug": "/v1/pages/by-slug/page-7", "list": "/v1/pages?limit=20"} {
		for _, coding := range []string{"identity", "gzip"} {
			b.Run(name+"/"+coding, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					r := httptest.NewRequest(http.MethodGet, path, nil)
					r.Header.Set("Authorization", "Bearer "+token)
					r.Header.Set("Accept-Encoding", coding)
					w := &sink{header: http.Header{}}
					s.Handler.ServeHTTP(w, r)
					if w.status != http.StatusOK {
						b.Fatalf("%s: status %d", path, w.status)
					}
				}
			})
		}
	}
}
