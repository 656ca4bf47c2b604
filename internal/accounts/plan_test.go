package accounts

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/sqldb/sqltest"
)

// TestAuditPlans: the audit log only grows, so it is read from an index.
func TestAuditPlans(t *testing.T) {
	st := sqltest.Open(t, time.Now)
	for name, test := range map[string]struct {
		query AuditQuery
		index string
	}{
		"all":    {AuditQuery{}, "SCAN audit USING INDEX audit_created"},
		"on":     {AuditQuery{After: &sqldb.Cursor{Key: "1", ID: "aud_x"}}, "SEARCH audit USING INDEX audit_created ((created_at,id)>(?,?))"},
		"newest": {AuditQuery{Newest: true}, "SCAN audit USING INDEX audit_created"},
		"since":  {AuditQuery{Since: time.Unix(1, 0)}, "SEARCH audit USING INDEX audit_created (created_at>?)"},
		"action": {AuditQuery{Action: octavo.KeyCreated}, "SEARCH audit USING INDEX audit_action (action=?)"},
		"actor":  {AuditQuery{Actor: "cli", Newest: true}, "SEARCH audit USING INDEX audit_actor (actor_id=?)"},
	} {
		var a sqldb.Args
		test.query.Limit = 10
		text, err := auditStatement(test.query, &a)
		if err != nil {
			t.Fatal(err)
		}
		if plan := sqltest.Explain(t, st, text, a); strings.Contains(plan, "TEMP B-TREE") || !strings.HasPrefix(plan, test.index) {
			t.Errorf("%s: have plan\n%s\nwant it to start with %s", name, plan, test.index)
		}
	}
}
