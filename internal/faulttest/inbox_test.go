package faulttest

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/octavo-docs/octavo"
)

// inbox receives events. Each path is a separate receiver.
type inbox struct {
	*httptest.Server
	mu      sync.Mutex
	secrets map[string]string // of the endpoints, by path; other paths take callbacks
	keys    jose.JSONWebKeySet
	taken   []arrival
	again   []arrival
	numbers map[arrivalKey]int // the place of each in taken
	lenient bool               // about signatures, since clocks are wrong
	faults  []error
}

// arrival is a complete request.
type arrival struct {
	arrivalKey
	at time.Time
}

// arrivalKey identifies an expected delivery.
type arrivalKey struct {
	path  string
	event octavo.ID
}

func newInbox(t testing.TB) *inbox {
	b := &inbox{secrets: map[string]string{}, numbers: map[arrivalKey]int{}}
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

func (b *inbox) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil { // cut off by a kill
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var event octavo.Event
	err = json.Unmarshal(body, &event)
	b.mu.Lock()
	defer b.mu.Unlock()
	if err == nil && !b.lenient {
		err = b.genuine(r, body)
	}
	if err != nil || string(event.ID) != r.Header.Get("Webhook-Id") {
		b.faults = append(b.faults, fmt.Errorf("%s got %s %s: %w", r.URL.Path, r.Header.Get("Webhook-Id"), body, err))
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	a := arrival{arrivalKey{r.URL.Path, event.ID}, time.Now()}
	if _, known := b.numbers[a.arrivalKey]; known {
		b.again = append(b.again, a)
	} else {
		b.numbers[a.arrivalKey] = len(b.taken)
		b.taken = append(b.taken, a)
	}
	w.WriteHeader(http.StatusNoContent)
}

// genuine returns nil for a correctly signed request.
func (b *inbox) genuine(r *http.Request, body []byte) error {
	if secret, endpoint := b.secrets[r.URL.Path]; endpoint {
		v, err := standardwebhooks.NewWebhook(secret)
		if err != nil {
			return err
		}
		return v.Verify(body, r.Header)
	}
	text, named := strings.CutPrefix(r.Header.Get("Webhook-Signature"), "v1a,")
	signature, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !named {
		return fmt.Errorf("no signature of a callback: %w", err)
	}
	signed := fmt.Appendf(nil, "%s.%s.%s", r.Header.Get("Webhook-Id"), r.Header.Get("Webhook-Timestamp"), body)
	for _, key := range b.keys.Keys {
		if public, ok := key.Key.(ed25519.PublicKey); ok && ed25519.Verify(public, signed, signature) {
			return nil
		}
	}
	return errors.New("no key of the server has signed it")
}

// count returns the number of different requests.
func (b *inbox) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.taken)
}

// want has the expected deliveries of one path, in order of the feed.
type want struct {
	path   string
	events []octavo.ID
	pages  []octavo.ID // of the events
}

// judge compares actual and expected deliveries. No sending process may be running. kills
// are the times of kills.
func (b *inbox) judge(t testing.TB, wanted []want, kills []time.Time) {
	t.Helper()
	b.compare(t, wanted)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.again {
		first := b.taken[b.numbers[a.arrivalKey]].at
		if !nearKill(first, kills) {
			t.Errorf("%s got event %s again after %s, and nothing was killed when it came first", a.path, a.event, a.at.Sub(first))
		}
	}
}

// compare is judge except for repeated events. The first delivery of each event must
// precede that of the next event of its page. Nothing else is promised about order: the
// next is sent when the previous one has arrived, and any event may be repeated at any
// time, since its response may be lost. A receiver that ignores known ids has them in
// order. So a repeated event behind a later one is no fault; late counts it.
func (b *inbox) compare(t testing.TB, wanted []want) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, err := range b.faults {
		t.Errorf("%v", err)
	}
	due := map[arrivalKey]bool{}
	for _, w := range wanted {
		last := map[octavo.ID]int{}
		for i, event := range w.events {
			key := arrivalKey{w.path, event}
			due[key] = true
			number, arrived := b.numbers[key]
			if before, any := last[w.pages[i]]; !arrived || any && number < before {
				t.Errorf("%s: event %s of page %s: arrived %v, as number %d behind %d", w.path, event, w.pages[i], arrived, number, before)
			}
			last[w.pages[i]] = number
		}
	}
	for _, a := range b.taken {
		if !due[a.arrivalKey] {
			t.Errorf("%s got event %s, which the feed does not have for it", a.path, a.event)
		}
	}
}

// late counts repeated events behind a later event of their page.
func (b *inbox) late(wanted []want) (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range wanted {
		for _, a := range b.again {
			i := slices.Index(w.events, a.event)
			if a.path != w.path || i < 0 {
				continue
			}
			for later := i + 1; later < len(w.events); later++ {
				number, arrived := b.numbers[arrivalKey{w.path, w.events[later]}]
				if w.pages[later] == w.pages[i] && arrived && b.taken[number].at.Before(a.at) {
					n++
					break
				}
			}
		}
	}
	return n
}

// crashSpan is the maximum time between a crash and an event that is repeated because of
// it.
const crashSpan = 4 * time.Second

func nearKill(at time.Time, kills []time.Time) bool {
	for _, kill := range kills {
		if kill.Sub(at).Abs() < crashSpan {
			return true
		}
	}
	return false
}

// A receiver detects wrong deliveries.
func TestInboxBites(t *testing.T) {
	t.Parallel()
	began := time.Now()
	fill := func(events ...arrival) *inbox {
		b := &inbox{numbers: map[arrivalKey]int{}}
		for _, a := range events {
			if _, known := b.numbers[a.arrivalKey]; known {
				b.again = append(b.again, a)
				continue
			}
			b.numbers[a.arrivalKey] = len(b.taken)
			b.taken = append(b.taken, a)
		}
		return b
	}
	at := func(event octavo.ID, after time.Duration) arrival {
		return arrival{arrivalKey{"/a", event}, began.Add(after)}
	}
	wanted := []want{{"/a", []octavo.ID{"1", "2", "3"}, []octavo.ID{"p", "q", "p"}}}
	for _, c := range []struct {
		name  string
		b     *inbox
		kills []time.Time
		fails bool
	}{
		{"as it should be", fill(at("2", 0), at("1", 0), at("3", 0)), nil, false},
		{"one is missing", fill(at("1", 0), at("3", 0)), nil, true},
		{"the order of a page", fill(at("3", 0), at("1", 0), at("2", 0)), nil, true},
		{"one too many", fill(at("1", 0), at("2", 0), at("3", 0), at("4", 0)), nil, true},
		{"again", fill(at("1", 0), at("2", 0), at("3", 0), at("3", time.Second)), nil, true},
		{"again because of a crash", fill(at("1", 0), at("2", 0), at("3", 0), at("3", time.Second)), []time.Time{began}, false},
		{"again long before a crash", fill(at("1", 0), at("2", 0), at("3", 0), at("3", time.Second)), []time.Time{began.Add(time.Minute)}, true},
	} {
		said := &complaints{TB: t}
		c.b.judge(said, wanted, c.kills)
		if (len(said.list) > 0) != c.fails {
			t.Errorf("%s: have the complaints %q, want some: %v", c.name, said.list, c.fails)
		}
	}
}
