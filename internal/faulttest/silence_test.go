package faulttest

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// A database accepts data but never responds, as if its processes were stopped or its
// network dropped packets. Reads fail within seconds, even if there are more readers than
// connections. Once it responds again the same process continues.
func TestPostgresSilent(t *testing.T) {
	t.Parallel()
	const within, readers = 10 * time.Second, 40 // the bound is 5 seconds
	c := newCluster(t)
	p := newProxy(t, c.address, chance(1<<16-4))
	in := onDatabase(t, "postgres://octavo@"+p.address+"/postgres?sslmode=disable")
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	calls := []call{
		{method: http.MethodGet, path: "/pages"},
		{method: http.MethodGet, path: "/pages?sort=title&updatedAfter=2026-01-01T00:00:00Z"},
		{method: http.MethodGet, path: "/pages/by-slug/any"},
		{method: http.MethodGet, path: "/pages/page_01m7z6atd4eqjv4zzzkxcbpa2x"},
		{method: http.MethodGet, path: "/pages/page_01m7z6atd4eqjv4zzzkxcbpa2x/revisions"},
	}
	for _, c := range calls[:2] {
		if res, err := a.do(t.Context(), c); err != nil || res.status != http.StatusOK {
			t.Fatalf("%s: %s, %v", c, res, err)
		}
	}
	p.hold(func() {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		var group sync.WaitGroup
		defer group.Wait()
		for i := range readers {
			c := calls[i%len(calls)]
			group.Go(func() {
				res, err := a.do(ctx, c)
				if err == nil {
					err = res.refusal(octavo.Unavailable)
				}
				if err != nil {
					t.Errorf("%s while the database is silent: %v", c, err)
				}
			})
		}
	})
	until(t, "wait until pages are read again", func() error {
		res, err := a.do(t.Context(), calls[0])
		if err == nil && res.status != http.StatusOK {
			err = errors.New(res.String())
		}
		return err
	})
	s.stop(t)
}
