package faulttest

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Number of writers in each round, and their maximum number of operations before the kill.
const (
	writers = 8
	perKill = 300
)

// A killed server has kept every answered write, and has carried out the others completely
// or not at all.
func TestKilled(t *testing.T) {
	for name, install := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := install(t)
			a := newAPI(t, "", in.token(t))
			f := &figures{t: t}
			list := newWriters(a, 1, writers, f)
			moments := chance(1<<16 - 1)
			s := in.serve(t)
			for round := 0; round < *rounds && !t.Failed(); round++ {
				a.url = s.url
				target := f.answered.Load() + 1 + moments.Int64N(perKill)
				moment := time.Duration(moments.Int64N(int64(4 * time.Millisecond)))
				workUntil(t, list, func() {
					until(t, "wait for writes", func() error { return reached(f, target) })
					<-time.After(moment) // anywhere within an operation
					s.kill()
				})
				in.rest(t)
				s = in.serve(t)
				a.url = s.url
				for _, w := range list {
					if err := w.settle(t.Context()); err != nil {
						t.Error(err)
					}
				}
				verify(t.Context(), f, list)
				in.doctor(t)
			}
			s.stop(t)
			t.Logf("%s: %d rounds, %s", name, *rounds, f)
		})
	}
}

// workUntil runs all writers during fault, each until an operation gets no response.
func workUntil(t *testing.T, list []*writer, fault func()) {
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var group sync.WaitGroup
	defer group.Wait()
	for _, w := range list {
		group.Go(func() {
			for w.work(ctx) == nil {
			}
		})
	}
	fault()
}

// errNotYet is returned by a condition that is not true yet.
type errNotYet string

func (e errNotYet) Error() string { return string(e) }

func reached(f *figures, target int64) error {
	if f.answered.Load() < target {
		return errNotYet("too few operations were answered")
	}
	return nil
}

// rest waits until PostgreSQL has finished statements of a killed server, which it still
// commits.
func (i *installation) rest(t *testing.T) {
	url := i.storage[1]
	if !strings.HasPrefix(url, "postgres:") {
		return
	}
	c, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(t.Context())
	until(t, "wait for the connections of the killed server to end", func() error {
		var n int
		err := c.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`).Scan(&n)
		if err == nil && n > 0 {
			err = errNotYet("connections are open")
		}
		return err
	})
}
