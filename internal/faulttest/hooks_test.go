package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// inbox takes events that arrive whole.
type inbox struct {
	mu    sync.Mutex
	taken []octavo.ID // in order of arrival, each once
	known map[octavo.ID]bool
	again int
}

// ServeHTTP implements http.Handler.
func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var event octavo.Event
	if err != nil || json.Unmarshal(body, &event) != nil || string(event.ID) != r.Header.Get("Webhook-Id") {
		w.WriteHeader(http.StatusBadRequest) // cut off by a kill
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.known[event.ID] {
		b.again++
	} else {
		b.known[event.ID], b.taken = true, append(b.taken, event.ID)
	}
	w.WriteHeader(http.StatusNoContent)
}

// numbers returns the place of each event in the order of arrival.
func (b *inbox) numbers() map[octavo.ID]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := map[octavo.ID]int{}
	for i, id := range b.taken {
		list[id] = i
	}
	return list
}

// A server that is killed while it sends tells of every event all the same, of
// those of a page in order, and of nothing that did not happen.
func TestKilledWhileSending(t *testing.T) {
	for name, install := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := install(t)
			b := &inbox{known: map[octavo.ID]bool{}}
			receiver := httptest.NewServer(b)
			t.Cleanup(receiver.Close)
			token, err := in.octavo("tokens", "issue", "--scopes", "admin", "--ttl", "24h").Output()
			if err != nil {
				t.Fatalf("issue a token: %v", err)
			}
			a := newAPI(t, "", strings.TrimSpace(string(token)))
			start := func() *server {
				s := in.serve(t, "--allow-private-destinations", "127.0.0.0/8")
				a.url = s.url
				return s
			}
			s := start()
			hook := map[string]any{"url": receiver.URL, "types": []string{"page.created", "page.published", "page.unpublished"}}
			if made, err := a.do(t.Context(), call{method: "POST", path: "/webhooks", body: hook}); err != nil || made.status != http.StatusCreated {
				t.Fatalf("create a webhook: %v %s", err, made)
			}
			moments := chance(1<<16 - 2)
			for round := 0; round < min(*rounds, 5) && !t.Failed(); round++ {
				var group sync.WaitGroup
				for w := range writers {
					group.Go(func() { publishUntilKilled(t.Context(), a, fmt.Sprintf("told-%d-%d", round, w)) })
				}
				target := len(b.numbers()) + 50
				until(t, "wait for events", func() error {
					if len(b.numbers()) < target {
						return errNotYet("too few events have arrived")
					}
					return nil
				})
				<-time.After(time.Duration(moments.Int64N(int64(4 * time.Millisecond)))) // anywhere within a delivery
				s.kill()
				group.Wait()
				in.rest(t)
				s = start()
			}
			checkInbox(t, a, b)
			in.doctor(t)
			s.stop(t)
			t.Logf("%s: %d events, %d of them again", name, len(b.numbers()), b.again)
		})
	}
}

// publishUntilKilled makes a page and publishes and withdraws it until there is
// no answer.
func publishUntilKilled(ctx context.Context, a *api, slug string) {
	made, err := a.do(ctx, call{method: "POST", path: "/pages", body: map[string]any{"title": "Told", "slug": slug, "content": "x"}})
	var page struct{ ID string }
	if err != nil || json.Unmarshal(made.body, &page) != nil {
		return
	}
	for i := 0; err == nil; i++ {
		status := []string{"published", "draft"}[i%2]
		_, err = a.do(ctx, call{method: "PATCH", path: "/pages/" + page.ID, body: map[string]any{"status": status}})
	}
}

// checkInbox waits until every event of the feed has arrived and compares the
// order.
func checkInbox(t *testing.T, a *api, b *inbox) {
	feed := readFeed(t, a, "page.created,page.published,page.unpublished")
	until(t, "wait for the rest of the events", func() error {
		if have := len(b.numbers()); have < len(feed) {
			return errNotYet(fmt.Sprintf("%d of %d events have arrived", have, len(feed)))
		}
		return nil
	})
	compareInbox(t, feed, b)
}

// readFeed reads all events of some types.
func readFeed(t testing.TB, a *api, types string) (feed []octavo.Event) {
	t.Helper()
	for after := ""; ; {
		answer, err := a.do(t.Context(), call{method: "GET", path: "/events?limit=100&types=" + types + after})
		var list struct {
			Data []octavo.Event
			Next string
		}
		if err == nil {
			err = json.Unmarshal(answer.body, &list)
		}
		if err != nil {
			t.Fatalf("read the feed: %v %s", err, answer)
		}
		if len(list.Data) == 0 {
			return feed
		}
		feed, after = append(feed, list.Data...), "&after="+list.Next
	}
}

// compareInbox compares what has arrived with the feed, and its order by page.
func compareInbox(t testing.TB, feed []octavo.Event, b *inbox) {
	t.Helper()
	numbers := b.numbers()
	if len(numbers) != len(feed) {
		t.Errorf("%d events have arrived, of %d", len(numbers), len(feed))
	}
	last := map[octavo.ID]int{}
	for _, event := range feed {
		page := subject(t, event)
		number, arrived := numbers[event.ID]
		if before, any := last[page]; !arrived || any && number < before {
			t.Errorf("event %s of page %s: arrived %v, as number %d behind %d", event.ID, page, arrived, number, before)
		}
		last[page] = number
	}
}

// subject returns the page that an event is about.
func subject(t testing.TB, event octavo.Event) octavo.ID {
	t.Helper()
	var about struct{ ID octavo.ID }
	if err := json.Unmarshal(event.Data, &about); err != nil {
		t.Fatal(err)
	}
	return about.ID
}
