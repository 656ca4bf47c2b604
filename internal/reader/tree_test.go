package reader

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// told is all that an outline says.
func (o *tree) told() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", o.look.Title, o.look.Language)
	for i, p := range o.order {
		said := p.said.Load()
		var trail []string
		for _, above := range p.Trail() {
			trail = append(trail, above.Href)
		}
		fmt.Fprintf(&b, "%d %s %s %s %s %q %d %t\n", p.index-i, p.id, p.Href, p.Name, trail, said.Front().Description, said.Version, o.slugs[p.slug] == p && o.pages[p.id] == p)
	}
	for path, p := range o.paths {
		if p != nil && !strings.HasPrefix(p.said.Load().Path, path) {
			fmt.Fprintf(&b, "%s leads to %s\n", path, p.slug)
		}
	}
	return b.String()
}

// TestFollowingEqualsLoading changes pages at random, and compares an outline that
// follows with one that is read anew.
func TestFollowingEqualsLoading(t *testing.T) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		t.Run(name, func(t *testing.T) {
			st := open(t, storetest.Options(time.Now))
			defer st.Close() //nolint:errcheck // nothing is left to lose
			service := func() *Service {
				s, err := New(Options{Store: st, Outline: outline.New(st), Pages: pages.New(st.DB, st.Pages, st.Assets, 0), PublicURL: "http://docs.example", Cache: 1 << 20})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			random := rand.New(rand.NewPCG(1, 2))
			following := service()
			var ids []octavo.ID
			for step := range 250 {
				did := storetest.Churn(t, st, random, &ids, step)
				have, err := following.tree(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				want, err := service().tree(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if have.told() != want.told() {
					t.Fatalf("step %d, %s: have\n%s\nwant\n%s", step, did, have.told(), want.told())
				}
			}
		})
	}
}

func TestWordsOfAPath(t *testing.T) {
	t.Parallel()
	if have, want := strings.Map(word, "guide/get_started-now.html"), "guide get started now html"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if have, want := outline.OneLine(" a\n b\té", 5), "a b …"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if have := scriptName("de-CH"); have != "site-de.js" || words.Known("xx") != "en" {
		t.Errorf("have %s", have)
	}
}
