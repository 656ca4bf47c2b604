package auth

import (
	"errors"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func (r *rig) rotate(t *testing.T, id octavo.ID, rotation Rotation) (string, accounts.Key) {
	t.Helper()
	text, key, err := r.keys.Rotate(t.Context(), sqldb.Cause{}, id, rotation)
	if err != nil {
		t.Fatalf("Rotate(%+v): %v", rotation, err)
	}
	return text, key
}

// TestRotationOverlaps: both secrets are accepted during the grace period, in every
// process, and the old one is refused the moment it ends.
func TestRotationOverlaps(t *testing.T) {
	here := newRig(t, nil)
	there := newRig(t, here.store)
	old, key := here.key(t, KeyRequest{Name: "CI", Scopes: octavo.ScopeWrite, RateLimit: 5})
	want := here.accepted(t, Credential{HeaderKey, old})
	there.accepted(t, Credential{HeaderKey, old})

	text, rotated := here.rotate(t, key.ID, Rotation{Grace: time.Hour})
	if text == old || rotated.ID != key.ID || !isKeyText(text) {
		t.Fatalf("rotation gives %q with %+v; want a new text of key %s", text, rotated, key.ID)
	}
	for _, r := range []*rig{here, there} {
		for _, secret := range []string{text, old} {
			if have := r.accepted(t, Credential{HeaderKey, secret}); have.ID != want.ID || have.Scopes != want.Scopes || have.RateLimit != 5 {
				t.Errorf("speaks for %+v after the rotation; want %+v", have, want)
			}
		}
		r.now = r.now.Add(time.Hour - 1)
		r.accepted(t, Credential{HeaderKey, old})
	}
	for _, r := range []*rig{here, there} {
		r.now = r.now.Add(1)
		r.refused(t, Credential{HeaderKey, old}, "replaced")
		r.accepted(t, Credential{HeaderKey, text})
	}
}

// A secret whose grace period has ended stays refused after the clock is set back.
func TestFormerTextStaysEnded(t *testing.T) {
	r := newRig(t, nil)
	old, key := r.key(t, KeyRequest{Name: "CI"})
	r.rotate(t, key.ID, Rotation{Grace: time.Hour})
	r.now = r.now.Add(time.Hour)
	r.refused(t, Credential{HeaderKey, old}, "replaced")
	r.now = r.now.Add(-5 * time.Hour)
	r.refused(t, Credential{HeaderKey, old}, "replaced")
}

// TestRotationWithoutGrace: the old secret ends at once in this process, and within
// KeyRecheck in others.
func TestRotationWithoutGrace(t *testing.T) {
	here := newRig(t, nil)
	there := newRig(t, here.store)
	old, key := here.key(t, KeyRequest{Name: "a"})
	here.accepted(t, Credential{HeaderKey, old})
	there.accepted(t, Credential{HeaderKey, old})
	here.rotate(t, key.ID, Rotation{})
	here.refused(t, Credential{HeaderKey, old}, "replaced")
	there.now = there.now.Add(KeyRecheck)
	there.refused(t, Credential{HeaderKey, old}, "replaced")
}

func TestRotationRenewsTheLifetime(t *testing.T) {
	never, hour := time.Duration(0), time.Hour
	for name, test := range map[string]struct {
		lifetime time.Duration // of the key
		rotation Rotation
		want     time.Duration // of the new text; 0 is for ever
	}{
		"as long as before": {10 * time.Hour, Rotation{}, 10 * time.Hour},
		"for ever, still":   {0, Rotation{}, 0},
		"for ever, now":     {10 * time.Hour, Rotation{Lifetime: &never}, 0},
		"shorter":           {0, Rotation{Lifetime: &hour}, time.Hour},
	} {
		r := newRig(t, nil)
		_, key := r.key(t, KeyRequest{Name: "a", Lifetime: test.lifetime})
		r.now = r.now.Add(9 * time.Hour)
		r.store.now = r.now
		for range 2 { // a second rotation counts from the first
			test.rotation.Grace = 24 * time.Hour
			_, rotated := r.rotate(t, key.ID, test.rotation)
			have := time.Duration(0)
			if !rotated.ExpiresAt.IsZero() {
				have = rotated.ExpiresAt.Sub(r.now)
			}
			if have != test.want {
				t.Errorf("%s: the new text lives for %s, want %s", name, have, test.want)
			}
		}
		if test.lifetime > 0 {
			r := newRig(t, nil)
			old, key := r.key(t, KeyRequest{Name: "a", Lifetime: test.lifetime})
			r.rotate(t, key.ID, test.rotation)
			r.now = r.now.Add(test.lifetime)
			r.refused(t, Credential{HeaderKey, old}, "") // no grace beyond its own end
		}
	}
}

// A key that had expired when it was stored does not become permanent by a rotation.
func TestRotationOfAKeyWithoutTime(t *testing.T) {
	r := newRig(t, nil)
	_, key := r.key(t, KeyRequest{Name: "a", ExpiresAt: r.now.Add(time.Millisecond)})
	r.store.keys[0].ExpiresAt = r.store.keys[0].CreatedAt
	_, rotated := r.rotate(t, key.ID, Rotation{})
	if want := r.now.Add(DefaultKeyLifetime); !rotated.ExpiresAt.Equal(want) {
		t.Errorf("the new text expires %v, want %v", rotated.ExpiresAt, want)
	}
	if _, _, err := r.keys.Create(t.Context(), sqldb.Cause{}, KeyRequest{Name: "a", ExpiresAt: r.now}); err == nil {
		t.Error("a key is made that expires now")
	}
}

func TestRotationAtFault(t *testing.T) {
	r := newRig(t, nil)
	_, key := r.key(t, KeyRequest{Name: "a"})
	past := -time.Second
	for _, rotation := range []Rotation{{Grace: -1}, {Grace: MaxKeyGrace + 1}, {Lifetime: &past}, {ExpiresAt: r.now.Add(-1)}} {
		_, _, err := r.keys.Rotate(t.Context(), sqldb.Cause{}, key.ID, rotation)
		var e *octavo.Error
		if !errors.As(err, &e) || e.Type != octavo.InvalidRequest {
			t.Errorf("Rotate(%+v): have %v, want an invalid request", rotation, err)
		}
	}
	if _, _, err := r.keys.Rotate(t.Context(), sqldb.Cause{}, "key_unknown", Rotation{}); !octavo.IsType(err, octavo.NotFound) {
		t.Errorf("an unknown key: have %v, want that there is none", err)
	}
}
