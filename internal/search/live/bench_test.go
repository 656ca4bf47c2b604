package live_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BenchmarkSearch searches 5,000 pages, with the look at the store.
func BenchmarkSearch(b *testing.B) {
	r := &rig{b, octavotest.Start(b, octavotest.Options{}).Store}
	random := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 3000)
	for i := range words {
		words[i] = fmt.Sprintf("w%c%c%cord", 'a'+random.IntN(26), 'a'+random.IntN(26), 'a'+random.IntN(26))
	}
	text := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = words[int(float64(len(words))*random.Float64()*random.Float64())]
		}
		return strings.Join(list, " ")
	}
	for range 50 {
		r.write(func(tx *sqldb.Tx) error {
			for range 100 {
				p := page(fmt.Sprintf("s-%d", random.Uint64()), octavo.Published, "")
				p.Title, p.Content = text(3), "# "+text(3)+"\n\n"+text(400)
				if _, err := r.st.Pages.Create(tx, p); err != nil {
					return err
				}
			}
			return nil
		})
	}
	s := r.service("", nil)
	r.run(s)
	queries := make([]string, 500)
	for i := range queries {
		queries[i] = text(1 + i%3)
	}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		if _, err := s.Search(b.Context(), public, nil, search.Query{Text: queries[n%len(queries)], Limit: 20}); err != nil {
			b.Fatal(err)
		}
	}
}
