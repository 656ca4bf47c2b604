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
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// benchTree is how many pages the tree has.
const benchTree = 10_000

// growTree makes that many pages, ten below each that has any.
func growTree(b *testing.B, s *octavotest.Server) (ids []octavo.ID) {
	for start := 0; start < benchTree; start += 1000 {
		err := s.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for i := start; i < start+1000; i++ {
				page := pagestore.NewPage{PageCreate: octavo.PageCreate{
					Title: fmt.Sprint("How to do the thing number ", i), Slug: fmt.Sprint("guide-how-to-do-thing-", i), Content: strings.Repeat("Some words of text. ", 100),
					Status: octavo.Published, Frontmatter: []byte(`{"title": "How to do the thing", "description": "In which it is shown how it is done.", "tags": ["guide", "thing"]}`),
				}}
				if i >= 10 {
					page.ParentID = ids[i/10]
				}
				if i%20 == 0 {
					page.Status = octavo.Draft
				}
				position := int64(i) * 1024
				page.Position = &position
				made, err := s.Store.Pages.Create(tx, page)
				if err != nil {
					return err
				}
				ids = append(ids, made.ID)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return ids
}

// BenchmarkTree measures the tree of 10,000 pages beside a read of one page: the first
// after a start, the first after a change, and the unchanged one, whole and as 304.
func BenchmarkTree(b *testing.B) {
	s := octavotest.Start(b, octavotest.Options{})
	ids := growTree(b, s)
	token := s.Token(b, auth.Grant{Scopes: octavo.ScopeRead})
	get := func(b *testing.B, path, coding, tag string, want int) string {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Accept-Encoding", coding)
		if tag != "" {
			r.Header.Set("If-None-Match", tag)
		}
		w := &sink{header: http.Header{}}
		s.Handler.ServeHTTP(w, r)
		if w.status != want {
			b.Fatalf("%s: status %d", path, w.status)
		}
		return w.header.Get("ETag")
	}
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			places := outline.New(s.Store)
			now, err := places.Now(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			answer, err := places.Tree(now.For(octavo.Audience{}), outline.Query{})
			if err == nil {
				_, err = answer.Packed()
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("changed", func(b *testing.B) {
		get(b, "/v1/tree", "gzip", "", http.StatusOK)
		for n := int64(0); b.Loop(); n++ {
			b.StopTimer()
			position := n
			err := s.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
				_, err := s.Store.Pages.Update(tx, ids[5000], pagestore.Change{Position: &octavo.OptInt{Value: &position}}, nil)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			get(b, "/v1/tree", "gzip", "", http.StatusOK)
		}
	})
	tag := get(b, "/v1/tree", "gzip", "", http.StatusOK)
	for _, c := range []struct{ name, path, coding, tag string }{
		{"page", "/v1/pages/" + string(ids[5000]), "gzip", ""},
		{"unchanged", "/v1/tree", "gzip", ""},
		{"identity", "/v1/tree", "identity", ""},
		{"304", "/v1/tree", "gzip", tag},
	} {
		b.Run(c.name, func(b *testing.B) {
			want := http.StatusOK
			if c.tag != "" {
				want = http.StatusNotModified
			}
			for b.Loop() {
				get(b, c.path, c.coding, c.tag, want)
			}
		})
	}
}
