package pagestore

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/sqldb/sqltest"
)

// TestOtherPlans: statements that select few rows read no table whole.
func TestOtherPlans(t *testing.T) {
	sqltest.NoWholeTables(t, sqltest.Open(t, time.Now), map[string]string{
		"due":         dueStatement,
		"purge":       purgeStatement,
		"backlinks":   backlinks(octavo.Audience{}),
		"descendants": descendants + "SELECT id FROM down",
	}, "n", "f", "down")
}

// TestPlansFromFewPages: what belongs to some pages is found from these on, and
// not among all that are published.
func TestPlansFromFewPages(t *testing.T) {
	st := sqltest.Open(t, time.Now)
	for _, aud := range []octavo.Audience{{}, {PublishedOnly: true}} {
		for _, ids := range [][]octavo.ID{{"a"}, make([]octavo.ID, 500)} {
			for name, statement := range map[string]func(a *sqldb.Args) string{
				"above":      func(a *sqldb.Args) string { return aboveStatement(aud, ids, a) },
				"link texts": func(a *sqldb.Args) string { return linkTextStatement(aud, ids, a) },
				"below":      func(a *sqldb.Args) string { *a = sqldb.Args{"a", 3}; return stubsBelow(aud) },
				"backlinks":  func(a *sqldb.Args) string { text := backlinks(aud); *a = sqltest.Places(text); return text },
			} {
				var a sqldb.Args
				plan := sqltest.Explain(t, st, statement(&a), a)
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
