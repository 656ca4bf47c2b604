package auth

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// memory is the store of these tests. It counts the reads of keys and of
// secrets, and fails them while err is set.
type memory struct {
	mu          sync.Mutex
	keys        []accounts.Key
	former      accounts.Key
	secrets     []accounts.Secret
	now         time.Time
	err         error
	keyReads    int
	secretReads int
}

func (m *memory) Insert(_ context.Context, _ sqldb.Cause, k accounts.Key) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keys = append(m.keys, k)
	return m.err
}

func (m *memory) find(match func(accounts.Key) bool) (accounts.Key, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.keyReads++
	if m.err != nil {
		return accounts.Key{}, m.err
	}
	for _, k := range m.keys {
		if match(k) {
			return k, nil
		}
	}
	return accounts.Key{}, octavo.Errorf(octavo.NotFound, "There is no such key.")
}

func (m *memory) ByHash(_ context.Context, hash [32]byte) (accounts.Key, error) {
	if m.former.Hash == hash {
		m.keyReads++
		return m.former, m.err
	}
	return m.find(func(k accounts.Key) bool { return k.Hash == hash })
}

func (m *memory) ByID(_ context.Context, id octavo.ID) (accounts.Key, error) {
	return m.find(func(k accounts.Key) bool { return k.ID == id })
}

func (m *memory) List(context.Context, octavo.ID, int) ([]accounts.Key, bool, error) {
	return m.keys, false, m.err
}

func (m *memory) Revoke(_ context.Context, _ sqldb.Cause, id octavo.ID) error {
	return m.change(id, func(k *accounts.Key) { k.RevokedAt = k.CreatedAt })
}

// RotateKey keeps one former secret of a key.
func (m *memory) Rotate(_ context.Context, _ sqldb.Cause, r accounts.KeyRotation) (key accounts.Key, err error) {
	err = m.change(r.ID, func(k *accounts.Key) {
		k.Hash, k.ExpiresAt, k.RotatedAt = r.To, r.ExpiresAt, m.now
		key, m.former = *k, *k
		m.former.Hash, m.former.FormerUntil = r.From, r.FormerUntil
	})
	return key, err
}

func (m *memory) EndFormer(_ context.Context, hash [32]byte) error {
	if m.former.Hash == hash {
		m.former.FormerUntil = time.UnixMilli(0)
	}
	return m.err
}

func (m *memory) Touch(_ context.Context, used map[octavo.ID]time.Time) error {
	for id, at := range used {
		if err := m.change(id, func(k *accounts.Key) { k.LastUsedAt = at }); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) change(id octavo.ID, f func(*accounts.Key)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.keys {
		if m.keys[i].ID == id {
			f(&m.keys[i])
			return nil
		}
	}
	return octavo.Errorf(octavo.NotFound, "There is no such key.")
}

func (m *memory) Get(_ context.Context, name string) ([]byte, bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.secrets {
		if s.Name == name {
			return s.Value, true, nil
		}
	}
	return nil, false, m.err
}

func (m *memory) PutIfAbsent(ctx context.Context, name string, value []byte) ([]byte, error) {
	if kept, found, err := m.Get(ctx, name); found || err != nil {
		return kept, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.secrets = append(m.secrets, accounts.Secret{Name: name, Value: value, CreatedAt: m.now})
	return value, nil
}

func (m *memory) Add(_ context.Context, prefix, name string, value []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.now
	for _, s := range m.secrets {
		if strings.HasPrefix(s.Name, prefix) && !s.CreatedAt.Before(at) {
			at = s.CreatedAt.Add(time.Millisecond)
		}
	}
	m.secrets = append(m.secrets, accounts.Secret{Name: name, Value: value, CreatedAt: at})
	return m.err
}

func (m *memory) Replace(_ context.Context, name string, old, value []byte) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, s := range m.secrets {
		if s.Name == name && bytes.Equal(s.Value, old) {
			m.secrets[i].Value = value
			return true, m.err
		}
	}
	return false, m.err
}

func (m *memory) All(_ context.Context, prefix string) ([]accounts.Secret, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.secretReads++
	return slices.DeleteFunc(slices.Clone(m.secrets), func(s accounts.Secret) bool { return !strings.HasPrefix(s.Name, prefix) }), m.err
}

func (m *memory) Delete(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.secrets = slices.DeleteFunc(m.secrets, func(s accounts.Secret) bool { return s.Name == name })
	return nil
}

// rig is one process: its clock, its store and what works on them.
type rig struct {
	now           time.Time
	store         *memory
	keys          *Keys
	tokens        *Tokens
	authenticator *Authenticator
}

const (
	installation = octavo.ID("ins_01k")
	authURL      = "https://docs.example"
)

// newRig starts a process over a store; nil makes an empty one.
func newRig(t testing.TB, m *memory) *rig {
	t.Helper()
	if m == nil {
		m = &memory{now: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)}
	}
	r := &rig{now: m.now, store: m}
	env := Env{Now: func() time.Time { return r.now }, Random: rand.Reader}
	ids := octavo.NewIDSource(env.Now, env.Random)
	sealer, err := NewSealer("", env.Random)
	if err != nil {
		t.Fatalf("NewSealer: %v", err)
	}
	r.keys = NewKeys(env, ids, m)
	r.tokens, err = OpenTokens(t.Context(), TokenOptions{
		Env: env, IDs: ids, Vault: NewVault(m, sealer), Installation: installation, AuthURL: authURL,
	})
	if err != nil {
		t.Fatalf("OpenTokens: %v", err)
	}
	r.authenticator = NewAuthenticator(env, r.keys, r.tokens, nil)
	return r
}

func (r *rig) key(t testing.TB, request KeyRequest) (string, accounts.Key) {
	t.Helper()
	text, key, err := r.keys.Create(t.Context(), sqldb.Cause{}, request)
	if err != nil {
		t.Fatalf("Create(%+v): %v", request, err)
	}
	return text, key
}

func (r *rig) token(t testing.TB, g Grant) string {
	t.Helper()
	text, err := r.tokens.Issue(t.Context(), g)
	if err != nil {
		t.Fatalf("Issue(%+v): %v", g, err)
	}
	return text
}

// refused checks that a credential is refused with a reason that holds want.
func (r *rig) refused(t testing.TB, c Credential, want string) {
	t.Helper()
	p, err := r.authenticator.Verify(t.Context(), c)
	var refusal *Error
	if !errors.As(err, &refusal) {
		t.Fatalf("Verify(%.80q) = %+v, %v; want a refusal about %q", c.Secret, p, err, want)
	}
	if refusal.Code != CodeInvalidToken || !strings.Contains(refusal.Description, want) {
		t.Errorf("Verify(%.80q) refuses with %q, %q; want %q, and %q in the reason", c.Secret, refusal.Code, refusal.Description, CodeInvalidToken, want)
	}
}

// accepted returns the principal of a credential that must be valid.
func (r *rig) accepted(t testing.TB, c Credential) octavo.Principal {
	t.Helper()
	p, err := r.authenticator.Verify(t.Context(), c)
	if err != nil {
		t.Fatalf("Verify(%.80q): %v", c.Secret, err)
	}
	return p
}
