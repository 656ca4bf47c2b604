package storetest

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// webhook adds an endpoint.
func (e *env) webhook(address string) hookstore.Webhook {
	e.Helper()
	e.hooks++
	w := hookstore.Webhook{
		ID: octavo.ID(fmt.Sprintf("hook_%026d", e.hooks)), URL: address, Types: octavo.DefaultEventTypes(), CreatedAt: e.clock.now(),
	}
	secret := accounts.Secret{Name: hookstore.SecretPrefix(w.ID) + "1", Value: []byte("secret")}
	e.noError(e.st.Hooks.Insert(e.ctx, sqldb.Cause{Actor: ann}, w, secret), "add a webhook")
	w, err := e.st.Hooks.Get(e.ctx, w.ID)
	e.noError(err, "read the webhook")
	return w
}

func webhookLifecycle(e *env) {
	w, other := e.webhook("https://a.example/x"), e.webhook("https://b.example/x")
	list, more, err := e.st.Hooks.List(e.ctx, "", 1)
	e.noError(err, "list")
	e.equal("first of the list", list, []hookstore.Webhook{w})
	e.equal("more", more, true)
	list, more, err = e.st.Hooks.List(e.ctx, w.ID, 10)
	e.noError(err, "list")
	e.equal("rest of the list", list, []hookstore.Webhook{other})
	e.equal("more", more, false)

	change := octavo.WebhookPatch{
		URL: ref("https://c.example"), Types: []octavo.EventType{octavo.PageCreated}, Description: ref("nul \x00"), Disabled: ref(true),
	}
	have, err := e.st.Hooks.Update(e.ctx, sqldb.Cause{Actor: bob}, w.ID, change)
	e.noError(err, "change")
	want := w
	want.URL, want.Types, want.Description, want.Disabled = *change.URL, change.Types, "nul \uFFFD", true
	e.equal("changed", have, want)
	have, err = e.st.Hooks.Get(e.ctx, w.ID)
	e.noError(err, "read")
	e.equal("as it is read", have, want)
	active, err := e.st.Hooks.Active(e.ctx)
	e.noError(err, "list active ones")
	e.equal("active", active, []hookstore.Webhook{other})

	second := accounts.Secret{Name: hookstore.SecretPrefix(w.ID) + "2", Value: []byte("second")}
	_, err = e.st.Hooks.Rotate(e.ctx, sqldb.Cause{Actor: bob}, w.ID, second, []string{hookstore.SecretPrefix(w.ID) + "1"})
	e.noError(err, "rotate")
	secrets, err := e.st.Accounts.Secrets.All(e.ctx, hookstore.SecretPrefix(w.ID))
	e.noError(err, "read secrets")
	e.equal("secrets", len(secrets), 1)
	_, err = e.st.Hooks.Rotate(e.ctx, sqldb.Cause{}, w.ID, second, nil)
	e.wantError(err, octavo.Conflict)

	e.noError(e.st.Hooks.Delete(e.ctx, sqldb.Cause{Actor: bob}, w.ID), "delete")
	secrets, err = e.st.Accounts.Secrets.All(e.ctx, "webhook/")
	e.noError(err, "read secrets")
	e.equal("secrets that are left", len(secrets), 1)
	_, err = e.st.Hooks.Get(e.ctx, w.ID)
	e.wantError(err, octavo.NotFound)
	for _, err := range []error{
		e.st.Hooks.Delete(e.ctx, sqldb.Cause{}, w.ID),
		e.st.Hooks.Redeliver(e.ctx, sqldb.Cause{}, w.ID, "dlv_1"),
	} {
		e.wantError(err, octavo.NotFound)
	}
	entries, _, err := e.st.Accounts.Audit.List(e.ctx, accounts.AuditQuery{Limit: 10})
	e.noError(err, "read the audit log")
	var actions []octavo.AuditAction
	for _, entry := range entries {
		if entry.Subject == string(w.ID) {
			actions = append(actions, entry.Action)
		}
	}
	e.equal("audit", actions, []octavo.AuditAction{octavo.WebhookCreated, octavo.WebhookChanged, octavo.WebhookSecretRotated, octavo.WebhookDeleted})
}

// webhookPosition: an endpoint gets what comes after it was made or enabled.
func webhookPosition(e *env) {
	e.edits(2)
	w := e.webhook("https://a.example")
	e.equal("position", w.ActiveAfter, int64(2))
	e.edits(1)
	for _, disabled := range []bool{true, false} {
		var err error
		w, err = e.st.Hooks.Update(e.ctx, sqldb.Cause{}, w.ID, octavo.WebhookPatch{Disabled: &disabled})
		e.noError(err, "change")
	}
	e.equal("position after it was enabled", w.ActiveAfter, int64(3))
}
