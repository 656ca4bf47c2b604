package store_test

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestAuditLogAppendOnly: the databases themselves refuse to change the log,
// whatever statement a mistake may write.
func TestAuditLogAppendOnly(t *testing.T) {
	for name, open := range map[string]storetest.Opener{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		t.Run(name, func(t *testing.T) {
			st := open(t, storetest.Options(time.Now))
			t.Cleanup(func() {
				if err := st.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
			if err := st.Accounts.Audit.Record(t.Context(), octavo.AuditEntry{Action: octavo.KeyCreated, Subject: "x"}, 0); err != nil {
				t.Fatal(err)
			}
			for _, statement := range []string{`UPDATE audit SET subject = ''`, `DELETE FROM audit`} {
				if err := storetest.Execute(t.Context(), st, statement); err == nil || !strings.Contains(err.Error(), "append only") {
					t.Errorf("%s: have error %v, want that the log is append only", statement, err)
				}
			}
			list, _, err := st.Accounts.Audit.List(t.Context(), accounts.AuditQuery{Limit: 10})
			if err != nil || len(list) != 1 || list[0].Subject != "x" {
				t.Errorf("have %+v, %v, want the one entry as it was", list, err)
			}
		})
	}
}
