package faulttest

import (
	"context"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// On a full disk the server refuses writes with 507 and serves reads. Once there is space,
// the same process writes again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	const size, ballast = 24 << 20, 12 << 20
	disk := testenv.SmallDisk(t, size)
	in := &installation{[]string{"--data", disk.Path}, disk.Command}
	a := newAPI(t, "", in.token(t))
	f := &figures{t: t}
	list := newWriters(a, 3, writers, f)
	for _, w := range list {
		w.refuse = func(a answer) error { return a.refusal(octavo.StorageFull) }
	}
	s := in.serve(t)
	a.url = s.url
	weight := disk.File("ballast")
	if err := os.WriteFile(weight, make([]byte, ballast), 0o600); err != nil {
		t.Fatal(err)
	}
	workUntil(t, list, func() {}) // until each is refused
	for _, w := range list {
		if w.pending == nil {
			t.Fatal("a writer ended without a refusal")
		}
	}
	if err := health(t.Context(), a); err != nil {
		t.Error(err)
	}
	verify(t.Context(), f, list)

	if err := os.Remove(weight); err != nil {
		t.Fatal(err)
	}
	recovers(t, in, s, list)
	t.Logf("%s", f)
}

// Errors of the kernel become Problems, damage nothing, and end when the kernel works
// again.
func TestFailingDisk(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	s := in.serve(t)
	a := newAPI(t, s.url, in.token(t))
	f := &figures{t: t}
	list := newWriters(a, 4, writers, f)
	data := in.storage[1]
	before := s.warm(t, list)
	for _, c := range []struct {
		name, call, failure string
		want                octavo.ProblemType
	}{
		{"no write", "pwrite64", "error=EIO", octavo.Unavailable},
		{"some writes", "pwrite64", "error=EIO:when=3+7", octavo.Unavailable},
		{"no space", "pwrite64", "error=ENOSPC", octavo.StorageFull},
		{"space now and then", "pwrite64", "error=ENOSPC:when=2+5", octavo.StorageFull},
		{"read only", "pwrite64", "error=EROFS", octavo.Unavailable},
		{"no quota", "pwrite64", "error=EDQUOT", octavo.Unavailable},
		{"no sync", "fsync,fdatasync", "error=EIO", octavo.Unavailable},
		{"some syncs", "fsync,fdatasync", "error=EIO:when=2+3", octavo.Unavailable},
	} {
		for _, w := range list {
			w.refuse = func(a answer) error { return a.refusal(c.want) }
		}
		target := f.answered.Load() + 50
		workUntil(t, list, func() {
			until(t, "wait for writes", func() error { return reached(f, target) })
			trace := attach(t, s.pid(), "-o", "/dev/null", "-P", data+"/octavo.db", "-P", data+"/octavo.db-wal",
				"-e", "trace="+c.call, "-e", "inject="+c.call+":"+c.failure)
			until(t, c.name, func() error { return allPending(f, list) })
			if err := health(t.Context(), a); err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			trace.detach()
		})
		recovers(t, in, s, list)
		if t.Failed() {
			t.Fatalf("%s: failed", c.name)
		}
	}
	until(t, "wait until the failures are forgotten", func() error { return s.flat(t, before) })
	s.kill()
	s = in.serve(t)
	a.url = s.url
	for _, w := range list {
		for _, p := range w.pages {
			w.touched[p] = true
		}
	}
	verify(t.Context(), f, list)
	in.doctor(t)
	t.Logf("%s", f)
}

// allPending waits until every writer has had a failure.
func allPending(f *figures, list []*writer) error {
	if f.waiting() < int64(len(list)) {
		return errNotYet("some writers have met no failure")
	}
	return nil
}

// recovers shows that the process, without a restart, carries out refused and further
// operations.
func recovers(t *testing.T, in *installation, s *server, list []*writer) {
	t.Helper()
	for _, w := range list {
		ctx, cancel := context.WithTimeout(t.Context(), limit)
		err := w.settle(ctx)
		cancel()
		if err != nil {
			t.Error(err)
		}
		for range 5 {
			if err := w.work(t.Context()); err != nil {
				t.Errorf("after the fault: %v", err)
			}
		}
	}
	verify(t.Context(), list[0].figures, list)
	in.doctor(t)
	select {
	case <-s.done:
		t.Errorf("the server ended: %v", s.err)
	default:
	}
	if log := s.log.String(); strings.Contains(log, "panic") {
		t.Errorf("the server's log tells of a panic:\n%s", log)
	}
}

// health reads /v1/health, which needs no store, and a list, which does.
func health(ctx context.Context, a *api) error {
	for _, path := range []string{"/health", "/pages?limit=5"} {
		res, err := a.do(ctx, call{method: http.MethodGet, path: path})
		if err != nil {
			return err
		}
		if res.status != http.StatusOK {
			return errors.New("GET " + path + ": " + res.String())
		}
	}
	return nil
}
