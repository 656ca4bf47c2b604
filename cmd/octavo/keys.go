package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store"
)

type keysCommand struct {
	Create keysCreateCommand `cmd:"" help:"Create an API key and print it."`
	List   keysListCommand   `cmd:"" help:"List the API keys."`
	Rotate keysRotateCommand `cmd:"" help:"Replace the secret of an API key and print the new key."`
	Revoke keysRevokeCommand `cmd:"" help:"Revoke an API key."`
}

// byCommand is the cause of changes by a command.
func byCommand() store.Cause {
	return store.Cause{Actor: octavo.Actor{ID: "cli", Name: "command line"}}
}

// scopesFlag reads scopes separated by commas.
type scopesFlag struct{ octavo.Scopes }

func (f *scopesFlag) UnmarshalText(text []byte) (err error) {
	f.Scopes, err = octavo.ParseScopes(string(text))
	if err == nil && f.Scopes == 0 {
		err = errors.New("name a scope: pages:read, pages:propose, pages:write or admin")
	}
	return err
}

// expiryFlag reads a lifetime; never is 0.
type expiryFlag struct{ lifetimeFlag }

func (f *expiryFlag) UnmarshalText(text []byte) error {
	if string(text) == "never" {
		f.Duration = 0
		return nil
	}
	if err := f.lifetimeFlag.UnmarshalText(text); err != nil {
		return fmt.Errorf("%w, or never", err)
	}
	return nil
}

// keyRecord is the output of --json for a key.
type keyRecord struct {
	ID            octavo.ID      `json:"id"`
	Key           string         `json:"key,omitempty"` // only when it is created
	Name          string         `json:"name"`
	Kind          octavo.KeyKind `json:"kind"`
	Scopes        []string       `json:"scopes"`
	PublishedOnly bool           `json:"publishedOnly"`
	Tags          []string       `json:"tags,omitempty"`
	RateLimit     int            `json:"rateLimit,omitempty"`
	CreatedAt     instant        `json:"createdAt"`
	RotatedAt     *instant       `json:"rotatedAt,omitempty"`
	ExpiresAt     *instant       `json:"expiresAt,omitempty"`
	RevokedAt     *instant       `json:"revokedAt,omitempty"`
	LastUsedAt    *instant       `json:"lastUsedAt,omitempty"`
}

func recordOf(k accounts.Key, text string) keyRecord {
	return keyRecord{
		ID: k.ID, Key: text, Name: k.Name, Kind: k.Kind, Scopes: k.Scopes.List(), PublishedOnly: k.PublishedOnly,
		Tags: k.Tags, RateLimit: k.RateLimit, RotatedAt: present(k.RotatedAt),
		CreatedAt: instant{k.CreatedAt}, ExpiresAt: present(k.ExpiresAt), RevokedAt: present(k.RevokedAt), LastUsedAt: present(k.LastUsedAt),
	}
}

func present(t time.Time) *instant {
	if t.IsZero() {
		return nil
	}
	return &instant{t.UTC()}
}

// line is the output for a key: columns separated by tabs.
func (r keyRecord) line(now time.Time) string {
	state := "valid"
	switch {
	case r.RevokedAt != nil:
		state = "revoked"
	case r.ExpiresAt != nil && !now.Before(r.ExpiresAt.Time):
		state = "expired"
	}
	sees := "all"
	if r.PublishedOnly {
		sees = "published"
	}
	return strings.Join([]string{
		string(r.ID), state, string(r.Kind), strings.Join(r.Scopes, ","), sees, date(r.ExpiresAt), date(r.LastUsedAt), r.Name,
	}, "\t")
}

// date writes a time, or never for none.
func date(t *instant) string {
	if t == nil {
		return "never"
	}
	return t.Format(time.RFC3339)
}
