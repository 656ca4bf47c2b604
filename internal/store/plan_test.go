package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

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

// TestAssetListPlans: so is a list of assets.
func TestAssetListPlans(t *testing.T) {
	st := openPlain(t)
	yes := true
	for _, test := range []struct {
		query AssetQuery
		index string // the start of the plan's first line
	}{
		{AssetQuery{}, "SCAN a USING INDEX sqlite_autoindex_assets_1"},
		{AssetQuery{After: "asset_x"}, "SEARCH a USING INDEX sqlite_autoindex_assets_1 (id>?)"},
		{AssetQuery{After: "asset_x", Unused: &yes}, "SEARCH a USING INDEX sqlite_autoindex_assets_1 (id>?)"},
		{AssetQuery{ContentType: "image/*", After: "asset_x"}, "SEARCH a USING INDEX assets_kind (kind=? AND id>?)"},
		{AssetQuery{ContentType: "image/png", After: "asset_x"}, "SEARCH a USING INDEX assets_media_type (media_type=? AND id>?)"},
		{AssetQuery{Tag: "x", After: "asset_x"}, "SEARCH t USING PRIMARY KEY (tag=? AND asset_id>?)"},
	} {
		for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
			var a args
			test.query.Limit = 10
			plan := explain(t, st, assetStatement(aud, test.query, &a), a)
			if strings.Contains(plan, "TEMP B-TREE") || !strings.HasPrefix(plan, test.index) {
				t.Errorf("%+v, %+v: have plan\n%s\nwant it to start with %s", test.query, aud, plan, test.index)
			}
			// Whether pages use an asset is asked from the asset on.
			uses := regexp.MustCompile("SEARCH u0 USING .*\\(asset_id=\\?\\)\nSEARCH u USING .*\\(target=\\?\\)\nSEARCH p USING .*id=\\?\\)")
			if strings.Contains(plan, "SUBQUERY") && !uses.MatchString(plan) {
				t.Errorf("%+v, %+v: have plan\n%s\nwant %s", test.query, aud, plan, uses)
			}
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
		"targets":     dueTargets,
		"claim":       claimStatement(""),
		"next":        nextStatement,
		"waiting":     waitingStatement,
	} {
		plan := explain(t, st, text, make(args, places(text)))
		for _, line := range strings.Split(plan, "\n") {
			if table, ok := strings.CutPrefix(line, "SCAN "); ok && !slices.Contains([]string{"n", "f", "down", "step", "CONSTANT ROW"}, table) {
				t.Errorf("%s: reads a whole table:\n%s", name, plan)
			}
		}
	}
}

// TestPlansOfJobs: jobs that are due are found among those that wait, and not
// among all that have ended.
func TestPlansOfJobs(t *testing.T) {
	st := openPlain(t)
	w := Waits{Lease: time.Minute, Retry: []time.Duration{0, time.Hour}}
	for name, test := range map[string]struct {
		a         args
		statement func(a *args) string
		index     string
	}{
		"exports":  {args{1, "blob"}, func(a *args) string { return claimExportStatement(a, time.Unix(1, 0), w.Retry) }, "exports_due"},
		"messages": {args{1, 10}, func(a *args) string { return claimMessagesStatement(a, time.Unix(1, 0), w, "") }, "export_channels_due"},
		"heal":     {args{1, 10}, func(a *args) string { return healStatement(a, time.Unix(1, 0), w, "") }, "deliveries_due"},
		"put off":  {nil, func(a *args) string { return putOffStatement(a, time.Unix(1, 0), w) }, "deliveries_due"},
	} {
		text := test.statement(&test.a)
		plan := explain(t, st, text, test.a)
		if !strings.Contains(plan, "INDEX "+test.index) {
			t.Errorf("%s: have plan\n%s\nwant it by %s", name, plan, test.index)
		}
	}
}

// TestPlansFromFewPages: what belongs to some pages is found from these on, and
// not among all that are published.
func TestPlansFromFewPages(t *testing.T) {
	st := openPlain(t)
	for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
		for _, ids := range [][]octavo.ID{{"a"}, make([]octavo.ID, 500)} {
			for name, statement := range map[string]func(a *args) string{
				"above":      func(a *args) string { return aboveStatement(aud, ids, a) },
				"link texts": func(a *args) string { return linkTextStatement(aud, ids, a) },
				"below":      func(a *args) string { *a = args{"a", 3}; return stubsBelow(aud) },
				"backlinks":  func(a *args) string { text := backlinks(aud); *a = make(args, places(text)); return text },
			} {
				var a args
				plan := explain(t, st, statement(&a), a)
				for _, line := range strings.Split(plan, "\n") {
					if strings.HasPrefix(line, "SCAN p") || strings.HasPrefix(line, "SEARCH p USING") && !strings.Contains(line, "id=?") {
						t.Errorf("%s of %d pages for %+v: goes through pages that it need not:\n%s", name, len(ids), aud, plan)
						break
					}
				}
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
