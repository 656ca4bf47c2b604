package webhooks_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// patience bounds every wait of these tests.
const patience = 30 * time.Second

// clock only advances when it is moved.
type clock struct {
	mu   sync.Mutex
	t    time.Time
	live bool // it is that of the machine
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live {
		return time.Now()
	}
	return c.t
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// rig is a store with a service that sends.
type rig struct {
	testing.TB
	server *octavotest.Server
	clock  *clock
	hooks  *webhooks.Service
	slugs  int
}

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(r *rig)) {
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(newRig(t, octavotest.Options{})) })
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(newRig(t, octavotest.Options{PostgresURL: octavotest.Postgres(t)}))
	})
}

func newRig(t testing.TB, o octavotest.Options) *rig {
	t.Helper()
	r := &rig{TB: t, clock: &clock{t: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}}
	o.Now = r.clock.now
	r.server = octavotest.Start(t, o)
	r.hooks = r.service(egress.Options{})
	return r
}

// service returns another service on the same store, which may connect to this
// machine unless the options say where to. It gives up a try after a second.
func (r *rig) service(o egress.Options) *webhooks.Service {
	r.Helper()
	if o.Allow == nil {
		o.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	}
	o.Resolver, o.Idle, o.IdlePerHost = net.DefaultResolver, 1000, 512
	s, err := webhooks.New(r.Context(), webhooks.Options{
		Hooks: r.server.Store.Hooks, Changes: r.server.Store.Log, Secrets: r.server.Store.Accounts.Secrets, Vault: r.server.Vault, IDs: octavo.NewIDSource(r.clock.now, rand.Reader), Client: egress.New(o),
		Now: r.clock.now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler), Agent: "Octavo/test", Timeout: time.Second,
	})
	r.noError(err, "make a service")
	r.Cleanup(s.Client.CloseIdleConnections)
	return s
}

// second returns a service with a store of its own on the same database, as
// another process has.
func (r *rig) second() *webhooks.Service {
	r.Helper()
	options := store.Options{Now: r.clock.now, IDs: octavo.NewIDSource(r.clock.now, rand.Reader)}
	st, err := r.server.OpenAgain(r.Context(), options)
	r.noError(err, "open the database again")
	r.Cleanup(func() { r.noError(st.Close(), "close the second store") })
	first := r.server.Store
	r.server.Store = st
	defer func() { r.server.Store = first }()
	return r.service(egress.Options{})
}

// run has a service send until stop is called, or the test ends.
func (r *rig) run(s *webhooks.Service) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() { s.Run(ctx) })
	stop = func() { cancel(); group.Wait() }
	r.Cleanup(stop)
	return stop
}

func (r *rig) noError(err error, doing string) {
	r.Helper()
	if err != nil {
		r.Fatalf("%s: %v", doing, err)
	}
}

// endpoint registers an address for the types, or the usual ones.
func (r *rig) endpoint(address string, types ...octavo.EventType) (hookstore.Webhook, string) {
	r.Helper()
	if types == nil {
		types = octavo.DefaultEventTypes()
	}
	w, secret, err := r.hooks.Create(r.Context(), sqldb.Cause{}, octavo.WebhookCreate{URL: address, Types: types})
	r.noError(err, "create a webhook")
	return w, secret
}

// publish makes a published page, which is one event of the usual types.
func (r *rig) publish() octavo.Page {
	r.Helper()
	return r.create(octavo.PageCreate{Status: octavo.Published}, sqldb.Cause{})
}

func (r *rig) create(in octavo.PageCreate, cause sqldb.Cause) (p octavo.Page) {
	r.Helper()
	r.slugs++
	in.Title, in.Slug, in.Content = "Title", fmt.Sprint("page-", r.slugs), "Content"
	err := r.server.Store.DB.Write(r.Context(), cause, func(tx *sqldb.Tx) (err error) {
		p, err = r.server.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: in})
		return err
	})
	r.noError(err, "create a page")
	return p
}

// set gives a page a status.
func (r *rig) set(id octavo.ID, status octavo.PageStatus) {
	r.Helper()
	r.noError(r.server.Store.DB.Write(r.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := r.server.Store.Pages.Update(tx, id, pagestore.Change{Status: &status}, nil)
		return err
	}), "change a page")
}

// log returns the tries to deliver to an endpoint.
func (r *rig) log(id octavo.ID) []hookstore.LoggedDelivery {
	r.Helper()
	list, _, err := r.hooks.Deliveries(r.Context(), id, "", 1000)
	r.noError(err, "read the log")
	return list
}

// until waits until the log of an endpoint is as wanted.
func (r *rig) until(id octavo.ID, want func([]hookstore.LoggedDelivery) bool) []hookstore.LoggedDelivery {
	r.Helper()
	var list []hookstore.LoggedDelivery
	eventually(r, func() bool { list = r.log(id); return want(list) }, func() any { return list })
	return list
}

// ended waits until so many tries to an endpoint have ended.
func (r *rig) ended(id octavo.ID, n int) []hookstore.LoggedDelivery {
	r.Helper()
	return r.until(id, func(list []hookstore.LoggedDelivery) bool {
		for _, d := range list[:min(n, len(list))] {
			if d.EndedAt.IsZero() {
				return false
			}
		}
		return len(list) >= n
	})
}

// eventually waits for a condition.
func eventually(t testing.TB, holds func() bool, have func() any) {
	t.Helper()
	end := time.NewTimer(patience)
	defer end.Stop()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	for !holds() {
		select {
		case <-look.C:
		case <-end.C:
			t.Fatalf("waited in vain; have %+v", have())
		}
	}
}

// received is a request that arrived.
type received struct {
	header http.Header
	body   []byte
	proto  int
	event  octavo.Event
}

// counter is a receiver that only counts.
type counter struct {
	*httptest.Server
	n       atomic.Int64
	arrived chan time.Time // may be nil
}

func (c *counter) serve(t testing.TB) {
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		_, _ = io.Copy(io.Discard, hr.Body)
		w.WriteHeader(http.StatusNoContent)
		c.n.Add(1)
		if c.arrived != nil {
			c.arrived <- time.Now()
		}
	}))
	t.Cleanup(c.Close)
}

// receiver is a server that takes events. It answers 204 unless answer says
// otherwise.
type receiver struct {
	*httptest.Server
	mu     sync.Mutex
	got    []received
	answer http.HandlerFunc // may be nil
}

func newReceiver(t testing.TB, answer http.HandlerFunc) *receiver {
	v := &receiver{answer: answer}
	v.Server = httptest.NewServer(v)
	t.Cleanup(func() { v.CloseClientConnections(); v.Close() })
	return v
}

func (v *receiver) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	got := received{header: hr.Header, proto: hr.ProtoMajor}
	var err error
	if got.body, err = io.ReadAll(hr.Body); err == nil {
		err = json.Unmarshal(got.body, &got.event)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	v.mu.Lock()
	v.got = append(v.got, got)
	answer := v.answer
	v.mu.Unlock()
	if answer != nil {
		hr.Body = io.NopCloser(bytes.NewReader(got.body))
		answer(w, hr)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// behave changes how it answers.
func (v *receiver) behave(answer http.HandlerFunc) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.answer = answer
}

func (v *receiver) all() []received {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.got[:len(v.got):len(v.got)]
}

// wait waits until so many requests have arrived.
func (v *receiver) wait(t testing.TB, n int) []received {
	t.Helper()
	eventually(t, func() bool { return len(v.all()) >= n }, func() any { return len(v.all()) })
	return v.all()
}
