package exports_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestMessageLimit shows that a subject has so many messages sent in an
// hour and no more, whatever becomes of its exports, and that others are not
// counted with it.
func TestMessageLimit(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.Mailer = &mailbox{}
		r.Messages = quota.New(quota.Options{Now: time.Now, Window: exports.MessageWindow, Source: r.Store.Quotas()})
		r.page(exporttest.Published("a", "a"))
		ask := func(who exports.Caller, messages int) error {
			t.Helper()
			request := octavo.ExportRequest{
				Format: octavo.ExportMarkdown, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll},
			}
			request.Delivery.Channels = []octavo.ExportChannel{{Kind: octavo.ChannelWebhook, URL: "https://hooks.example/x"}}
			for i := range messages {
				c := octavo.ExportChannel{Kind: octavo.ChannelEmail, Email: fmt.Sprintf("a%d@example.com", i)}
				request.Delivery.Channels = append(request.Delivery.Channels, c)
			}
			cause := sqldb.Cause{Actor: who.Actor}
			e, err := r.Create(t.Context(), cause, who, request, nil)
			if err == nil {
				exporttest.Must(t, r.Service.Delete(t.Context(), cause, who, e.ID))
			}
			return err
		}
		wantRefused := func(err error) {
			t.Helper()
			var e *octavo.Error
			if !errors.As(err, &e) || e.Type != octavo.RateLimited || e.RetryAfter <= 58*time.Minute || e.RetryAfter > exports.MessageWindow {
				t.Errorf("have %v, want it refused for an hour", err)
			}
		}
		for range exports.MaxMessages/20 - 1 {
			exporttest.Must(t, ask(ann, 20))
		}
		exporttest.Must(t, ask(ann, 15))
		wantRefused(ask(ann, 6)) // and none of the five that are left are spent
		exporttest.Must(t, ask(ann, 5))
		exporttest.Must(t, ask(ann, 0))
		wantRefused(ask(ann, 1))
		bob := ann
		bob.ID = "usr_bob"
		exporttest.Must(t, ask(bob, 20))
		chief := ann
		chief.Scopes = octavo.ScopeAdmin
		exporttest.Must(t, ask(chief, 20))
		r.Mailer = nil // nothing is sent, and so nothing counted
		exporttest.Must(t, ask(ann, 20))
	})
}

// TestRefusedExports shows that an export which is not accepted, or
// was accepted before under the same key, costs none of the messages.
func TestRefusedExports(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		r.Mailer = &mailbox{}
		r.Messages = quota.New(quota.Options{Now: time.Now, Window: exports.MessageWindow, Source: r.Store.Quotas()})
		r.page(exporttest.Published("a", "a"))
		request := octavo.ExportRequest{
			Format: octavo.ExportMarkdown, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll},
		}
		for i := range 20 {
			request.Delivery.Channels = append(request.Delivery.Channels, octavo.ExportChannel{Kind: octavo.ChannelEmail, Email: fmt.Sprintf("a%d@example.com", i)})
		}
		ask := func(claim *sqldb.Claim) error {
			_, err := r.Create(t.Context(), sqldb.Cause{Actor: ann.Actor, Claim: claim}, ann, request, func(octavo.Export) sqldb.Response { return sqldb.Response{Status: 202} })
			return err
		}
		claim := &sqldb.Claim{Owner: ann.ID, Key: "k"}
		exporttest.Must(t, ask(claim))
		var replay *sqldb.ReplayError
		for range exports.MaxMessages / 20 {
			if err := ask(claim); !errors.As(err, &replay) {
				t.Fatalf("the same again: have %v, want the first answer", err)
			}
		}
		r.Bounds = exportstore.Bounds{PerSubject: 1, Overall: 10}
		for range exports.MaxMessages / 20 {
			if err := ask(nil); err == nil || strings.Contains(err.Error(), "messages") {
				t.Fatalf("past the bound of exports: have %v, want that it is refused for it", err)
			}
		}
		r.Bounds = exportstore.Bounds{PerSubject: 10, Overall: 10}
		for i := range exports.MaxMessages/20 - 1 {
			if err := ask(nil); err != nil {
				t.Errorf("export %d: have %v, want it accepted: no refusal counts", i+2, err)
			}
		}
		if err := ask(nil); err == nil {
			t.Error("more messages than there may be were accepted")
		}
	})
}
