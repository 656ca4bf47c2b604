package store_test

import (
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// listPages is small so that a run of every benchmark stays quick.
var listPages = flag.Int("list-pages", 1000, "pages that BenchmarkList reads from; figures are of 100000")

// BenchmarkList reads the first 20 of lists in a store of many pages:
//
//	go test ./internal/store/ -run - -bench 'List$' -benchtime 20x -list-pages 100000
//
// All pages have one tag, half of them one parent, half are published, and
// every hundredth is archived.
func BenchmarkList(b *testing.B) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		b.Run(name, func(b *testing.B) { benchLists(b, open) })
	}
}

func benchLists(b *testing.B, open func(testing.TB, store.Options) *store.Store) {
	clock := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	o := storetest.Options(time.Now)
	o.Now = func() time.Time { return clock }
	o.IDs = octavo.NewIDSource(o.Now, rand.Reader)
	o.Derive = func(src pagestore.Source) pagestore.Derived {
		return pagestore.Derived{Tags: octavo.Tags(src.Frontmatter)}
	}
	st := open(b, o)
	defer st.Close()
	ids := fillLists(b, st, *listPages, func() { clock = clock.Add(time.Second) })
	storetest.Analyze(b, st)
	for _, list := range listQueries(ids, clock) {
		for audience, aud := range map[string]octavo.Audience{"all": {}, "published": {PublishedOnly: true}} {
			b.Run(audience+"/"+list.name, func(b *testing.B) { benchList(b, st, aud, list.query) })
		}
	}
}

// benchList reports the median and the slowest beside the mean.
func benchList(b *testing.B, st *store.Store, aud octavo.Audience, q pagestore.Query) {
	q.Limit = 20
	var took []time.Duration
	rows := 0
	for b.Loop() {
		started := time.Now()
		refs, _, _, err := st.Pages.ListRefs(b.Context(), aud, q)
		if err != nil {
			b.Fatal(err)
		}
		took, rows = append(took, time.Since(started)), len(refs)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-max")
	b.ReportMetric(float64(rows), "rows")
}

type listQuery struct {
	name  string
	query pagestore.Query
}

func listQueries(ids []octavo.ID, now time.Time) (list []listQuery) {
	root, draft := octavo.ID(""), ids[2]
	late, never := now.Add(-time.Minute), now.Add(time.Hour)
	most := now.Add(-time.Duration(len(ids)/2) * time.Second)
	for _, sort := range []pagestore.Sort{pagestore.SortCreated, pagestore.SortUpdatedDesc, pagestore.SortTitle} {
		for _, q := range []listQuery{
			{"any", pagestore.Query{}},
			{"deep", pagestore.Query{After: &sqldb.Cursor{ID: ids[len(ids)*9/10], Key: "9"}}},
			{"archived", pagestore.Query{Status: octavo.Archived}},
			{"slug", pagestore.Query{Slug: "p7"}},
			{"noSlug", pagestore.Query{Slug: "none"}},
			{"sinceNever", pagestore.Query{UpdatedAfter: never}},
			{"sinceLate", pagestore.Query{UpdatedAfter: late}},
			{"sinceHalf", pagestore.Query{UpdatedAfter: most}},
			{"root", pagestore.Query{Parent: &root}},
			{"parent", pagestore.Query{Parent: &ids[0]}},
			{"draftParent", pagestore.Query{Parent: &draft}},
			{"parentArchived", pagestore.Query{Parent: &ids[0], Status: octavo.Archived}},
			{"tag", pagestore.Query{Tag: "all"}},
			{"tagArchived", pagestore.Query{Tag: "all", Status: octavo.Archived}},
			{"tagSinceNever", pagestore.Query{Tag: "all", UpdatedAfter: never}},
			{"tagParentArchived", pagestore.Query{Tag: "all", Parent: &ids[0], Status: octavo.Archived}},
		} {
			q.name, q.query.Sort = q.name+"/"+string(sort), sort
			list = append(list, q)
		}
	}
	return list
}

func fillLists(b *testing.B, st *store.Store, count int, tick func()) (ids []octavo.ID) {
	b.Helper()
	for len(ids) < count {
		done := len(ids)
		err := st.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			ids = ids[:done]
			for range min(1000, count-done) {
				tick()
				i := len(ids)
				n := storetest.NewPage(fmt.Sprint("p", i))
				n.Title = fmt.Sprint("Title ", i*7919%count)
				n.Frontmatter = json.RawMessage(`{"tags":["all"]}`)
				if i%2 == 0 {
					n.Status = octavo.Published
				}
				if i%100 == 51 {
					n.Status = octavo.Archived
				}
				if i == 2 {
					n.Status = octavo.Draft
				}
				if i > 2 && i%2 == 1 {
					n.ParentID = ids[0]
				}
				if i > 2 && i%4 == 0 {
					n.ParentID = ids[2]
				}
				p, err := st.Pages.Create(tx, n)
				if err != nil {
					return err
				}
				ids = append(ids, p.ID)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	return ids
}
