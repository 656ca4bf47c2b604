package importstore

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/sqldb/sqltest"
)

// Whatever a test starts ends with it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestPlanOfClaims: imports that are due are found among those that wait, and not among
// all that have ended.
func TestPlanOfClaims(t *testing.T) {
	a := sqldb.Args{1}
	text := claimStatement(&a, time.Unix(1, 0), []time.Duration{0, time.Hour})
	if plan := sqltest.Explain(t, sqltest.Open(t, time.Now), text, a); strings.Count(plan, "INDEX imports_due") != 2 {
		t.Errorf("have plan\n%s\nwant it by imports_due", plan)
	}
}
