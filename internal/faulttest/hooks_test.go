package faulttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// Servers that are killed while they publish and send still deliver every event: to
// endpoints, to callbacks, and for scheduled changes. Events of a page arrive in order,
// none is invented, schedules run once, and duplicates only occur around a kill. One
// server is on SQLite, two share a PostgreSQL.
func TestKilledWhileSending(t *testing.T) {
	for name, install := range map[string]func(testing.TB) []*installation{
		"sqlite": func(t testing.TB) []*installation { return []*installation{onSQLite(t)} },
		"two on postgres": func(t testing.TB) []*installation {
			url := testenv.Postgres(t)
			in := onDatabase(t, url) // the files of both are in one place
			return []*installation{in, in}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			places := install(t)
			b := newInbox(t)
			f := newFleet(t, places, places[0].tokenFor(t, "admin"), "--allow-private-destinations", "127.0.0.0/8")
			endpoints(t, f, b)
			tellers := newTellers(f, 2, 4, b.URL)
			stop := make(chan struct{})
			var group sync.WaitGroup
			for _, w := range tellers {
				group.Go(func() {
					if err := w.work(t.Context(), stop); err != nil {
						t.Error(err)
					}
				})
			}
			moments := chance(1<<16 - 2)
			for round := 0; round < *rounds && !t.Failed(); round++ {
				waitForMore(t, b, 100)
				<-time.After(time.Duration(moments.Int64N(int64(300 * time.Millisecond)))) // anywhere
				which := []int{moments.IntN(len(places))}
				if len(places) > 1 && moments.IntN(4) == 0 {
					which = []int{0, 1}
				}
				f.kill(which...)
			}
			// From here on nothing is to come twice.
			calm := f.kills[len(f.kills)-1].Add(crashSpan)
			until(t, "wait until the last kill is over", func() error {
				if time.Now().Before(calm) {
					return errNotYet("it is not")
				}
				return nil
			})
			waitForMore(t, b, 200)
			close(stop)
			group.Wait()
			feed := compareFeed(t, f, tellers)
			wanted := wantedOf(t, feed, tellers)
			ended := awaitAll(t, places[0], b, wanted)
			for _, s := range f.servers {
				s.stop(t)
			}
			b.judge(t, wanted, append(ended, f.kills...))
			places[0].doctor(t)
			planned, callbacks := 0, len(wanted)-2
			for _, w := range tellers {
				planned += w.planned
			}
			t.Logf("%s: %d kills, %d events, %d pages planned, %d callbacks; %d requests, %d of them again",
				name, len(f.kills), len(feed), planned, callbacks, b.count()+len(b.again), len(b.again))
		})
	}
}

// endpoints registers two endpoints, one of which wants publications alone, and
// reads the keys of callbacks.
func endpoints(t *testing.T, f *fleet, b *inbox) {
	t.Helper()
	for path, types := range map[string][]octavo.EventType{"/all": told(), "/published": {octavo.PagePublished}} {
		a, err := f.do(t.Context(), call{method: http.MethodPost, path: "/webhooks", body: object{"url": b.URL + path, "types": types}}, http.StatusCreated)
		var made struct{ Secret string }
		if err == nil {
			err = json.Unmarshal(a.body, &made)
		}
		if err != nil {
			t.Fatal(err)
		}
		b.secrets[path] = made.Secret
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, f.some().url+"/.well-known/webhook-keys", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := f.api.http.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err == nil {
		err = json.Unmarshal(text, &b.keys)
	}
	if err != nil || len(b.keys.Keys) == 0 {
		t.Fatalf("read the keys of callbacks: %v %s", err, text)
	}
}

// waitForMore waits for a number of further requests.
func waitForMore(t *testing.T, b *inbox, n int) {
	t.Helper()
	target := b.count() + n
	until(t, "wait for events", func() error {
		if b.count() < target {
			return errNotYet("too few events have arrived")
		}
		return nil
	})
}

// compareFeed waits for scheduled changes, and compares the feed with the tellers'
// expectations.
func compareFeed(t *testing.T, f *fleet, tellers []*teller) (feed []octavo.Event) {
	t.Helper()
	total := 0
	for _, w := range tellers {
		for _, s := range w.stories {
			total += len(s.types)
		}
	}
	until(t, "wait for what was planned", func() (err error) {
		if feed, err = f.feed(t.Context()); err == nil && len(feed) < total {
			err = errNotYet(fmt.Sprintf("%d of %d events have happened", len(feed), total))
		}
		return err
	})
	have := map[octavo.ID][]octavo.EventType{}
	for _, e := range feed {
		id := subject(t, e)
		have[id] = append(have[id], e.Type)
	}
	for _, w := range tellers {
		for id, s := range w.stories {
			if !slices.Equal(have[id], s.types) {
				t.Errorf("the feed tells of page %s\n%v, want\n%v", id, have[id], s.types)
			}
			delete(have, id)
		}
	}
	for id, types := range have {
		t.Errorf("the feed tells of page %s, which nobody made: %v", id, types)
	}
	return feed
}

// wantedOf returns the expected deliveries for each path.
func wantedOf(t *testing.T, feed []octavo.Event, tellers []*teller) []want {
	t.Helper()
	callbacks := map[octavo.ID]string{}
	for _, w := range tellers {
		for id, s := range w.stories {
			if s.callback != "" {
				callbacks[id] = s.callback
			}
		}
	}
	list := []want{{path: "/all"}, {path: "/published"}}
	for _, e := range feed {
		page := subject(t, e)
		to := []*want{&list[0]}
		if e.Type == octavo.PagePublished {
			to = append(to, &list[1])
		}
		for _, w := range to {
			w.events, w.pages = append(w.events, e.ID), append(w.pages, page)
		}
		if path, ok := callbacks[page]; ok && e.Type == octavo.PagePublished {
			delete(callbacks, page)
			list = append(list, want{path, []octavo.ID{e.ID}, []octavo.ID{page}})
		}
	}
	return list
}

// awaitAll waits for all expected deliveries. Those claimed by a killed process are sent
// when their leases expire. Unless the test may wait for that, it ends all leases, which
// counts like a crash.
func awaitAll(t *testing.T, in *installation, b *inbox, wanted []want) (ended []time.Time) {
	t.Helper()
	total := 0
	for _, w := range wanted {
		total += len(w.events)
	}
	before, since := "", time.Now()
	until(t, "wait for the rest of the events", func() error {
		if have := b.count(); have < total {
			if now := in.leased(t); now != before {
				before, since = now, time.Now()
			} else if now != "" && time.Since(since) > time.Second && !*wait {
				in.endLeases(t)
				ended = append(ended, time.Now())
			}
			return errNotYet(fmt.Sprintf("%d of %d events have arrived", have, total))
		}
		return nil
	})
	return ended
}

// leased returns the claimed deliveries; "" on SQLite, where a process frees those of its
// predecessor.
func (i *installation) leased(t testing.TB) (list string) {
	i.query(t, func(c *pgx.Conn) error {
		return c.QueryRow(t.Context(), `SELECT COALESCE(string_agg(id || lease::text, ' ' ORDER BY id, lease), '') FROM deliveries
			WHERE ready_at IS NOT NULL AND lease <> 0`).Scan(&list)
	})
	return list
}

func (i *installation) endLeases(t testing.TB) {
	i.query(t, func(c *pgx.Conn) error {
		// Those that a server has locked are its own: waiting for them could be a
		// deadlock.
		_, err := c.Exec(t.Context(), `UPDATE deliveries SET ready_at = 0 WHERE id IN (
			SELECT id FROM deliveries WHERE ready_at IS NOT NULL AND lease <> 0 FOR UPDATE SKIP LOCKED)`)
		return err
	})
}

// query asks the PostgreSQL of an installation, if it has one.
func (i *installation) query(t testing.TB, ask func(*pgx.Conn) error) {
	t.Helper()
	url := i.storage[1]
	if !strings.HasPrefix(url, "postgres:") {
		return
	}
	c, err := pgx.Connect(t.Context(), url)
	if err == nil {
		defer c.Close(t.Context()) //nolint:errcheck // it has answered
		err = ask(c)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// subject returns the page of an event.
func subject(t testing.TB, event octavo.Event) octavo.ID {
	t.Helper()
	var about struct{ ID octavo.ID }
	if err := json.Unmarshal(event.Data, &about); err != nil {
		t.Fatal(err)
	}
	return about.ID
}
