package pagestore

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/sqldb/sqltest"
)

// TestListPlans: a list is read from an index in its own order, so that its
// cost does not grow with the number of pages.
func TestListPlans(t *testing.T) {
	st := sqltest.Open(t, time.Now)
	root, parent := octavo.ID(""), octavo.ID("page_x")
	updated, title := &sqldb.Cursor{Key: "1", ID: "page_x"}, &sqldb.Cursor{Key: "t", ID: "page_x"}
	for _, test := range []struct {
		query         Query
		index, public string // how the first table is read; public is "" where it is no different
	}{
		{Query{}, "SCAN p USING INDEX sqlite_autoindex_pages_1", "SEARCH p USING INDEX pages_status (status=?)"},
		{Query{After: &sqldb.Cursor{ID: "page_x"}}, "SEARCH p USING INDEX sqlite_autoindex_pages_1 (id>?)", "SEARCH p USING INDEX pages_status (status=? AND id>?)"},
		{Query{Sort: SortCreatedDesc}, "SCAN p USING INDEX sqlite_autoindex_pages_1", "SEARCH p USING INDEX pages_status (status=?)"},
		{Query{Status: "published", After: &sqldb.Cursor{ID: "page_x"}}, "SEARCH p USING INDEX pages_status (status=? AND id>?)", ""},
		{Query{Slug: "x"}, "SEARCH p USING INDEX sqlite_autoindex_pages_1 (id=?)", ""},
		{Query{Slug: "x", Tag: "x", Parent: &parent, Status: "published", UpdatedAfter: time.Unix(1, 0), Sort: SortTitle, After: title}, "SEARCH p USING INDEX sqlite_autoindex_pages_1 (id=?)", ""},
		{Query{Parent: &root, After: &sqldb.Cursor{ID: "page_x"}}, "SEARCH p USING INDEX pages_parent (parent_id=? AND id>?)", "SEARCH p USING INDEX pages_status (status=? AND id>?)"},
		{Query{Parent: &parent, After: &sqldb.Cursor{ID: "page_x"}}, "SEARCH p USING INDEX pages_parent (parent_id=? AND id>?)", ""},
		{Query{Parent: &parent, Sort: SortTitle, After: title}, "SEARCH p USING INDEX pages_parent_title (parent_id=? AND (title,id)>(?,?))", ""},
		{Query{Parent: &parent, Sort: SortUpdatedDesc}, "SEARCH p USING INDEX pages_parent_updated (parent_id=?)", ""},
		{Query{Parent: &parent, Sort: SortUpdatedDesc, UpdatedAfter: time.Unix(1, 0)}, "SEARCH p USING INDEX pages_parent_updated (parent_id=? AND updated_at>?)", ""},
		{Query{Parent: &parent, Status: "published", Sort: SortTitle}, "SEARCH p USING INDEX pages_parent_title (parent_id=?)", ""},
		{Query{Sort: SortUpdatedDesc}, "SCAN p USING INDEX pages_updated", "SEARCH p USING INDEX pages_status_updated (status=?)"},
		{Query{Sort: SortUpdatedDesc, After: updated}, "SEARCH p USING INDEX pages_updated ((updated_at,id)<(?,?))", "SEARCH p USING INDEX pages_status_updated (status=? AND (updated_at,id)<(?,?))"},
		{Query{Sort: SortTitle}, "SCAN p USING INDEX pages_title", "SEARCH p USING INDEX pages_status_title (status=?)"},
		{Query{Sort: SortTitle, After: title}, "SEARCH p USING INDEX pages_title ((title,id)>(?,?))", "SEARCH p USING INDEX pages_status_title (status=? AND (title,id)>(?,?))"},
		{Query{Sort: SortTitle, UpdatedAfter: time.Unix(1, 0)}, "SCAN p USING INDEX pages_title", "SEARCH p USING INDEX pages_status_title (status=?)"},
		{Query{Status: "published", Sort: SortUpdatedDesc}, "SEARCH p USING INDEX pages_status_updated (status=?)", ""},
		{Query{Status: "published", Sort: SortTitle}, "SEARCH p USING INDEX pages_status_title (status=?)", ""},
		{Query{UpdatedAfter: time.Unix(1, 0), Sort: SortUpdatedDesc}, "SEARCH p USING INDEX pages_updated (updated_at>?)", "SEARCH p USING INDEX pages_status_updated (status=? AND updated_at>?)"},
		{Query{Tag: "x"}, "SEARCH t USING PRIMARY KEY (tag=?)", ""},
		{Query{Tag: "x", After: &sqldb.Cursor{ID: "page_x"}}, "SEARCH t USING PRIMARY KEY (tag=? AND page_id>?)", ""},
		{Query{Tag: "x", Sort: SortTitle, After: title}, "SEARCH t USING COVERING INDEX page_tags_title (tag=? AND (title,page_id)>(?,?))", ""},
		{Query{Tag: "x", Sort: SortUpdatedDesc}, "SEARCH t USING COVERING INDEX page_tags_updated (tag=?)", ""},
		{Query{Tag: "x", Sort: SortUpdatedDesc, UpdatedAfter: time.Unix(1, 0)}, "SEARCH t USING COVERING INDEX page_tags_updated (tag=? AND updated_at>?)", ""},
	} {
		for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
			p := newListPlan(aud, test.query)
			plan := findPlan(t, st, p)
			want := test.index
			if aud.PublishedOnly && test.public != "" {
				want = test.public
			}
			if first, _, _ := strings.Cut(plan, "\n"); first == "" || !strings.Contains("|"+want+"|", "|"+first+"|") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s, %+v: have plan\n%s\nwant it to start with %s and sort nothing", describe(test.query), aud, plan, want)
			}
		}
	}
}

// TestDeletedPlan: deleted pages are found without a look at the others.
func TestDeletedPlan(t *testing.T) {
	st := sqltest.Open(t, time.Now)
	parent := octavo.ID("page_x")
	for _, q := range []Query{{Deleted: true}, {Deleted: true, Slug: "x", Status: "draft", Parent: &parent, UpdatedAfter: time.Unix(1, 0), Sort: SortUpdatedDesc}} {
		plan := findPlan(t, st, newListPlan(octavo.Audience{}, q))
		if !regexp.MustCompile(`(SCAN|SEARCH) c USING (COVERING )?INDEX pages_deleted[^\n]*\n(.*\n)*SEARCH p USING [^\n]*\(id=\?\)`).MatchString(plan) {
			t.Errorf("%s: have plan\n%s", describe(q), plan)
		}
	}
}

// TestListPlansAll: whatever filters and orders come together, and whichever
// filter selects few pages, no list reads a table whole or sorts more than
// those few, and counting how many there are looks at no row of pages.
func TestListPlansAll(t *testing.T) {
	st := sqltest.Open(t, time.Now)
	root, parent := octavo.ID(""), octavo.ID("page_x")
	plans := 0
	for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
		for _, status := range []octavo.PageStatus{"", "published"} {
			for _, slug := range []string{"", "x"} {
				for _, under := range []*octavo.ID{nil, &root, &parent} {
					for _, tag := range []string{"", "x"} {
						for _, after := range []time.Time{{}, time.Unix(1, 0)} {
							for _, sort := range []Sort{SortCreated, SortCreatedDesc, SortUpdatedDesc, SortTitle} {
								for _, mark := range []*sqldb.Cursor{nil, {Key: "1", ID: "page_x"}} {
									q := Query{Status: status, Slug: slug, Parent: under, Tag: tag, UpdatedAfter: after, Sort: sort, After: mark}
									plans += checkPlans(t, st, aud, q)
								}
							}
						}
					}
				}
			}
		}
	}
	t.Logf("%d plans", plans)
}

var wholeTable = regexp.MustCompile(`(?m)^SCAN (\w+)( USING (COVERING )?INDEX \w+)?$`)

// checkPlans checks every plan that there may be for a query.
func checkPlans(t *testing.T, st *sqldb.DB, aud octavo.Audience, q Query) (plans int) {
	t.Helper()
	p := newListPlan(aud, q)
	narrow := q.Status != "" || q.Slug != "" || q.Parent != nil || q.Tag != "" || aud.PublishedOnly
	walk := findPlan(t, st, p)
	plans++
	if strings.Contains(walk, "TEMP B-TREE") || narrow && strings.HasPrefix(walk, "SCAN") {
		t.Errorf("%s, %+v: have plan\n%s", describe(q), aud, walk)
	}
	for _, f := range p.rest() {
		p.few = f
		plan := findPlan(t, st, p)
		plans++
		if !strings.Contains(plan, "SEARCH p USING INDEX sqlite_autoindex_pages_1 (id=?)") {
			t.Errorf("%s, %+v, few by filter %d: have plan\n%s\nwant pages looked up by id", describe(q), aud, f, plan)
		}
		for _, scan := range wholeTable.FindAllStringSubmatch(plan, -1) {
			if scan[1] != "few" {
				t.Errorf("%s, %+v, few by filter %d: reads a whole table:\n%s", describe(q), aud, f, plan)
			}
		}
		// What two filters select together is counted by an index of both.
		both := map[filter]string{byTag: "tag=? AND ", byParent: "parent_id=? AND ", byStatus: "status=? AND "}[p.base] +
			map[filter]string{byTime: "updated_at>?", byStatus: "status=?"}[f]
		if f == byParent || f == byRoot {
			both = ""
		}
		var a sqldb.Args
		counted := sqltest.Explain(t, st, p.source(f, &a)+" LIMIT 10", a)
		if strings.Contains(counted, "SCAN") && f != byRoot || strings.Contains(counted, "TEMP B-TREE") || !strings.Contains(counted, "COVERING INDEX") && !strings.Contains(counted, "PRIMARY KEY") || !strings.Contains(counted, both) {
			t.Errorf("%s, %+v, counted by filter %d: have plan\n%s", describe(q), aud, f, counted)
		}
	}
	return plans
}

func findPlan(t *testing.T, st *sqldb.DB, p listPlan) string {
	t.Helper()
	var a sqldb.Args
	p.q.Limit = 10
	text, err := p.find(&a)
	if err != nil {
		t.Fatal(err)
	}
	return sqltest.Explain(t, st, text, a)
}

func describe(q Query) string {
	under, mark := "any", ""
	if q.Parent != nil {
		under = string(*q.Parent)
	}
	if q.After != nil {
		mark = q.After.Key
	}
	return fmt.Sprintf("status=%q slug=%q parent=%q tag=%q since=%t sort=%s after=%q", q.Status, q.Slug, under, q.Tag, !q.UpdatedAfter.IsZero(), q.Sort, mark)
}
