package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

// Client is a program that may ask people for access, or act by itself.
type Client struct {
	ID           octavo.ID
	Name         string
	Secret       []byte // SHA-256; nil for a public client, which cannot keep one
	RedirectURIs []string
	Scopes       octavo.Scopes // what it may do by itself; 0 is nothing
	CreatedAt    time.Time
}

// Public reports whether the client has no secret.
func (c Client) Public() bool { return c.Secret == nil }

const clientColumns = `id, name, secret, redirect_uris, scopes, created_at`

func scanClient(row scanner) (c Client, err error) {
	var uris string
	var created int64
	if err := row.Scan(&c.ID, &c.Name, &c.Secret, &uris, &c.Scopes, &created); err != nil {
		return Client{}, fmt.Errorf("read a client: %w", err)
	}
	if err := json.Unmarshal([]byte(uris), &c.RedirectURIs); err != nil {
		return Client{}, fmt.Errorf("read the redirect URIs of client %s: %w", c.ID, err)
	}
	c.CreatedAt = moment(created)
	return c, nil
}

// AddClient adds a client.
func (s *Store) AddClient(ctx context.Context, cause Cause, c Client) error {
	uris, err := json.Marshal(append([]string{}, c.RedirectURIs...))
	if err != nil {
		return fmt.Errorf("add client %s: %w", c.ID, err)
	}
	return s.write(ctx, cause, func(tx *Tx) error {
		_, err := tx.exec(`INSERT INTO clients (`+clientColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
			c.ID, plain(c.Name), c.Secret, string(uris), int64(c.Scopes), tx.now.UnixMilli())
		if err != nil {
			return fmt.Errorf("add client %s: %w", c.ID, err)
		}
		return tx.Audit(octavo.AuditEntry{
			Action: octavo.ClientAdded, Subject: string(c.ID), Detail: map[string]any{"name": c.Name, "scopes": c.Scopes.List()},
		})
	})
}

// ClientByID returns a client, or a NotFound error.
func (s *Store) ClientByID(ctx context.Context, id octavo.ID) (Client, error) {
	clients, err := collect(ctx, s.read, scanClient, `SELECT `+clientColumns+` FROM clients WHERE id = $1`, plain(string(id)))
	if err != nil {
		return Client{}, fmt.Errorf("look up a client: %w", err)
	}
	if len(clients) == 0 {
		return Client{}, octavo.Errorf(octavo.NotFound, "There is no client %q.", id)
	}
	return clients[0], nil
}

// ListClients returns at most limit clients, oldest first, behind the one with
// the id after, and whether more follow.
func (s *Store) ListClients(ctx context.Context, after octavo.ID, limit int) (clients []Client, more bool, err error) {
	clients, err = collect(ctx, s.read, scanClient, `SELECT `+clientColumns+` FROM clients WHERE id > $1 ORDER BY id LIMIT $2`,
		plain(string(after)), limit+1)
	if err != nil {
		return nil, false, fmt.Errorf("list clients: %w", err)
	}
	clients, more = cut(clients, limit)
	return clients, more, nil
}

// RemoveClient removes a client with what people granted to it, and ends the
// access tokens that came of it. One that does not exist is a NotFound error.
func (s *Store) RemoveClient(ctx context.Context, cause Cause, id octavo.ID) error {
	return s.write(ctx, cause, func(tx *Tx) error {
		n, err := tx.exec(`DELETE FROM clients WHERE id = $1`, plain(string(id)))
		if err != nil {
			return fmt.Errorf("remove client %s: %w", id, err)
		}
		if n == 0 {
			return octavo.Errorf(octavo.NotFound, "There is no client %q.", id)
		}
		if err := tx.revoke(string(id), tx.now.Add(longestTokenLife)); err != nil {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.ClientRemoved, Subject: string(id)})
	})
}
