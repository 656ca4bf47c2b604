package hookstore

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Callback returns the callback address for the first publication of a page,
// which is the event; found is false if there is none.
func (s *Hooks) Callback(ctx context.Context, event octavo.ID) (url string, found bool, err error) {
	found, err = s.read.Row(ctx, []any{&url}, `SELECT url FROM callbacks WHERE event_id = $1`, sqldb.Plain(string(event)))
	if err != nil {
		return "", false, fmt.Errorf("look up the callback of event %s: %w", event, err)
	}
	return url, found, nil
}

// Webhook is a webhook that events are sent to. A zero time means never.
type Webhook struct {
	ID           octavo.ID
	URL          string
	Types        []octavo.EventType
	Description  string
	Disabled     bool
	Reason       string    // why the server disabled it; "" if a person did
	ActiveAfter  int64     // it gets the changes after this position
	FailingSince time.Time // every attempt has failed since then
	CreatedAt    time.Time
}

const webhookColumns = `id, url, types, description, disabled, reason, active_after, failing_since, created_at`

func scanWebhook(row sqldb.Scanner) (Webhook, error) {
	var (
		w     Webhook
		types string
	)
	if err := row.Scan(&w.ID, &w.URL, &types, &w.Description, &w.Disabled, &w.Reason, &w.ActiveAfter,
		sqldb.ScanTime(&w.FailingSince), sqldb.ScanTime(&w.CreatedAt)); err != nil {
		return w, fmt.Errorf("read a webhook: %w", err)
	}
	if err := json.Unmarshal([]byte(types), &w.Types); err != nil {
		return w, fmt.Errorf("read the event types of webhook %s: %w", w.ID, err)
	}
	return w, nil
}

// SecretPrefix is the prefix of the names of a webhook's secrets.
func SecretPrefix(id octavo.ID) string { return "webhook/" + string(id) + "/" }

// Insert adds a webhook with its first secret, which is encrypted, and webhook.created
// to the audit log. It gets changes that are committed later.
func (s *Hooks) Insert(ctx context.Context, cause sqldb.Cause, w Webhook, secret accounts.Secret) error {
	types, err := json.Marshal(w.Types)
	if err != nil {
		return fmt.Errorf("add webhook %s: %w", w.ID, err)
	}
	if w.ActiveAfter, err = s.log.Last(ctx); err != nil {
		return err
	}
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if _, err := tx.Exec(`INSERT INTO webhooks (`+webhookColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			w.ID, w.URL, string(types), sqldb.Plain(w.Description), w.Disabled, sqldb.Plain(w.Reason),
			w.ActiveAfter, sqldb.UnlessZero(w.FailingSince), w.CreatedAt.UnixMilli()); err != nil {
			return fmt.Errorf("add webhook %s: %w", w.ID, err)
		}
		if err := addSecret(tx, secret); err != nil {
			return err
		}
		return auditWebhook(tx, octavo.WebhookCreated, w, map[string]any{"types": w.Types, "disabled": w.Disabled})
	})
}

// auditWebhook adds an entry about a webhook to the audit log. It has only
// the host of the address, because some receivers have secret paths.
func auditWebhook(tx *sqldb.Tx, action octavo.AuditAction, w Webhook, detail map[string]any) error {
	if u, err := url.Parse(w.URL); err == nil {
		detail["host"] = u.Host
	}
	return tx.Audit(octavo.AuditEntry{Action: action, Subject: string(w.ID), Detail: detail})
}

func addSecret(tx *sqldb.Tx, v accounts.Secret) error {
	if _, err := tx.Exec(`INSERT INTO secrets (name, value, created_at) VALUES ($1, $2, $3)`, v.Name, v.Value, tx.Now().UnixMilli()); err != nil {
		return fmt.Errorf("store secret %s: %w", v.Name, err)
	}
	return nil
}

// Rotate adds a secret to a webhook and removes those named in ended, with
// webhook.secret-rotated in the audit log.
func (s *Hooks) Rotate(ctx context.Context, cause sqldb.Cause, id octavo.ID, secret accounts.Secret, ended []string) (w Webhook, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if w, err = lockWebhook(tx, id); err != nil {
			return err
		}
		for _, name := range ended {
			if _, err := tx.Exec(`DELETE FROM secrets WHERE name = $1`, name); err != nil {
				return fmt.Errorf("remove secret %s: %w", name, err)
			}
		}
		if err := addSecret(tx, secret); err != nil {
			return err
		}
		return auditWebhook(tx, octavo.WebhookSecretRotated, w, map[string]any{})
	})
	return w, err
}

// Update changes a webhook, with webhook.changed in the audit log. A webhook
// that is enabled gets later events, and its failures are reset.
func (s *Hooks) Update(ctx context.Context, cause sqldb.Cause, id octavo.ID, c octavo.WebhookPatch) (w Webhook, err error) {
	last, err := s.log.Last(ctx)
	if err != nil {
		return w, err
	}
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if w, err = lockWebhook(tx, id); err != nil {
			return err
		}
		var changed []string
		if c.URL != nil && *c.URL != w.URL {
			w.URL, w.FailingSince = *c.URL, time.Time{}
			changed = append(changed, "url")
		}
		if c.Types != nil {
			w.Types = c.Types
			changed = append(changed, "types")
		}
		if c.Description != nil {
			w.Description = sqldb.Plain(*c.Description)
			changed = append(changed, "description")
		}
		if c.Disabled != nil && *c.Disabled != w.Disabled {
			w.Disabled, w.Reason = *c.Disabled, ""
			changed = append(changed, "disabled")
			if !w.Disabled {
				w.ActiveAfter, w.FailingSince = last, time.Time{}
			}
		}
		types, err := json.Marshal(w.Types)
		if err != nil {
			return fmt.Errorf("change webhook %s: %w", id, err)
		}
		if _, err := tx.Exec(`UPDATE webhooks SET url = $2, types = $3, description = $4, disabled = $5, reason = $6,
				active_after = $7, failing_since = $8 WHERE id = $1`,
			id, w.URL, string(types), w.Description, w.Disabled, w.Reason, w.ActiveAfter, sqldb.UnlessZero(w.FailingSince)); err != nil {
			return fmt.Errorf("change webhook %s: %w", id, err)
		}
		return auditWebhook(tx, octavo.WebhookChanged, w, map[string]any{"changed": changed, "disabled": w.Disabled})
	})
	return w, err
}

// Delete removes a webhook and its secrets, with webhook.deleted in the
// audit log. Attempts stay in the log of their event.
func (s *Hooks) Delete(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		w, err := lockWebhook(tx, id)
		if err != nil {
			return err
		}
		prefix := SecretPrefix(id)
		if _, err := tx.Exec(`DELETE FROM secrets WHERE substr(name, 1, $1) = $2`, len(prefix), prefix); err != nil {
			return fmt.Errorf("remove the secrets of webhook %s: %w", id, err)
		}
		if _, err := tx.Exec(`DELETE FROM webhooks WHERE id = $1`, id); err != nil {
			return fmt.Errorf("remove webhook %s: %w", id, err)
		}
		return auditWebhook(tx, octavo.WebhookDeleted, w, map[string]any{})
	})
}

// lockWebhook reads a webhook and keeps other transactions from changing it.
func lockWebhook(tx *sqldb.Tx, id octavo.ID) (Webhook, error) {
	list, err := sqldb.Collect(tx.Context(), tx.Conn(), scanWebhook, `UPDATE webhooks SET id = id WHERE id = $1 RETURNING `+webhookColumns, sqldb.Plain(string(id)))
	if err != nil {
		return Webhook{}, fmt.Errorf("lock webhook %s: %w", id, err)
	}
	return oneWebhook(list)
}

func oneWebhook(list []Webhook) (Webhook, error) {
	if len(list) == 0 {
		return Webhook{}, octavo.Errorf(octavo.NotFound, "There is no such webhook.")
	}
	return list[0], nil
}

// Get returns a webhook, or a NotFound error.
func (s *Hooks) Get(ctx context.Context, id octavo.ID) (Webhook, error) {
	list, err := sqldb.Collect(ctx, s.read, scanWebhook, `SELECT `+webhookColumns+` FROM webhooks WHERE id = $1`, sqldb.Plain(string(id)))
	if err != nil {
		return Webhook{}, fmt.Errorf("look up webhook %s: %w", id, err)
	}
	return oneWebhook(list)
}

// List returns at most limit webhooks, oldest first, after the given id, and
// whether more follow.
func (s *Hooks) List(ctx context.Context, after octavo.ID, limit int) (hooks []Webhook, more bool, err error) {
	return sqldb.CollectUpTo(ctx, s.read, "list webhooks", limit, scanWebhook, `SELECT `+webhookColumns+` FROM webhooks WHERE id > $1 ORDER BY id LIMIT $2`,
		sqldb.Plain(string(after)), limit+1)
}

// Active returns the enabled webhooks.
func (s *Hooks) Active(ctx context.Context) ([]Webhook, error) {
	hooks, err := sqldb.Collect(ctx, s.read, scanWebhook, `SELECT `+webhookColumns+` FROM webhooks WHERE NOT disabled ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("list active webhooks: %w", err)
	}
	return hooks, nil
}

// CallbackTarget is the target of all callbacks to a host, so that they do
// not wait for other hosts.
func CallbackTarget(address string) string {
	host := ""
	if u, err := url.Parse(address); err == nil {
		host = strings.ToLower(u.Host)
	}
	return callbackPrefix + sqldb.Indexed(host)
}

const callbackPrefix = "callback/"

// Callbacks returns the callback addresses of the events, by event.
func (s *Hooks) Callbacks(ctx context.Context, events []octavo.ID) (map[octavo.ID]string, error) {
	found := map[octavo.ID]string{}
	if len(events) == 0 {
		return found, nil
	}
	var a sqldb.Args
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
		var id octavo.ID
		var address string
		err := row.Scan(&id, &address)
		found[id] = address
		return err
	}, `SELECT event_id, url FROM callbacks WHERE event_id IN `+sqldb.List(&a, events), a...)
	if err != nil {
		return nil, fmt.Errorf("look up the callbacks of %d events: %w", len(events), err)
	}
	return found, nil
}
