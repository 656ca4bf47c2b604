package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Client is a program that may ask people for access, or act for itself.
type Client struct {
	ID           octavo.ID
	Name         string
	Secret       []byte // SHA-256; nil for a public client, which cannot keep one
	RedirectURIs []string
	Scopes       octavo.Scopes // what it may do for itself; 0 is nothing
	CreatedAt    time.Time
}

// Public reports whether the client has no secret.
func (c Client) Public() bool { return c.Secret == nil }

const clientColumns = `id, name, secret, redirect_uris, scopes, created_at`

func scanClient(row sqldb.Scanner) (c Client, err error) {
	var uris string
	if err := row.Scan(&c.ID, &c.Name, &c.Secret, &uris, &c.Scopes, sqldb.ScanTime(&c.CreatedAt)); err != nil {
		return Client{}, fmt.Errorf("read a client: %w", err)
	}
	err = json.Unmarshal([]byte(uris), &c.RedirectURIs)
	return c, octavo.Wrapf(err, "read the redirect URIs of client %s", c.ID)
}

// Add adds a client.
func (s *Clients) Add(ctx context.Context, cause sqldb.Cause, c Client) error {
	uris, err := json.Marshal(append([]string{}, c.RedirectURIs...))
	if err != nil {
		return fmt.Errorf("add client %s: %w", c.ID, err)
	}
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`INSERT INTO clients (`+clientColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
			c.ID, sqldb.Plain(c.Name), c.Secret, string(uris), int64(c.Scopes), tx.Now().UnixMilli())
		if err != nil {
			return fmt.Errorf("add client %s: %w", c.ID, err)
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.ClientAdded, Subject: string(c.ID), Detail: map[string]any{"name": c.Name, "scopes": c.Scopes.List()},
		})
	})
}

// ByID returns a client, or a NotFound error.
func (s *Clients) ByID(ctx context.Context, id octavo.ID) (Client, error) {
	return clientByID(ctx, s.read, id)
}

func clientByID(ctx context.Context, c sqldb.Conn, id octavo.ID) (Client, error) {
	return sqldb.One(ctx, c, "look up a client", errNoClient(id), scanClient, `SELECT `+clientColumns+` FROM clients WHERE id = $1`, sqldb.Plain(string(id)))
}

func errNoClient(id octavo.ID) error {
	return octavo.Errorf(octavo.NotFound, "There is no client %q.", id)
}

// List returns at most limit clients, oldest first, after the given id, and
// whether more follow.
func (s *Clients) List(ctx context.Context, after octavo.ID, limit int) (clients []Client, more bool, err error) {
	return sqldb.CollectUpTo(ctx, s.read, "list clients", limit, scanClient, `SELECT `+clientColumns+` FROM clients WHERE id > $1 ORDER BY id LIMIT $2`,
		sqldb.Plain(string(after)), limit+1)
}

// Remove removes a client with its grants, and revokes their access tokens.
// An unknown client is a NotFound error.
func (s *Clients) Remove(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		n, err := tx.Exec(`DELETE FROM clients WHERE id = $1`, sqldb.Plain(string(id)))
		if err != nil {
			return fmt.Errorf("remove client %s: %w", id, err)
		}
		if n == 0 {
			return errNoClient(id)
		}
		if err := revoke(tx, string(id), tx.Now().Add(longestTokenLife)); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.ClientRemoved, Subject: string(id)})
	})
}

// Change changes a client by the function change, which may refuse, and
// returns the result. Access tokens with scopes that it has lost are
// revoked. An unknown client is a NotFound error.
func (s *Clients) Change(ctx context.Context, cause sqldb.Cause, id octavo.ID, change func(*Client) error) (c Client, err error) {
	err = s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		if err := tx.LockRow("clients", sqldb.Plain(string(id))); err != nil {
			return fmt.Errorf("lock client %s: %w", id, err)
		}
		if c, err = clientByID(tx.Context(), tx.Conn(), id); err != nil {
			return err
		}
		before := c.Scopes
		if err := change(&c); err != nil {
			return err
		}
		uris, err := json.Marshal(append([]string{}, c.RedirectURIs...))
		if err != nil {
			return fmt.Errorf("change client %s: %w", id, err)
		}
		if _, err := tx.Exec(`UPDATE clients SET name = $2, redirect_uris = $3, scopes = $4 WHERE id = $1`,
			id, sqldb.Plain(c.Name), string(uris), int64(c.Scopes)); err != nil {
			return fmt.Errorf("change client %s: %w", id, err)
		}
		if err := rescope(tx, id, before, c.Scopes); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.ClientChanged, Subject: string(id), Detail: map[string]any{"name": c.Name, "scopes": c.Scopes.List()},
		})
	})
	return c, err
}
