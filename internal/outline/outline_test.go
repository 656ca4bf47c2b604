package outline_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// item is a page as the tree shows it.
type item struct {
	ID       octavo.ID
	Title    string
	Slug     string
	Status   octavo.PageStatus
	ParentID octavo.ID
	Position *int64
	Children int
}

// listed is the tree as lists of pages tell it.
func listed(t *testing.T, st *store.Store, aud octavo.Audience) (items []item) {
	t.Helper()
	pages, _, err := st.Pages.List(t.Context(), aud, pagestore.Query{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	children := map[octavo.ID]int{}
	for _, p := range pages {
		children[p.ParentID]++
	}
	for _, p := range pages {
		items = append(items, item{p.ID, p.Title, p.Slug, p.Status, p.ParentID, p.Position, children[p.ID]})
	}
	return items
}

// TestTreeEqualsLists changes pages at random. To either audience the tree that
// follows is the one that is read anew, and shows what lists show; its tag follows what
// is seen and nothing else.
func TestTreeEqualsLists(t *testing.T) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		t.Run(name, func(t *testing.T) {
			st := open(t, storetest.Options(time.Now))
			defer st.Close() //nolint:errcheck // nothing is left to lose
			following := outline.New(st)
			read := func(s *outline.Service, aud octavo.Audience) *outline.Answer {
				now, err := s.Now(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				answer, err := s.Tree(now.For(aud), outline.Query{})
				if err != nil {
					t.Fatal(err)
				}
				return answer
			}
			random := rand.New(rand.NewPCG(1, 2))
			var ids []octavo.ID
			tags, texts := map[string]string{}, map[string]string{}
			for step := range 250 {
				did := storetest.Churn(t, st, random, &ids, step)
				for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
					have, anew := read(following, aud), read(outline.New(st), aud)
					if string(have.JSON) != string(anew.JSON) || have.Tag != anew.Tag {
						t.Fatalf("step %d, %s, %+v: have\n%s\nwant\n%s", step, did, aud, have.JSON, anew.JSON)
					}
					var tree struct{ Data []item }
					if err := json.Unmarshal(have.JSON, &tree); err != nil {
						t.Fatal(err)
					}
					want := map[octavo.ID]string{}
					for _, p := range listed(t, st, aud) {
						want[p.ID] = text(p)
					}
					above := map[octavo.ID]bool{"": true}
					for _, p := range tree.Data {
						if text(p) != want[p.ID] || !above[p.ParentID] {
							t.Fatalf("step %d, %s, %+v: have %s, want %s", step, did, aud, text(p), want[p.ID])
						}
						above[p.ID] = true
					}
					if len(tree.Data) != len(want) {
						t.Fatalf("step %d, %s, %+v: have %d pages, want %d", step, did, aud, len(tree.Data), len(want))
					}
					seen := fmt.Sprint(aud, string(have.JSON))
					if tag, known := tags[seen]; known && tag != have.Tag || texts[have.Tag] != "" && texts[have.Tag] != string(have.JSON) {
						t.Fatalf("step %d: the tag %s does not name the bytes", step, have.Tag)
					}
					tags[seen], texts[have.Tag] = have.Tag, string(have.JSON)
				}
			}
		})
	}
}

// TestTreeLimit asks for more pages than an answer holds.
func TestTreeLimit(t *testing.T) {
	t.Parallel()
	st := storetest.OpenSQLite(t, storetest.Options(time.Now))
	defer st.Close() //nolint:errcheck // nothing is left to lose
	for i := range 4 {
		page := storetest.NewPage(fmt.Sprint("page-", i))
		if i%2 == 0 {
			page.Status = octavo.Published
		}
		err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error { _, err := st.Pages.Create(tx, page); return err })
		if err != nil {
			t.Fatal(err)
		}
	}
	s := outline.New(st)
	s.SetMost(2)
	now, err := s.Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Tree(now.For(octavo.Audience{}), outline.Query{})
	var problem *octavo.Error
	if !errors.As(err, &problem) || problem.Type != octavo.InvalidRequest || problem.Fields[0].Path != "parentId" {
		t.Errorf("have %v, want parentId refused", err)
	}
	for _, q := range []outline.Query{{Status: octavo.Draft}, {Parent: "page_none"}} {
		if _, err := s.Tree(now.For(octavo.Audience{}), q); err != nil {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := s.Tree(now.For(octavo.Audience{PublishedOnly: true}), outline.Query{}); err != nil {
		t.Errorf("what is hidden counts: %v", err)
	}
}

func text(p item) string {
	position := "none"
	if p.Position != nil {
		position = fmt.Sprint(*p.Position)
	}
	p.Position = nil
	return fmt.Sprintf("%+v at %s", p, position)
}
