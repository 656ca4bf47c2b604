package exportstore

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/sqldb/sqltest"
)

// TestPlansOfJobs: exports and messages that are due are found among those that
// wait, and not among all that have ended.
func TestPlansOfJobs(t *testing.T) {
	db := sqltest.Open(t, time.Now)
	w := sqldb.Waits{Lease: time.Minute, Retry: []time.Duration{0, time.Hour}}
	for name, test := range map[string]struct {
		a         sqldb.Args
		statement func(a *sqldb.Args) string
		index     string
	}{
		"exports":  {sqldb.Args{1, "blob"}, func(a *sqldb.Args) string { return claimExportStatement(a, time.Unix(1, 0), w.Retry) }, "exports_due"},
		"messages": {sqldb.Args{1, 10}, func(a *sqldb.Args) string { return claimMessagesStatement(a, time.Unix(1, 0), w, "") }, "export_channels_due"},
	} {
		text := test.statement(&test.a)
		if plan := sqltest.Explain(t, db, text, test.a); !strings.Contains(plan, "INDEX "+test.index) {
			t.Errorf("%s: have plan\n%s\nwant it by %s", name, plan, test.index)
		}
	}
}
