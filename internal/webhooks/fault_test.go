package webhooks_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func optionsSQLite() octavotest.Options { return octavotest.Options{} }

// TestSchedule: a receiver that is down is tried when decision 36 says, and
// then given up.
func TestSchedule(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
		w, _ := r.endpoint(v.URL)
		r.run(r.hooks)
		r.publish()
		pauses := []time.Duration{
			5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
			10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
		}
		for i, want := range pauses {
			list := r.until(w.ID, func(list []hookstore.LoggedDelivery) bool { return len(list) == i+2 })
			tried, next := list[i], list[i+1]
			have := next.ReadyAt.Sub(tried.EndedAt)
			if tried.Status != octavo.DeliveryFailed || tried.Attempt != i+1 || next.Status != octavo.DeliveryPending || have < want || have > want+want/10 {
				r.Fatalf("try %d: have %s, next after %s; want failed, and %s with up to a tenth", i+1, tried.Status, have, want)
			}
			r.clock.move(next.ReadyAt.Sub(r.clock.now()) - time.Millisecond)
			r.hooks.Poke()
			if n := len(v.all()); n != i+1 {
				r.Fatalf("have %d requests before try %d is due", n, i+2)
			}
			r.clock.move(time.Millisecond)
			r.hooks.Poke()
			v.wait(r, i+2)
		}
		list := r.ended(w.ID, 10)
		if list[9].Status != octavo.DeliveryAbandoned || len(list) != 10 {
			r.Errorf("have %d tries, the last %s; want 10, abandoned", len(list), list[9].Status)
		}
		ids := map[string]bool{}
		times := map[string]bool{}
		for _, g := range v.all() {
			ids[g.header.Get("Webhook-Id")], times[g.header.Get("Webhook-Timestamp")] = true, true
		}
		if len(ids) != 1 || len(times) != 10 {
			r.Errorf("have %d ids and %d timestamps in 10 tries, want 1 and 10", len(ids), len(times))
		}
		// What was given up can be sent again, by itself or since a time.
		v.behave(nil)
		r.noError(r.hooks.Redeliver(r.Context(), sqldb.Cause{}, w.ID, list[9].ID), "redeliver")
		if last := r.ended(w.ID, 11)[10]; last.Status != octavo.DeliverySucceeded || last.EventID != list[9].EventID {
			r.Errorf("have %+v, want it sent again", last)
		}
		n, err := r.hooks.RedeliverSince(r.Context(), sqldb.Cause{}, w.ID, r.clock.now().AddDate(0, -1, 0))
		if r.noError(err, "redeliver"); n != 0 {
			r.Errorf("%d are sent again although all have arrived", n)
		}
	})
}

// TestAnswers: what each way to answer makes of a try.
func TestAnswers(t *testing.T) {
	elsewhere := newReceiver(t, nil)
	var sent atomic.Int64
	at := time.Date(2026, 3, 1, 13, 0, 0, 0, time.UTC)
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		status octavo.DeliveryStatus
		code   int
		error  string
		after  time.Duration // until the next try, but for a tenth
	}{
		"204": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204) }, octavo.DeliverySucceeded, 204, "", 0},
		"302": {func(w http.ResponseWriter, hr *http.Request) {
			http.Redirect(w, hr, elsewhere.URL, http.StatusFound)
		}, octavo.DeliveryFailed, 302, "302 Found", 5 * time.Second},
		"500": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, octavo.DeliveryFailed, 500, "500 Internal", 5 * time.Second},
		"429 with seconds": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(429)
		}, octavo.DeliveryFailed, 429, "429", 2 * time.Minute},
		"429 with a date": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", at.Format(http.TimeFormat))
			w.WriteHeader(429)
		}, octavo.DeliveryFailed, 429, "429", time.Hour},
		"503 with a date": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", at.Format(http.TimeFormat))
			w.WriteHeader(503)
		}, octavo.DeliveryFailed, 503, "503", time.Hour},
		"429 for a year": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "31536000")
			w.WriteHeader(429)
		}, octavo.DeliveryFailed, 429, "429", 24 * time.Hour},
		"429 that is sooner": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
		}, octavo.DeliveryFailed, 429, "429", 5 * time.Second},
		"hangs": {func(_ http.ResponseWriter, hr *http.Request) { <-hr.Context().Done() }, octavo.DeliveryFailed, 0, "no answer within", 5 * time.Second},
		"byte by byte": {func(w http.ResponseWriter, hr *http.Request) {
			hijack(w, func(conn net.Conn) {
				for _, b := range []byte("HTTP/1.1 204 No Content\r\nX-Long: " + strings.Repeat("x", 10_000)) {
					if _, err := conn.Write([]byte{b}); err != nil {
						return
					}
					<-time.After(10 * time.Millisecond)
				}
			})
		}, octavo.DeliveryFailed, 0, "no answer within", 5 * time.Second},
		"byte by byte in the body": {func(w http.ResponseWriter, hr *http.Request) {
			for hr.Context().Err() == nil {
				_, _ = io.WriteString(w, "x") // until the client has gone
				_ = http.NewResponseController(w).Flush()
				<-time.After(10 * time.Millisecond)
			}
		}, octavo.DeliverySucceeded, 200, "broke off", 0},
		"closes": {func(w http.ResponseWriter, _ *http.Request) { hijack(w, func(net.Conn) {}) }, octavo.DeliveryFailed, 0, "EOF", 5 * time.Second},
		"closes within the header": {func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(conn net.Conn) { fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nX-A: b\r\n") })
		}, octavo.DeliveryFailed, 0, "EOF", 5 * time.Second},
		"closes within the body": {func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(conn net.Conn) { fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf") })
		}, octavo.DeliverySucceeded, 200, "broke off", 0},
		"200 MB": {func(w http.ResponseWriter, _ *http.Request) {
			piece := make([]byte, 1<<20)
			for range 200 {
				n, err := w.Write(piece)
				if sent.Add(int64(n)); err != nil {
					return
				}
			}
		}, octavo.DeliverySucceeded, 200, "", 0},
		"no HTTP": {func(w http.ResponseWriter, _ *http.Request) {
			hijack(w, func(conn net.Conn) { fmt.Fprint(conn, "220 mail.example ESMTP\r\n\r\n") })
		}, octavo.DeliveryFailed, 0, "malformed HTTP", 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, optionsSQLite())
			v := newReceiver(t, test.answer)
			w, _ := r.endpoint(v.URL)
			r.run(r.hooks)
			r.publish()
			list := r.ended(w.ID, 1)
			d := list[0]
			if d.Status != test.status || d.ResponseStatus != test.code || !strings.Contains(d.Error, test.error) || len(d.Response) > 1024*3 {
				t.Errorf("have %s %d %q, want %s %d %q", d.Status, d.ResponseStatus, d.Error, test.status, test.code, test.error)
			}
			if test.after == 0 {
				return
			}
			if have := list[1].ReadyAt.Sub(d.EndedAt); have < test.after || have > test.after+test.after/10 {
				t.Errorf("the next try is due after %s, want %s", have, test.after)
			}
		})
	}
	if n := len(elsewhere.all()); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
	if n := sent.Load(); n > 50<<20 {
		t.Errorf("%d MB of an answer were taken", n>>20)
	}
}

// hijack answers in its own way and closes the connection.
func hijack(w http.ResponseWriter, answer func(net.Conn)) {
	conn, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	defer conn.Close()
	_, _ = buffer.Reader.Discard(min(buffer.Reader.Buffered(), bufio.MaxScanTokenSize))
	answer(conn)
}

// TestGone: 410 disables an endpoint, which says why; what is in line is given
// up, and enabling it forgives.
func TestGone(t *testing.T) {
	onBoth(t, func(r *rig) {
		v := newReceiver(r, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
		w, _ := r.endpoint(v.URL)
		r.run(r.hooks)
		r.publish()
		if d := r.ended(w.ID, 1)[0]; d.Status != octavo.DeliveryAbandoned || d.ResponseStatus != 410 {
			r.Errorf("have %s %d, want abandoned 410", d.Status, d.ResponseStatus)
		}
		have, err := r.hooks.Hooks.Get(r.Context(), w.ID)
		if r.noError(err, "read"); !have.Disabled || !strings.Contains(have.Reason, "410") {
			r.Errorf("have %+v, want it disabled for 410", have)
		}
		if err := r.hooks.Redeliver(r.Context(), sqldb.Cause{}, w.ID, r.log(w.ID)[0].ID); err == nil {
			r.Error("a disabled endpoint is sent something again")
		}
		v.behave(nil)
		enabled := false
		have, err = r.hooks.Patch(r.Context(), sqldb.Cause{}, w.ID, octavo.WebhookPatch{Disabled: &enabled})
		if r.noError(err, "enable"); have.Disabled || have.Reason != "" {
			r.Errorf("have %+v, want it enabled", have)
		}
		r.publish()
		if d := r.ended(w.ID, 2)[1]; d.Status != octavo.DeliverySucceeded {
			r.Errorf("have %+v, want it sent", d)
		}
	})
}

// TestFiveDaysOfFailure disable an endpoint; a single success starts anew.
func TestFiveDaysOfFailure(t *testing.T) {
	onBoth(t, func(r *rig) {
		fails := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) }
		v := newReceiver(r, fails)
		w, _ := r.endpoint(v.URL)
		r.run(r.hooks)
		days := 0
		day := func(failing, disabled bool) {
			r.publish()
			days++
			eventually(r, func() bool {
				have, err := r.hooks.Hooks.Get(r.Context(), w.ID)
				r.noError(err, "read")
				events := map[octavo.ID]bool{}
				for _, d := range r.log(w.ID) {
					if d.EndedAt.IsZero() && !d.ReadyAt.After(r.clock.now()) || d.Lease != 0 {
						return false // the clock is not moved while a try is due or under way
					}
					events[d.EventID] = true
				}
				return len(events) == days && have.Disabled == disabled && have.FailingSince.IsZero() != failing
			}, func() any { return r.log(w.ID) })
		}
		day(true, false)
		r.clock.move(4 * 24 * time.Hour)
		day(true, false)
		v.behave(nil)
		r.clock.move(2 * 24 * time.Hour)
		day(false, false)
		v.behave(fails)
		day(true, false)
		r.clock.move(5*24*time.Hour + time.Second)
		day(true, true)
		have, err := r.hooks.Hooks.Get(r.Context(), w.ID)
		if r.noError(err, "read"); !strings.Contains(have.Reason, "5 days") {
			r.Errorf("have reason %q, want one that tells of 5 days", have.Reason)
		}
	})
}

// TestPrivateDestinations are refused when they are dialled, as a failed try.
func TestPrivateDestinations(t *testing.T) {
	r := newRig(t, optionsSQLite())
	v := newReceiver(t, nil)
	w, _ := r.endpoint(v.URL)
	r.run(r.service(egress.Options{Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}))
	r.publish()
	d := r.ended(w.ID, 1)[0]
	if d.Status != octavo.DeliveryFailed || !strings.Contains(d.Error, "--allow-private-destinations") || len(v.all()) != 0 {
		t.Errorf("have %s %q, %d requests; want a refusal", d.Status, d.Error, len(v.all()))
	}
}
