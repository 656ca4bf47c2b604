package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Key is the stored data of an API key. The key itself is not stored: Hash
// is its SHA-256. A zero time means never.
type Key struct {
	ID            octavo.ID
	Hash          [32]byte
	Name          string
	Kind          octavo.KeyKind
	Scopes        octavo.Scopes
	PublishedOnly bool
	Tags          []string // a search key finds only pages with all of them
	RateLimit     int      // requests per window; 0 is the installation's limit
	CreatedAt     time.Time
	RotatedAt     time.Time
	ExpiresAt     time.Time
	RevokedAt     time.Time
	LastUsedAt    time.Time

	// FormerUntil is, for a key that was found by a replaced secret, when
	// that secret expires; zero for the present one.
	FormerUntil time.Time
}

const keyColumns = `id, hash, name, kind, scopes, published_only, tags, rate_limit,
	created_at, rotated_at, expires_at, revoked_at, last_used_at`

func scanKey(row sqldb.Scanner) (Key, error) {
	var (
		k    Key
		hash []byte
		tags string
	)
	if err := row.Scan(&k.ID, &hash, &k.Name, &k.Kind, &k.Scopes, &k.PublishedOnly, &tags, &k.RateLimit,
		sqldb.ScanTime(&k.CreatedAt), sqldb.ScanTime(&k.RotatedAt), sqldb.ScanTime(&k.ExpiresAt), sqldb.ScanTime(&k.RevokedAt),
		sqldb.ScanTime(&k.LastUsedAt), sqldb.ScanTime(&k.FormerUntil)); err != nil {
		return Key{}, fmt.Errorf("read an API key: %w", err)
	}
	if copy(k.Hash[:], hash) != len(k.Hash) {
		return Key{}, fmt.Errorf("API key %s has a hash of %d bytes", k.ID, len(hash))
	}
	err := json.Unmarshal([]byte(tags), &k.Tags)
	return k, octavo.Wrapf(err, "read the tags of API key %s", k.ID)
}

// Insert adds an API key, and key.created to the audit log.
func (s *Keys) Insert(ctx context.Context, cause sqldb.Cause, k Key) error {
	tags := []byte{'['}
	for i, tag := range k.Tags {
		if i > 0 {
			tags = append(tags, ',')
		}
		tags = octavo.AppendString(tags, tag)
	}
	tags = append(tags, ']')
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		_, err := tx.Exec(`INSERT INTO api_keys (`+keyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
			k.ID, k.Hash[:], sqldb.Plain(k.Name), k.Kind, int64(k.Scopes), k.PublishedOnly, string(tags), k.RateLimit,
			k.CreatedAt.UnixMilli(), sqldb.UnlessZero(k.RotatedAt), sqldb.UnlessZero(k.ExpiresAt), sqldb.UnlessZero(k.RevokedAt), sqldb.UnlessZero(k.LastUsedAt))
		if err != nil {
			return fmt.Errorf("add API key %s: %w", k.ID, err)
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.KeyCreated, Subject: string(k.ID), Detail: map[string]any{
			"name": k.Name, "kind": k.Kind, "scopes": k.Scopes.List(), "publishedOnly": k.PublishedOnly,
		}})
	})
}

// ByHash returns the API key that has or had the hash, even if it has
// expired or was revoked, or a NotFound error.
func (s *Keys) ByHash(ctx context.Context, hash [32]byte) (Key, error) {
	return s.key(ctx, `SELECT `+keyColumns+`, CAST(NULL AS BIGINT) FROM api_keys WHERE hash = $1
		UNION ALL SELECT `+keyColumns+`, (SELECT f.until FROM api_key_formers f WHERE f.hash = $1)
		FROM api_keys WHERE id = (SELECT f.key_id FROM api_key_formers f WHERE f.hash = $1)`, hash[:])
}

// ByID returns an API key, or a NotFound error.
func (s *Keys) ByID(ctx context.Context, id octavo.ID) (Key, error) {
	return s.key(ctx, `SELECT `+keyColumns+`, NULL FROM api_keys WHERE id = $1`, sqldb.Plain(string(id)))
}

func (s *Keys) key(ctx context.Context, query string, arg any) (Key, error) {
	return sqldb.One(ctx, s.read, "look up an API key", octavo.Errorf(octavo.NotFound, "There is no such API key."), scanKey, query, arg)
}

// List returns at most limit API keys, oldest first, after the given id, and
// whether more follow.
func (s *Keys) List(ctx context.Context, after octavo.ID, limit int) (keys []Key, more bool, err error) {
	return sqldb.CollectUpTo(ctx, s.read, "list API keys", limit, scanKey, `SELECT `+keyColumns+`, NULL FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2`,
		sqldb.Plain(string(after)), limit+1)
}

// Revoke marks an API key as revoked, with key.revoked in the audit log. A
// revoked key stays unchanged; an unknown one is a NotFound error.
func (s *Keys) Revoke(ctx context.Context, cause sqldb.Cause, id octavo.ID) error {
	return s.db.Write(ctx, cause, func(tx *sqldb.Tx) error {
		var name string
		found, err := tx.Row([]any{&name}, `SELECT name FROM api_keys WHERE id = $1`, sqldb.Plain(string(id)))
		if err != nil {
			return fmt.Errorf("revoke API key %s: %w", id, err)
		}
		if !found {
			return octavo.Errorf(octavo.NotFound, "There is no API key %q.", id)
		}
		n, err := tx.Exec(`UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL`, id, tx.Now().UnixMilli())
		if err != nil || n == 0 {
			return err
		}
		return tx.Audit(octavo.AuditEntry{Action: octavo.KeyRevoked, Subject: string(id), Detail: map[string]any{"name": name}})
	})
}

// Touch records when API keys were last used. It never replaces a later time.
func (s *Keys) Touch(ctx context.Context, used map[octavo.ID]time.Time) error {
	ids := slices.Sorted(maps.Keys(used)) // the same order everywhere, against deadlocks
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		for _, id := range ids {
			if _, err := tx.Exec(`UPDATE api_keys SET last_used_at = $2
				WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)`, id, used[id].UnixMilli()); err != nil {
				return fmt.Errorf("note the use of API key %s: %w", id, err)
			}
		}
		return nil
	})
}
