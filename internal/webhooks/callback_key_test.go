package webhooks_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// keyIDs returns the names of the keys that a service shows.
func (r *rig) keyIDs(s *webhooks.Service) (ids []string) {
	r.Helper()
	set, err := s.Callbacks.Public(r.Context())
	r.noError(err, "read the keys of callbacks")
	for _, key := range set.Keys {
		ids = append(ids, key.KeyID)
	}
	return ids
}

// signers returns the names of those of the keys that have signed a callback,
// in the order of its signatures.
func signers(g received, keys []jose.JSONWebKey) (ids []string) {
	text := fmt.Appendf(nil, "%s.%s.%s", g.header.Get("Webhook-Id"), g.header.Get("Webhook-Timestamp"), g.body)
	for _, entry := range strings.Fields(g.header.Get("Webhook-Signature")) {
		version, signature, _ := strings.Cut(entry, ",")
		raw, err := base64.StdEncoding.DecodeString(signature)
		id := "nobody"
		for _, key := range keys {
			if err == nil && version == "v1a" && ed25519.Verify(key.Key.(ed25519.PublicKey), text, raw) {
				id = key.KeyID
			}
		}
		ids = append(ids, id)
	}
	return ids
}

// TestCallbackKeyRotation: while they overlap, the former key and the new one
// sign and are shown, in every process; afterwards the new one alone.
func TestCallbackKeyRotation(t *testing.T) {
	onBoth(t, func(r *rig) {
		var all []jose.JSONWebKey // that there ever were
		v := newReceiver(r, nil)
		other := r.second()
		r.run(other)
		sent := 0
		check := func(when string, want []string) {
			r.Helper()
			if here, there := r.keyIDs(r.hooks), r.keyIDs(other); !slices.Equal(here, want) || !slices.Equal(there, want) {
				r.Errorf("%s: the keys %v and %v are shown, want %v", when, here, there, want)
			}
			r.create(octavo.PageCreate{Status: octavo.Published, CallbackURL: v.URL}, sqldb.Cause{})
			g := v.wait(r, sent+1)[sent]
			sent++
			// The clock goes on when that is recorded, or it would be sent again.
			var logged []hookstore.LoggedDelivery
			eventually(r, func() (ended bool) {
				var err error
				logged, _, err = r.hooks.EventDeliveries(r.Context(), g.event.ID, "", 10)
				return err == nil && len(logged) == 1 && logged[0].Status == octavo.DeliverySucceeded
			}, func() any { return logged })
			have := signers(g, all)
			slices.Reverse(have) // they sign in the order of their age
			if !slices.Equal(have, want) {
				r.Errorf("%s: the keys %v have signed, want %v", when, have, want)
			}
		}
		newest := func() string {
			set, err := r.hooks.Callbacks.Public(r.Context())
			r.noError(err, "read the keys of callbacks")
			all = append(all, set.Keys[0])
			return set.Keys[0].KeyID
		}
		rotate := func(endFormer bool) {
			r.Helper()
			r.noError(r.hooks.Callbacks.Rotate(r.Context(), sqldb.Cause{}, endFormer), "rotate")
		}
		first := newest()
		check("at first", []string{first})
		rotate(false)
		second := newest()
		check("while they overlap", []string{second, first})
		r.clock.move(webhooks.SecretOverlap)
		check("afterwards", []string{second})
		rotate(false)
		third := newest()
		check("rotated again", []string{third, second})
		rotate(true)
		fourth := newest()
		check("when one has leaked", []string{fourth})
		for range 4 {
			r.noError(r.hooks.Callbacks.Rotate(r.Context(), sqldb.Cause{}, false), "rotate")
		}
		if err := r.hooks.Callbacks.Rotate(r.Context(), sqldb.Cause{}, false); err == nil || len(r.keyIDs(r.hooks)) != 5 {
			r.Errorf("a sixth key signs: %v, %v", err, r.keyIDs(r.hooks))
		}
		again := r.service(egress.Options{})
		if have, want := r.keyIDs(again), r.keyIDs(r.hooks); !slices.Equal(have, want) {
			r.Errorf("a process that starts has the keys %v, want %v", have, want)
		}
	})
}

// Of concurrent rotations each makes a key or fails because another one did.
func TestCallbackKeyRotatedTwice(t *testing.T) {
	onBoth(t, func(r *rig) {
		services := []*webhooks.Service{r.hooks, r.second()}
		ended := make(chan error)
		for _, s := range services {
			go func() { ended <- s.Callbacks.Rotate(r.Context(), sqldb.Cause{}, false) }()
		}
		made := 1
		for range services {
			if err := <-ended; err == nil {
				made++
			} else if !strings.Contains(err.Error(), string(octavo.Conflict)) {
				r.Error(err)
			}
		}
		for _, s := range services {
			if have := r.keyIDs(s); len(have) != made || made < 2 {
				r.Errorf("the keys %v are shown, want %d", have, made)
			}
		}
	})
}

// TestCallbackKeyOfBefore: an installation with the single key of earlier versions
// continues to use it.
func TestCallbackKeyOfBefore(t *testing.T) {
	r := newRig(t, octavotest.Options{})
	secrets, err := r.server.Vault.All(r.Context(), "callback-key")
	r.noError(err, "read the secrets")
	if len(secrets) != 1 || secrets[0].Name != "callback-key" {
		r.Fatalf("have the secrets %v, want the name of before", secrets)
	}
	if have, want := r.keyIDs(r.service(egress.Options{})), r.keyIDs(r.hooks); !slices.Equal(have, want) {
		r.Errorf("the next start has the keys %v, want %v", have, want)
	}
}
