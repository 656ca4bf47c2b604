package faulttest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/octavo-docs/octavo"
)

// While PostgreSQL is down, requests get retryable errors. When it is back the same
// process continues; nothing is lost or done twice.
func TestPostgresStopsAndStarts(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	in := onDatabase(t, c.url)
	s := in.serve(t, withoutMemory...)
	f := &figures{t: t}
	list := newWriters(newAPI(t, s.url, in.token(t)), 5, writers, f)
	rng := chance(1<<16 - 2)
	before := s.warm(t, list)
	persistently(t, list, func() {
		for n := range *outages {
			target := f.answered.Load() + 50 + rng.Int64N(200)
			until(t, "wait for writes", func() error { return reached(f, target) })
			c.stop(t, []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT}[n%2])
			until(t, "wait until it is missed", func() error { return allPending(f, list) })
			absent(t, s, list[0].api)
			c.start(t)
			until(t, "wait until it is found again", func() error { return ready(t, s, isReady) })
		}
		target := f.answered.Load() + 100
		until(t, "wait for writes", func() error { return reached(f, target) })
	})
	verify(t.Context(), f, list)
	in.doctor(t)
	until(t, "wait until the outages are forgotten", func() error { return s.flat(t, before) })
	s.stop(t)
	t.Logf("%d outages, %s", *outages, f)
}

// A connection to PostgreSQL may be cut anywhere, also within a commit.
func TestPostgresConnectionsCut(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	p := newProxy(t, c.address, chance(1<<16-3))
	in := onDatabase(t, c.url)
	token := in.token(t)
	proxied := &installation{slices.Clone(in.storage), in.command} // with the same folder of files
	proxied.storage[1] = strings.Replace(c.url, c.address, p.address, 1)
	s := proxied.serve(t, withoutMemory...)
	f := &figures{t: t}
	list := newWriters(newAPI(t, s.url, token), 6, writers, f)
	before := s.warm(t, list)
	persistently(t, list, func() {
		p.cut(*cuts)
		until(t, "wait for the cuts", p.spent)
		p.hold(func() {
			until(t, "wait until it is missed", func() error { return ready(t, s, notReady) })
			if res, err := list[0].api.do(t.Context(), call{method: http.MethodGet, path: "/health"}); err != nil || res.status != http.StatusOK {
				t.Errorf("GET /health while the database is slow: %s, %v", res, err)
			}
		})
		target := f.answered.Load() + 100
		until(t, "wait for writes", func() error { return reached(f, target) })
	})
	verify(t.Context(), f, list)
	in.doctor(t)
	until(t, "wait until the cuts are forgotten", func() error { return s.flat(t, before) })
	s.stop(t)
	t.Logf("%d connections cut, %s", *cuts, f)
}

// persistently runs all writers during fault; each settles operations without a response.
func persistently(t *testing.T, list []*writer, fault func()) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	for _, w := range list {
		group.Go(func() {
			for ctx.Err() == nil && !t.Failed() {
				if w.work(t.Context()) == nil {
					continue
				}
				if err := w.settle(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	fault()
}

// absent shows how requests are answered without the database.
func absent(t *testing.T, s *server, a *api) {
	t.Helper()
	for _, c := range []call{
		{method: http.MethodGet, path: "/pages"},
		{method: http.MethodGet, path: "/pages/by-slug/w0-000001"},
		{method: http.MethodPost, path: "/pages", key: "absent", body: state{slug: "absent", title: "Absent", status: octavo.Draft}.body()},
		{method: http.MethodPost, path: "/pages/bulk", body: object{"operations": []object{}}},
		{method: http.MethodDelete, path: "/pages/page_01m7z6atd4eqjv4zzzkxcbpa2x"},
	} {
		res, err := a.do(t.Context(), c)
		if err == nil {
			err = res.refusal(octavo.Unavailable)
		}
		if err != nil {
			t.Errorf("%s without a database: %v", c, err)
		}
	}
	if err := ready(t, s, notReady); err != nil {
		t.Error(err)
	}
	res, err := a.do(t.Context(), call{method: http.MethodGet, path: "/health"})
	if err != nil || res.status != http.StatusOK {
		t.Errorf("GET /health without a database: %s, %v", res, err)
	}
}

// ready reads /readyz.
func ready(t testing.TB, s *server, want string) error {
	have, err := s.operation(t, "/readyz")
	if err == nil && !strings.HasPrefix(have, want) {
		err = fmt.Errorf("/readyz: have %q, want %q", have, want)
	}
	return err
}

// Responses of /readyz.
const (
	isReady  = "ok"
	notReady = "the store does not answer"
)
