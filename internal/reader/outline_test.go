package reader

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// told is all that an outline says.
func (o *outline) told() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", o.look.Title, o.look.Language)
	for i, p := range o.order {
		said := p.said.Load()
		var trail []string
		for _, above := range p.Trail() {
			trail = append(trail, above.Href)
		}
		fmt.Fprintf(&b, "%d %s %s %s %s %q %d %t\n", p.index-i, p.id, p.Href, p.Name, trail, said.description, said.Version, o.slugs[p.slug] == p && o.pages[p.id] == p)
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
				s, err := New(Options{Store: st, Pages: pages.New(st.DB, st.Pages, st.Assets, 0), PublicURL: "http://docs.example", Cache: 1 << 20})
				if err != nil {
					t.Fatal(err)
				}
				return s
			}
			random := rand.New(rand.NewPCG(1, 2))
			following := service()
			var ids []octavo.ID
			for step := range 250 {
				did := change(t, st, random, &ids, step)
				have, err := following.outline(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				want, err := service().outline(t.Context())
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

// change does something to pages, which may be refused.
func change(t *testing.T, st *store.Store, random *rand.Rand, ids *[]octavo.ID, step int) (did string) {
	t.Helper()
	write := func(f func(tx *sqldb.Tx) error) {
		err := st.DB.Write(t.Context(), sqldb.Cause{}, f)
		if err != nil && !octavo.IsType(err, octavo.Conflict) && !octavo.IsType(err, octavo.NotFound) && !octavo.IsType(err, octavo.InvalidRequest) && !octavo.IsType(err, octavo.SlugTaken) {
			t.Fatal(err)
		}
		did += fmt.Sprint(": ", err)
	}
	update := func(c pagestore.Change) {
		id := (*ids)[random.IntN(len(*ids))]
		did += " " + string(id)
		write(func(tx *sqldb.Tx) error { _, err := st.Pages.Update(tx, id, c, nil); return err })
	}
	statuses := []octavo.PageStatus{octavo.Published, octavo.Published, octavo.Draft, octavo.Archived}
	status := statuses[random.IntN(len(statuses))]
	kind := random.IntN(10)
	if len(*ids) < 5 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		did = "create"
		n := storetest.NewPage(fmt.Sprint("page-", step))
		n.Status, n.Title, n.Path = status, fmt.Sprint("Page ", step), fmt.Sprintf("folder/page-%d.md", step%7)
		write(func(tx *sqldb.Tx) error {
			p, err := st.Pages.Create(tx, n)
			if err == nil {
				*ids = append(*ids, p.ID)
			}
			return err
		})
	case 2, 3:
		did = "status " + string(status)
		update(pagestore.Change{Status: &status})
	case 4:
		did = "move"
		parent := octavo.ID("")
		if random.IntN(4) > 0 {
			parent = (*ids)[random.IntN(len(*ids))]
		}
		update(pagestore.Change{ParentID: &parent})
	case 5:
		did = "rename"
		title, slug := fmt.Sprint("New ", step), fmt.Sprint("new-", step)
		update(pagestore.Change{Title: &title, Slug: &slug})
	case 6:
		did = "describe"
		front := fmt.Appendf(nil, `{"description":"Step %d","language":"%s"}`, step, []string{"en", "de"}[random.IntN(2)])
		update(pagestore.Change{Frontmatter: new(front)})
	case 7:
		did = "write"
		content := fmt.Sprint("Text ", step)
		update(pagestore.Change{Content: &content})
	case 8:
		did = "order"
		position := int64(random.IntN(4))
		update(pagestore.Change{Position: &octavo.OptInt{Value: &position}})
	case 9:
		did = "delete"
		id := (*ids)[random.IntN(len(*ids))]
		policy := []pagestore.ChildrenPolicy{pagestore.ChildrenCascade, pagestore.ChildrenReparent}[random.IntN(2)]
		if random.IntN(2) == 0 {
			write(func(tx *sqldb.Tx) error { return st.Pages.Delete(tx, id, policy, nil) })
		}
		write(func(tx *sqldb.Tx) error { _, err := st.Pages.Restore(tx, id); return err })
	}
	return did
}

func TestWordsOfAPath(t *testing.T) {
	t.Parallel()
	if have, want := strings.Map(word, "guide/get_started-now.html"), "guide get started now html"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if have, want := oneLine(" a\n b\té", 5), "a b …"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
	if have := scriptName("de-CH"); have != "site-de.js" || words.Known("xx") != "en" {
		t.Errorf("have %s", have)
	}
}
