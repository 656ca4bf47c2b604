package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// TestListPlans: a list is read from an index in its own order, so that its
// cost does not grow with the number of pages.
func TestListPlans(t *testing.T) {
	st := openPlain(t)
	root, parent := octavo.ID(""), octavo.ID("page_x")
	for _, test := range []struct {
		name  string
		query PageQuery
		index string // the start of the plan's first line
	}{
		{"all", PageQuery{}, "SCAN p USING INDEX sqlite_autoindex_pages_1"},
		{"all on", PageQuery{After: &Mark{ID: "page_x"}}, "SEARCH p USING INDEX sqlite_autoindex_pages_1 (id>?)"},
		{"newest", PageQuery{Sort: SortCreatedDesc}, "SCAN p USING INDEX sqlite_autoindex_pages_1"},
		{"status", PageQuery{Status: octavo.Draft, After: &Mark{ID: "page_x"}}, "SEARCH p USING INDEX pages_status (status=? AND id>?)"},
		{"root", PageQuery{Parent: &root, After: &Mark{ID: "page_x"}}, "SEARCH p USING INDEX pages_parent (parent_id=? AND id>?)"},
		{"parent", PageQuery{Parent: &parent, After: &Mark{ID: "page_x"}}, "SEARCH p USING INDEX pages_parent (parent_id=? AND id>?)"},
		{"updated", PageQuery{Sort: SortUpdatedDesc}, "SCAN p USING INDEX pages_updated"},
		{"updated on", PageQuery{Sort: SortUpdatedDesc, After: &Mark{Key: "1", ID: "page_x"}}, "SEARCH p USING INDEX pages_updated ((updated_at,id)<(?,?))"},
		{"title", PageQuery{Sort: SortTitle}, "SCAN p USING INDEX pages_title"},
		{"title on", PageQuery{Sort: SortTitle, After: &Mark{Key: "t", ID: "page_x"}}, "SEARCH p USING INDEX pages_title ((title,id)>(?,?))"},
		{"status and updated", PageQuery{Status: octavo.Draft, Sort: SortUpdatedDesc}, "SEARCH p USING INDEX pages_status_updated (status=?)"},
		{"status and title", PageQuery{Status: octavo.Draft, Sort: SortTitle}, "SEARCH p USING INDEX pages_status_title (status=?)"},
		{"updated after", PageQuery{UpdatedAfter: time.Unix(1, 0), Sort: SortUpdatedDesc}, "SEARCH p USING INDEX pages_updated (updated_at>?)"},
		{"tag", PageQuery{Tag: "x"}, "SEARCH t USING PRIMARY KEY (tag=?)"},
		{"tag on", PageQuery{Tag: "x", After: &Mark{ID: "page_x"}}, "SEARCH t USING PRIMARY KEY (tag=? AND page_id>?)"},
	} {
		for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
			var a args
			test.query.Limit = 10
			text, err := listStatement(aud, test.query, &a)
			if err != nil {
				t.Fatal(err)
			}
			plan := explain(t, st, text, a)
			if strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s, %+v: sorts everything:\n%s", test.name, aud, plan)
			}
			if !aud.PublishedOnly && !strings.HasPrefix(plan, test.index) {
				t.Errorf("%s: have plan\n%s\nwant it to start with %s", test.name, plan, test.index)
			}
		}
	}
}

// TestAuditPlans: the audit log only grows, so it is read from an index.
func TestAuditPlans(t *testing.T) {
	st := openPlain(t)
	for name, test := range map[string]struct {
		query AuditQuery
		index string
	}{
		"all":    {AuditQuery{}, "SCAN audit USING INDEX audit_created"},
		"on":     {AuditQuery{After: &Mark{Key: "1", ID: "aud_x"}}, "SEARCH audit USING INDEX audit_created ((created_at,id)>(?,?))"},
		"newest": {AuditQuery{Newest: true}, "SCAN audit USING INDEX audit_created"},
		"since":  {AuditQuery{Since: time.Unix(1, 0)}, "SEARCH audit USING INDEX audit_created (created_at>?)"},
		"action": {AuditQuery{Action: octavo.KeyCreated}, "SEARCH audit USING INDEX audit_action (action=?)"},
		"actor":  {AuditQuery{Actor: "cli", Newest: true}, "SEARCH audit USING INDEX audit_actor (actor_id=?)"},
	} {
		var a args
		test.query.Limit = 10
		text, err := auditStatement(test.query, &a)
		if err != nil {
			t.Fatal(err)
		}
		if plan := explain(t, st, text, a); strings.Contains(plan, "TEMP B-TREE") || !strings.HasPrefix(plan, test.index) {
			t.Errorf("%s: have plan\n%s\nwant it to start with %s", name, plan, test.index)
		}
	}
}

// TestOtherPlans: statements that select few rows read no table whole.
func TestOtherPlans(t *testing.T) {
	st := openPlain(t)
	for name, text := range map[string]string{
		"due":         dueStatement,
		"purge":       purgeStatement,
		"backlinks":   backlinks(octavo.Audience{}),
		"descendants": descendants + "SELECT id FROM down",
	} {
		plan := explain(t, st, text, make(args, places(text)))
		for _, line := range strings.Split(plan, "\n") {
			if table, ok := strings.CutPrefix(line, "SCAN "); ok && !slices.Contains([]string{"n", "f", "down"}, table) {
				t.Errorf("%s: reads a whole table:\n%s", name, plan)
			}
		}
	}
}

// places counts the different placeholders of a statement.
func places(text string) (n int) {
	for strings.Contains(text, fmt.Sprintf("$%d", n+1)) {
		n++
	}
	return n
}

func openPlain(t *testing.T) *Store {
	t.Helper()
	st, err := OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"),
		Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return st
}

func explain(t *testing.T, st *Store, text string, a args) string {
	t.Helper()
	lines, err := collect(context.Background(), st.read, func(row scanner) (line string, err error) {
		var id, parent, unused int
		err = row.Scan(&id, &parent, &unused, &line)
		return line, err
	}, "EXPLAIN QUERY PLAN "+text, a...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}
