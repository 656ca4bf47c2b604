package faulttest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// Numbers of clients of each kind during the faults.
const (
	chaosWriters = 3
	chaosMixers  = 3
	chaosHistory = 120 // operations on a page of the mixers; more take long to check after many faults
)

// chaosPath is the path of their webhook.
const chaosPath = "/chaos"

// Three processes on one database and one bucket keep every promise under faults:
// processes are killed, the database and the bucket stop, connections are cut, a disk is
// full, clocks are wrong.
func TestChaos(t *testing.T) {
	t.Parallel()
	c := newChaos(t)
	t.Cleanup(func() { c.report.tell(t) })
	route := newRouter(t, c.nodes, c.report)
	client := func(token string) *api {
		return &api{"http://octavo.test", token, &http.Client{Transport: route, Timeout: limit}}
	}
	editor := client(c.nodes[0].in.token(t))
	admin := client(c.credential(t, "tokens", "issue", "--scopes", "admin", "--ttl", "240h"))
	reader := client(c.credential(t, "tokens", "issue", "--scopes", "pages:read", "--published-only", "--ttl", "240h"))

	b := newInbox(t)
	b.lenient = true
	hook := call{method: http.MethodPost, path: "/webhooks", body: object{"url": b.URL + chaosPath, "types": chaosPageTypes()}}
	if res, err := admin.do(t.Context(), hook); err != nil || res.status != http.StatusCreated {
		t.Fatalf("make a webhook: %s, %v", res, err)
	}
	pages := newExpected()
	for i := range 5 {
		body := object{"title": fmt.Sprint("Exported ", i), "slug": fmt.Sprint("exported-", i), "content": "# Some\n\nText.", "status": "published", "frontmatter": object{"tags": []string{"exported"}}}
		if _, err := pages.fixed(t.Context(), editor, body); err != nil {
			t.Fatal(err)
		}
	}

	f := &figures{t: t, foreign: func(p octavo.Page) bool { return !strings.HasPrefix(p.Slug, "w") }}
	list := newWriters(editor, 22, chaosWriters, f)
	for _, w := range list {
		w.told = pages.learn
	}
	mixers := c.mixers(editor)
	u := newUploader(t, editor, chance(23<<16))
	x := &exporter{api: editor, t: t, accepted: map[octavo.ID]octavo.ExportFormat{}}
	s := &searcher{writer: editor, reader: reader, t: t, judged: &c.report.searched, events: pages}
	s.prepare(t.Context())

	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	for _, each := range []struct {
		work func(context.Context)
		rest time.Duration
	}{{u.work, 50 * time.Millisecond}, {x.work, 300 * time.Millisecond}, {s.work, 20 * time.Millisecond}} {
		group.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				each.work(ctx)
				rest(ctx, each.rest)
			}
		})
	}
	for _, m := range mixers {
		group.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				m.work()
			}
		})
	}
	persistently(t, list, func() { c.breakFor(f, *chaosTime) })
	stop()
	group.Wait()
	if t.Failed() {
		return
	}

	c.pass(0)
	verify(t.Context(), f, list)
	c.report.held("writes: %s", f)
	c.uploaded(u)
	c.exported(x)
	history := histories(mixers)
	feed := readFeed(t, admin, chaosTypes())
	c.told(feed, pages, mixers, history, u, x)
	c.arrived(feed, b)
	c.found(editor, list, pages.former)
	c.sound()
}

// breakFor applies faults for a duration, each at least once, and checks that the
// installation continues.
func (c *chaos) breakFor(f *figures, d time.Duration) {
	all := faults()
	end := time.Now().Add(d)
	for done := 0; (done < len(all) || time.Now().Before(end)) && !c.t.Failed(); done++ {
		if done%len(all) == 0 {
			c.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}
		begun := time.Now()
		all[done%len(all)](c)
		mended := time.Now()
		target := f.answered.Load() + c.rng.Int64N(30)
		until(c.t, "wait for writes", func() error { return reached(f, target) })
		c.report.mended(mended.Sub(begun), time.Since(mended))
	}
	c.report.fault("nothing is broken any more")
}

// mixers are clients that share pages.
func (c *chaos) mixers(a *api) []*mixer {
	shared := &pool{history: chaosHistory}
	list := make([]*mixer, chaosMixers)
	for i := range list {
		list[i] = &mixer{api: a, t: c.t, number: i, rng: chance(24<<16 + uint64(i)), start: c.report.begun, pool: shared, known: map[octavo.ID]int64{}}
		list[i].lost = func(res answer, err error) {
			if err == nil {
				if wrong := res.refusal(octavo.Unavailable); wrong != nil {
					c.t.Errorf("a page: %v", wrong)
				}
			}
			// Until there is an answer again nothing else becomes unknown.
			ctx, cancel := context.WithTimeout(c.t.Context(), limit)
			defer cancel()
			if _, err := persist(ctx, a, call{method: http.MethodGet, path: "/pages?limit=1"}); err != nil {
				c.t.Errorf("wait for an answer: %v", err)
			}
		}
	}
	return list
}

// rest limits the rate of a client.
func rest(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// credential runs a command that prints one.
func (c *chaos) credential(t testing.TB, args ...string) string {
	t.Helper()
	out, err := c.nodes[0].in.octavo(args...).Output()
	if err != nil {
		t.Fatalf("octavo %v: %v", args, err)
	}
	return strings.TrimSpace(string(out))
}
