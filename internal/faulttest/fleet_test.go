package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// fleet is a group of servers on the same data, any of which may be killed, with a client
// that tries one after another.
type fleet struct {
	t       testing.TB
	api     *api
	places  []*installation
	servers []*server
	flags   []string
	kills   []time.Time

	mu   sync.Mutex
	urls []string
}

// newFleet starts a server on each installation.
func newFleet(t testing.TB, places []*installation, token string, flags ...string) *fleet {
	f := &fleet{t: t, places: places, flags: flags, api: newAPI(t, "", token)}
	f.servers, f.urls = make([]*server, len(places)), make([]string, len(places))
	for i := range places {
		f.start(i)
	}
	return f
}

func (f *fleet) start(i int) {
	f.t.Helper()
	f.servers[i] = f.places[i].serve(f.t, f.flags...)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.urls[i] = f.servers[i].url
}

// kill kills the servers at once and starts them again.
func (f *fleet) kill(which ...int) {
	f.t.Helper()
	var group sync.WaitGroup
	for _, i := range which {
		group.Go(f.servers[i].kill)
	}
	group.Wait()
	f.kills = append(f.kills, time.Now())
	for _, i := range which {
		f.start(i)
	}
}

// some returns a client of one of the servers.
func (f *fleet) some() *api {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := *f.api
	a.url = f.urls[rand.IntN(len(f.urls))] //nolint:gosec // any will do
	return &a
}

// do repeats a request until its response is final. The request must be idempotent.
func (f *fleet) do(ctx context.Context, c call, want ...int) (a answer, err error) {
	err = retry(ctx, func() (err error) {
		if a, err = f.some().do(ctx, c); err != nil {
			return err
		}
		if a.status >= 500 || a.status == http.StatusConflict && a.header.Get("Retry-After") != "" {
			return fmt.Errorf("have %s", a)
		}
		return nil
	})
	if err == nil && !slices.Contains(want, a.status) {
		err = fmt.Errorf("have %s, want %v", a, want)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", c, err)
	}
	return a, err
}

// story has the expected types of a page's events, in order.
type story struct {
	types    []octavo.EventType
	callback string // path that its first publication is told to; may be empty
}

// teller is a client that causes events. Only it changes its pages, and it repeats
// requests without a response, so it knows the expected events.
type teller struct {
	fleet   *fleet
	name    string
	receive string // address of the receiver of callbacks
	rng     *rand.Rand
	made    int
	stories map[octavo.ID]*story
	shown   map[octavo.ID]bool // pages that it publishes and withdraws
	planned int
}

// newTellers returns n tellers with the random source of that part of the test.
func newTellers(f *fleet, part uint64, n int, receive string) []*teller {
	list := make([]*teller, n)
	for i := range list {
		list[i] = &teller{
			fleet: f, name: fmt.Sprintf("t%d", i), receive: receive, rng: chance(part<<16 + uint64(i)),
			stories: map[octavo.ID]*story{}, shown: map[octavo.ID]bool{},
		}
	}
	return list
}

// work causes events until stop is closed.
func (w *teller) work(ctx context.Context, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		var err error
		switch n := w.rng.IntN(100); {
		case len(w.shown) < 3:
			_, err = w.create(ctx, octavo.Draft, "")
		case n < 15:
			err = w.callBack(ctx)
		case n < 25:
			err = w.plan(ctx)
		default:
			err = w.toggle(ctx, pick(w.rng, slices.Sorted(maps.Keys(w.shown))))
		}
		if err != nil {
			return err
		}
	}
}

// create creates a page, with a callback at that path unless it is empty.
func (w *teller) create(ctx context.Context, status octavo.PageStatus, path string) (octavo.ID, error) {
	w.made++
	slug := fmt.Sprintf("%s-%06d", w.name, w.made)
	body := object{"title": "Told", "slug": slug, "content": "x", "status": status}
	if path != "" {
		path += slug
		body["callbackUrl"] = w.receive + path
	}
	a, err := w.fleet.do(ctx, call{method: http.MethodPost, path: "/pages", body: body, key: "key-" + slug}, http.StatusCreated)
	if err != nil {
		return "", err
	}
	p, err := a.page()
	s := &story{types: []octavo.EventType{octavo.PageCreated}, callback: path}
	if status == octavo.Published {
		s.types = append(s.types, octavo.PagePublished)
	}
	w.stories[p.ID] = s
	if path == "" {
		w.shown[p.ID] = status == octavo.Published
	}
	return p.ID, err
}

// toggle publishes a draft or withdraws a page. It is idempotent.
func (w *teller) toggle(ctx context.Context, id octavo.ID) error {
	w.shown[id] = !w.shown[id]
	status, kind := octavo.Published, octavo.PagePublished
	if !w.shown[id] {
		status, kind = octavo.Draft, octavo.PageUnpublished
	}
	_, err := w.fleet.do(ctx, call{method: http.MethodPatch, path: "/pages/" + string(id), body: object{"status": status}}, http.StatusOK)
	w.stories[id].types = append(w.stories[id].types, kind)
	return err
}

// callBack creates a page with a callback, and publishes it at once or later.
func (w *teller) callBack(ctx context.Context) error {
	const path = "/callback/"
	if w.rng.IntN(2) == 0 {
		_, err := w.create(ctx, octavo.Published, path)
		return err
	}
	id, err := w.create(ctx, octavo.Draft, path)
	if err != nil {
		return err
	}
	for range 3 { // only the first publication is told
		if err := w.toggle(ctx, id); err != nil {
			return err
		}
	}
	delete(w.shown, id)
	return nil
}

// plan creates a page that the server soon publishes and then withdraws on schedule.
func (w *teller) plan(ctx context.Context) error {
	id, err := w.create(ctx, octavo.Draft, "")
	if err != nil {
		return err
	}
	delete(w.shown, id)
	publish := time.Now().Add(time.Duration(w.rng.IntN(1500)) * time.Millisecond).UTC()
	body := object{"publishAt": publish}
	w.stories[id].types = append(w.stories[id].types, octavo.PagePublished)
	if w.rng.IntN(2) == 0 {
		body["unpublishAt"] = publish.Add(time.Duration(w.rng.IntN(1000)) * time.Millisecond)
		w.stories[id].types = append(w.stories[id].types, octavo.PageUnpublished)
	}
	w.planned++
	// The condition holds until the plan is there: made a second time it would
	// be carried out a second time.
	_, err = w.fleet.do(ctx, call{method: http.MethodPatch, path: "/pages/" + string(id), body: body, match: tag(id, 1)}, http.StatusOK, http.StatusPreconditionFailed)
	return err
}

// told are the event types that tellers cause.
func told() []octavo.EventType {
	return []octavo.EventType{octavo.PageCreated, octavo.PagePublished, octavo.PageUnpublished}
}

// feed reads all events of the types that tellers cause.
func (f *fleet) feed(ctx context.Context) (list []octavo.Event, err error) {
	for after := ""; ; {
		a, err := f.do(ctx, call{method: http.MethodGet, path: "/events?limit=100&types=page.created,page.published,page.unpublished" + after}, http.StatusOK)
		var slice struct {
			Data []octavo.Event
			Next string
		}
		if err == nil {
			err = json.Unmarshal(a.body, &slice)
		}
		if err != nil || len(slice.Data) == 0 {
			return list, err
		}
		list, after = append(list, slice.Data...), "&after="+slice.Next
	}
}
