package webhooks_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// TestDeliverPublication: signed, as the contract shapes it, and the log shows
// the try.
func TestDeliverPublication(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "thanks") })
		w, secret := r.endpoint(v.URL + "/hook?x=1")
		r.run(r.hooks)
		const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
		p := r.create(octavo.PageCreate{Status: octavo.Published}, sqldb.Cause{TraceID: "trace-1", Traceparent: parent})
		got := v.wait(r, 1)[0]
		verifier, err := standardwebhooks.NewWebhook(secret)
		r.noError(err, "read the secret")
		r.noError(verifier.VerifyIgnoringTimestamp(got.body, got.header), "verify")
		if got.event.Type != octavo.PagePublished || !strings.Contains(string(got.event.Data), string(p.ID)) || got.header.Get("Webhook-Id") != string(got.event.ID) {
			r.Errorf("have event %+v %s", got.event, got.header)
		}
		trace, ok := octavo.ParseTraceparent(got.header.Get("Traceparent"))
		if !ok || trace.String() == parent || !strings.HasPrefix(trace.String(), parent[:36]) || got.header.Get("X-Trace-Id") != "trace-1" {
			r.Errorf("have trace %v", got.header)
		}
		for name, want := range map[string]string{"Content-Type": "application/json", "User-Agent": "Octavo/test", "Authorization": ""} {
			if have := got.header.Get(name); have != want {
				r.Errorf("header %s: have %q, want %q", name, have, want)
			}
		}
		d := r.ended(w.ID, 1)[0]
		if d.Status != octavo.DeliverySucceeded || d.Attempt != 1 || d.ResponseStatus != 200 || d.Response != "thanks" || d.Request != string(got.body) || d.EventID != got.event.ID {
			r.Errorf("have log %+v", d)
		}
	})
}

// TestSelectedEvents: an endpoint gets its types, from its making on, and
// nothing while it is disabled.
func TestSelectedEvents(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, nil)
		before := r.publish()
		w, _ := r.endpoint(v.URL, octavo.PageUnpublished)
		p := r.publish()
		r.set(p.ID, octavo.Draft)
		r.set(before.ID, octavo.Draft)
		r.run(r.hooks)
		v.wait(r, 2)
		for _, disabled := range []bool{true, false} {
			_, err := r.hooks.Patch(r.Context(), sqldb.Cause{}, w.ID, octavo.WebhookPatch{Disabled: &disabled})
			r.noError(err, "change the webhook")
			r.set(p.ID, octavo.Published)
			r.set(p.ID, octavo.Draft) // once unheard, once heard
		}
		got := v.wait(r, 3)
		for _, g := range got {
			if g.event.Type != octavo.PageUnpublished {
				r.Errorf("have %s, want %s", g.event.Type, octavo.PageUnpublished)
			}
		}
		r.ended(w.ID, 3)
		if n := len(v.all()); n != 3 {
			r.Errorf("have %d events, want 3", n)
		}
	})
}

// TestCallback: the first publication of a page is sent to its callbackUrl, once, signed
// so that the public key verifies it.
func TestCallback(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, nil)
		w, _ := r.endpoint(v.URL + "/hook")
		p := r.create(octavo.PageCreate{CallbackURL: strings.Replace(v.URL, "http://", "http://user:password@", 1) + "/callback"}, sqldb.Cause{})
		r.run(r.hooks)
		r.set(p.ID, octavo.Published)
		r.set(p.ID, octavo.Draft)
		r.set(p.ID, octavo.Published)
		r.ended(w.ID, 2)
		got := v.wait(r, 3)
		var signed []received
		ids := map[octavo.ID]int{}
		for _, g := range got {
			ids[g.event.ID]++
			if strings.HasPrefix(g.header.Get("Webhook-Signature"), "v1a,") {
				signed = append(signed, g)
			}
		}
		if len(signed) != 1 || ids[signed[0].event.ID] != 2 || len(ids) != 2 {
			r.Fatalf("have %d callbacks, events %v; want one, with the id of the webhook's", len(signed), ids)
		}
		set, err := r.hooks.Callbacks.Public(r.Context())
		r.noError(err, "read the keys")
		key := set.Keys[0].Key.(ed25519.PublicKey)
		g := signed[0]
		signature, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(g.header.Get("Webhook-Signature"), "v1a,"))
		r.noError(err, "read the signature")
		text := fmt.Sprintf("%s.%s.%s", g.header.Get("Webhook-Id"), g.header.Get("Webhook-Timestamp"), g.body)
		if !ed25519.Verify(key, []byte(text), signature) || g.header.Get("Authorization") != "" {
			r.Errorf("the callback is not signed by the public key, or carries credentials: %v", g.header)
		}
		var logged []hookstore.LoggedDelivery
		eventually(r, func() bool {
			logged, _, err = r.hooks.EventDeliveries(r.Context(), g.event.ID, "", 10)
			return err == nil && len(logged) == 2 && !logged[0].EndedAt.IsZero() && !logged[1].EndedAt.IsZero()
		}, func() any { return logged })
		for _, d := range logged {
			if _, hook := d.Webhook(); !hook && !strings.HasSuffix(d.Callback, "/callback") {
				r.Errorf("have %+v, want the callback's address", d)
			}
		}
	})
}

// TestRotation: while the secrets overlap both verify, afterwards the new one
// alone.
func TestRotation(t *testing.T) {
	r := newRig(t, optionsSQLite())
	v := newReceiver(r, nil)
	w, first := r.endpoint(v.URL)
	r.run(r.hooks)
	_, second, err := r.hooks.Rotate(r.Context(), sqldb.Cause{}, w.ID)
	r.noError(err, "rotate")
	verifies := func(g received, secret string) bool {
		verifier, err := standardwebhooks.NewWebhook(secret)
		r.noError(err, "read the secret")
		return verifier.VerifyIgnoringTimestamp(g.body, g.header) == nil
	}
	for i, test := range []struct{ first, second bool }{{true, true}, {false, true}} {
		r.publish()
		g := v.wait(r, i+1)[i]
		if have := (struct{ first, second bool }{verifies(g, first), verifies(g, second)}); have != test {
			r.Errorf("%d: verifies as %+v, want %+v", i, have, test)
		}
		r.clock.move(webhooks.SecretOverlap)
	}
	for range 4 {
		_, _, err = r.hooks.Rotate(r.Context(), sqldb.Cause{}, w.ID)
		r.noError(err, "rotate")
	}
	if _, _, err = r.hooks.Rotate(r.Context(), sqldb.Cause{}, w.ID); err == nil {
		r.Error("a sixth secret signs")
	}
}

// TestSecretsNotLogged: neither what the log says at any level nor what a
// delivery says went wrong names more of an address than its host.
func TestSecretsNotLogged(t *testing.T) {
	r := newRig(t, optionsSQLite())
	log := &octavotest.Log{}
	r.hooks.Log = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w, _ := r.endpoint("http://127.0.0.1:1/secret-path?token=secret")
	r.run(r.hooks)
	r.publish()
	d := r.ended(w.ID, 1)[0]
	if d.Error == "" || strings.Contains(d.Error, "secret") || strings.Contains(d.Error, "token") {
		r.Errorf("have error %q, want one without the address", d.Error)
	}
	if text := log.String(); strings.Contains(text, "secret") || strings.Contains(text, "token=") {
		r.Errorf("the log says %s", text)
	}
}
