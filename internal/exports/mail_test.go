package exports_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
)

// mailbox keeps what it is sent; addresses decide what it makes of it.
type mailbox struct {
	mu  sync.Mutex
	got []mail.Message
}

func (m *mailbox) Send(_ context.Context, msg mail.Message) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.got = append(m.got, msg)
	switch {
	case strings.HasPrefix(msg.To, "refused"):
		return fmt.Errorf("no such user: %w", mail.ErrRefused)
	case strings.HasPrefix(msg.To, "later"):
		return errors.New("dial tcp 10.0.0.5:25: connect: connection refused")
	}
	return nil
}

func TestSendMessages(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		box := &mailbox{}
		r.Mailer = box
		tries := map[octavo.DeliveryStatus]int{}
		r.ObserveMessage = func(s octavo.DeliveryStatus) {
			box.mu.Lock()
			defer box.mu.Unlock()
			tries[s]++
		}
		r.page(exporttest.Published("a", "a"))
		channels := []octavo.ExportChannel{
			{Kind: octavo.ChannelEmail, Email: "ok@example.com"}, {Kind: octavo.ChannelEmail, Email: "refused@example.com"}, {Kind: octavo.ChannelEmail, Email: "later@example.com"},
		}
		e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{Channels: channels}})
		r.run(r.Service)
		want := "succeeded 1 , abandoned 1 The mail server permanently refuses the message., pending 1 The message could not be sent., "
		var have string
		exporttest.Until(r, func() bool {
			have = ""
			var err error
			e, err = r.Get(context.Background(), ann, e.ID)
			exporttest.Must(t, err)
			for _, d := range e.Deliveries {
				have += fmt.Sprintf("%s %d %s, ", d.Status, d.Attempts, d.Error)
			}
			return have == want
		})
		box.mu.Lock()
		defer box.mu.Unlock()
		slices.SortFunc(box.got, func(a, b mail.Message) int { return strings.Compare(a.ID, b.ID) }) // they are sent at once
		m := box.got[0]
		if len(box.got) != 3 || m.To != "ok@example.com" || m.Subject != "Your markdown export is ready" || m.ID != string(e.ID)+"-0" || m.Date.Before(e.CreatedAt) {
			t.Errorf("have %d messages, the first %+v", len(box.got), m)
		}
		if want := map[octavo.DeliveryStatus]int{octavo.DeliverySucceeded: 1, octavo.DeliveryAbandoned: 1, octavo.DeliveryFailed: 1}; !maps.Equal(tries, want) {
			t.Errorf("have the tries %v, want %v", tries, want)
		}
		if !strings.Contains(m.Text, *e.DownloadURL) || !strings.Contains(m.HTML, strings.ReplaceAll(*e.DownloadURL, "&", "&amp;")) {
			t.Errorf("the message lacks %s: %s %s", *e.DownloadURL, m.Text, m.HTML)
		}
	})
}

// TestAddressWithoutPassword shows that what an address of a webhook
// holds in secret stays so.
func TestAddressWithoutPassword(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	channels := []octavo.ExportChannel{{Kind: octavo.ChannelWebhook, URL: "https://ann:hush@hooks.example/x?y=1"}}
	e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{Channels: channels}})
	e, err := r.Get(t.Context(), ann, e.ID)
	exporttest.Must(t, err)
	if have, want := e.Deliveries[0].URL, "https://ann:xxxxx@hooks.example/x?y=1"; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}

// stopped is a mail server that stops the server during a message.
type stopped struct {
	*mailbox
	stop context.CancelFunc
	err  error // what it makes of the message then
}

func (s stopped) Send(ctx context.Context, msg mail.Message) error {
	s.stop()
	return errors.Join(s.mailbox.Send(ctx, msg), s.err)
}

// TestMessagesBesideAStop: a message that was taken is not sent again because the
// server stops, and one that was broken off by that is due at once, as untried.
func TestMessagesBesideAStop(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"taken":      {nil, "succeeded, tries: 1"},
		"broken off": {context.Canceled, "pending, tries: 0"},
		"refused":    {mail.ErrRefused, "abandoned, tries: 1"},
	} {
		t.Run(name, func(t *testing.T) {
			rigs(t, func(t *testing.T, r *rig) {
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				r.page(exporttest.Published("a", "a"))
				e := r.create(ann, mailed("ann@example.com"))
				box := &mailbox{}
				r.Mailer = stopped{box, stop, c.err}
				r.Service.Run(ctx)
				channels, err := r.Store.Exports.Channels(t.Context(), []octavo.ID{e.ID})
				exporttest.Must(t, err)
				m := channels[e.ID][0]
				if have := fmt.Sprintf("%s, tries: %d", m.Status, m.Attempt); have != c.want || m.Lease != 0 {
					t.Errorf("have %s by the lease %d, want %s", have, m.Lease, c.want)
				}
				if len(box.got) != 1 {
					t.Errorf("have %d messages, want 1", len(box.got))
				}
			})
		})
	}
}

// Asking for mail without a mail server is refused with that reason.
func TestWithoutAMailServer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	channels := []octavo.ExportChannel{{Kind: octavo.ChannelWebhook, URL: "http://x.example"}, {Kind: octavo.ChannelEmail, Email: "a@example.com"}}
	e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, Delivery: octavo.ExportDelivery{Channels: channels}})
	if len(e.Report.Warnings) != 1 || e.Report.Warnings[0].Path != "/delivery/channels/1" {
		t.Errorf("have warnings %+v", e.Report.Warnings)
	}
	r.run(r.Service)
	exporttest.Until(r, func() bool {
		e = r.await(e.ID)
		return e.Deliveries[1].Status == octavo.DeliveryAbandoned
	})
	if have, want := e.Deliveries[1].Error, "This server sends no mail."; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}

// TestHideNetworkErrors shows the receiver's answer to the creator of an export, but no
// network errors of the server.
func TestHideNetworkErrors(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.page(exporttest.Published("a", "a"))
	e := r.create(ann, octavo.ExportRequest{Scope: octavo.ExportPublished, CallbackURL: "https://receiver.example/"})
	r.run(r.Service)
	r.await(e.ID)
	for _, c := range []struct {
		status      int
		error, want string
	}{
		{500, "The response was 500 Internal Server Error.", "The response was 500 Internal Server Error."},
		{0, "look up receiver.example: no such host on 10.0.0.5:53", "The receiver sent no response."},
	} {
		claimed, err := r.Store.Hooks.Claim(t.Context(), []hookstore.Ask{{Target: hookstore.CallbackTarget("https://receiver.example/"), Limit: 1}}, 5)
		exporttest.Must(t, err)
		if len(claimed) != 1 {
			t.Fatalf("have %d deliveries, want 1", len(claimed))
		}
		_, err = r.Store.Hooks.Finish(t.Context(), []hookstore.Outcome{{
			Delivery: claimed[0], Status: octavo.DeliveryFailed, EndedAt: r.Now(), ResponseStatus: c.status, Error: c.error,
		}}, 0)
		exporttest.Must(t, err)
		e, err := r.Get(t.Context(), ann, e.ID)
		exporttest.Must(t, err)
		if have := e.Deliveries[0].Error; have != c.want {
			t.Errorf("after %q: have %q, want %q", c.error, have, c.want)
		}
	}
}
