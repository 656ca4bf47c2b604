package httpapi_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/docs"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BenchmarkSearch compares what a search costs in the engine with what it
// costs as a request that is authenticated: the same queries over the same
// 5,000 pages of about 4 kB.
func BenchmarkSearch(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{Search: true})
	fillForSearch(b, s, 5000)
	queries := searchedFor()
	token := s.Token(b, auth.Grant{Scopes: octavo.ScopeRead, PublishedOnly: true})
	key := s.Key(b, auth.KeyRequest{Kind: octavo.KeySearch})
	request := func(path, field, value string) func(b *testing.B, query string) {
		return func(b *testing.B, query string) {
			r := httptest.NewRequest(http.MethodGet, path+"q="+url.QueryEscape(query), nil)
			if field != "" {
				r.Header.Set(field, value)
			}
			w := &sink{header: http.Header{}}
			if s.Handler.ServeHTTP(w, r); w.status != http.StatusOK {
				b.Errorf("%s: status %d", query, w.status)
			}
		}
	}
	for _, way := range []struct {
		name   string
		search func(b *testing.B, query string)
	}{
		{"engine", func(b *testing.B, query string) {
			if _, err := s.Search.Search(b.Context(), octavo.Audience{PublishedOnly: true}, nil, search.Query{Text: query, Limit: 20}); err != nil {
				b.Error(err)
			}
		}},
		{"token", request("/v1/search?", "Authorization", "Bearer "+token)},
		{"key in the query", request("/search/us/v1/examples/query-parameters?api_key="+key+"&", "", "")},
	} {
		b.Run(way.name, func(b *testing.B) {
			b.ReportAllocs()
			var times []time.Duration
			for n := 0; b.Loop(); n++ {
				begun := time.Now()
				way.search(b, queries[n%len(queries)])
				times = append(times, time.Since(begun))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
		})
	}
}

// searchedFor are queries that the project's documentation answers.
func searchedFor() []string {
	return []string{
		"idempotency key", "change a page", "no-cache", "--public-url", "octavo doctor", "published only", `"rate limit"`, "webhok signature", "expor", "slug",
		"how do I back up", "postgresql", "access token", "former slugs", "tree of pages", "OCTAVO_SECRET_KEY", "callbackUrl", "If-Match", "s", "front matter",
	}
}

// fillForSearch writes pages made of the sections of the documentation, and
// waits until they are found.
func fillForSearch(b *testing.B, s *octavotest.Server, count int) {
	b.Helper()
	var sections []string
	err := fs.WalkDir(docs.Files(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") {
			var text []byte
			text, err = fs.ReadFile(docs.Files(), name)
			sections = append(sections, strings.SplitAfter(string(text), "\n## ")[1:]...)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for n := 0; n < count; {
		err := s.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for range 100 {
				var content strings.Builder
				for content.Len() < 3600 {
					content.WriteString("## " + strings.TrimSuffix(sections[r.IntN(len(sections))], "## "))
				}
				title, _, _ := strings.Cut(sections[r.IntN(len(sections))], "\n")
				p := octavo.PageCreate{Title: title, Slug: fmt.Sprint("page-", n), Content: content.String(), Status: octavo.Published}
				if _, err := s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: p}); err != nil {
					return err
				}
				n++
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	if err := s.Search.Await(b.Context()); err != nil {
		b.Fatal(err)
	}
}
