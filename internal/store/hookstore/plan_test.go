package hookstore

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/sqldb/sqltest"
)

// TestOtherPlans: statements that select few rows read no table whole.
func TestOtherPlans(t *testing.T) {
	sqltest.NoWholeTables(t, sqltest.Open(t, time.Now), map[string]string{
		"targets": dueTargets,
		"claim":   claimStatement(""),
		"next":    nextStatement,
		"waiting": waitingStatement,
	}, "f", "step")
}

// TestPlansOfJobs: deliveries that were put off are found among those that wait,
// and not among all that have ended.
func TestPlansOfJobs(t *testing.T) {
	db := sqltest.Open(t, time.Now)
	w := sqldb.Waits{Lease: time.Minute, Retry: []time.Duration{0, time.Hour}}
	for name, test := range map[string]struct {
		a         sqldb.Args
		statement func(a *sqldb.Args) string
	}{
		"heal":    {sqldb.Args{1, 10}, func(a *sqldb.Args) string { return healStatement(a, time.Unix(1, 0), w, "") }},
		"put off": {nil, func(a *sqldb.Args) string { return putOffStatement(a, time.Unix(1, 0), w) }},
	} {
		text := test.statement(&test.a)
		if plan := sqltest.Explain(t, db, text, test.a); !strings.Contains(plan, "INDEX deliveries_due") {
			t.Errorf("%s: have plan\n%s\nwant it by deliveries_due", name, plan)
		}
	}
}
