package storetest

import (
	"errors"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// audited returns the entries of a query.
func (e *env) audited(q accounts.AuditQuery) []octavo.AuditEntry {
	e.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	list, _, err := e.st.Accounts.Audit.List(e.ctx, q)
	e.noError(err, "list the audit log")
	return list
}

func auditRecord(e *env) {
	cause := sqldb.Cause{Actor: ann, TraceID: "trace\x00", Address: "192.0.2.1"}
	stop := errors.New("stop")
	for _, outcome := range []error{stop, nil} {
		err := e.st.DB.Write(e.ctx, cause, func(tx *sqldb.Tx) error {
			if err := tx.Audit(octavo.AuditEntry{
				Action: octavo.KeyCreated, Subject: "key_a", Detail: map[string]any{"name": "\u00c4 \x00", "scopes": []any{"admin"}},
			}); err != nil {
				return err
			}
			return outcome
		})
		e.equal("error", errors.Is(err, outcome), true)
	}
	e.noError(e.st.Accounts.Audit.Record(e.ctx, octavo.AuditEntry{
		Action: octavo.SignInRefused, Actor: bob, Subject: strings.Repeat("\u00e9", 200), Address: "2001:db8::1", TraceID: "t",
	}, time.Hour), "record")

	list := e.audited(accounts.AuditQuery{})
	e.equal("entries", len(list), 2)
	for _, entry := range list {
		e.equal("is an identifier", entry.ID.Is(octavo.PrefixAudit), true)
	}
	e.equal("entry of the transaction", list[0], octavo.AuditEntry{
		ID: list[0].ID, CreatedAt: e.clock.now(), Action: octavo.KeyCreated, Actor: ann, Subject: "key_a",
		Address: "192.0.2.1", TraceID: "trace\uFFFD", Detail: map[string]any{"name": "\u00c4 \x00", "scopes": []any{"admin"}},
	})
	e.equal("entry of its own", list[1], octavo.AuditEntry{
		ID: list[1].ID, CreatedAt: e.clock.now(), Action: octavo.SignInRefused, Actor: bob,
		Subject: strings.Repeat("\u00e9", 128), Address: "2001:db8::1", TraceID: "t",
	})
	err := e.st.Accounts.Audit.Record(e.ctx, octavo.AuditEntry{Action: octavo.KeyCreated, Detail: map[string]any{"x": strings.Repeat("x", 5000)}}, 0)
	if err == nil {
		e.Error("a detail of 5,000 bytes: have no error")
	}
}

func auditList(e *env) {
	start := e.clock.now()
	for _, entry := range []octavo.AuditEntry{
		{Action: octavo.KeyCreated, Actor: ann, Subject: "1"},
		{Action: octavo.KeyRevoked, Actor: ann, Subject: "2"},
		{Action: octavo.KeyCreated, Actor: bob, Subject: "3"},
		{Action: octavo.UserAdded, Actor: bob, Subject: "4"},
	} {
		e.noError(e.st.Accounts.Audit.Record(e.ctx, entry, 0), "record")
		e.clock.move(time.Second)
	}
	for name, test := range map[string]struct {
		query accounts.AuditQuery
		want  string
	}{
		"all":              {accounts.AuditQuery{}, "1234"},
		"newest":           {accounts.AuditQuery{Newest: true}, "4321"},
		"action":           {accounts.AuditQuery{Action: octavo.KeyCreated}, "13"},
		"unknown action":   {accounts.AuditQuery{Action: "key.\x00"}, ""},
		"actor":            {accounts.AuditQuery{Actor: bob.ID, Newest: true}, "43"},
		"since, inclusive": {accounts.AuditQuery{Since: start.Add(time.Second)}, "234"},
		"since":            {accounts.AuditQuery{Since: start.Add(time.Second + 1)}, "34"},
		"everything":       {accounts.AuditQuery{Actor: ann.ID, Action: octavo.KeyRevoked, Since: start}, "2"},
	} {
		all := ""
		for _, entry := range e.audited(test.query) {
			all += entry.Subject
		}
		e.equal(name, all, test.want)
		test.query.Limit = 1
		slices := ""
		for more := true; more; {
			var list []octavo.AuditEntry
			var err error
			list, more, err = e.st.Accounts.Audit.List(e.ctx, test.query)
			e.noError(err, name)
			for _, entry := range list {
				slices += entry.Subject
				mark := accounts.AuditCursor(entry)
				test.query.After = &mark
			}
		}
		e.equal(name+", one at a time", slices, test.want)
	}
}

// auditKept: only what was recorded with an end is ever removed.
func auditKept(e *env) {
	e.noError(e.st.Accounts.Audit.Record(e.ctx, octavo.AuditEntry{Action: octavo.KeyCreated, Subject: "kept"}, 0), "record")
	e.noError(e.st.Accounts.Audit.Record(e.ctx, octavo.AuditEntry{Action: octavo.SignInRefused, Subject: "passing"}, time.Hour), "record")
	for _, have := range []int{2, 1} {
		_, err := e.st.Sweep(e.ctx, ann)
		e.noError(err, "sweep")
		e.equal("entries", len(e.audited(accounts.AuditQuery{})), have)
		e.clock.move(10 * 365 * 24 * time.Hour)
	}
}
