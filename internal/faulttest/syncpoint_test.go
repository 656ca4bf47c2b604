package faulttest

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// A server killed at the entry of a critical system call (sync, write, truncate or rename)
// has kept every answered write. The call, file and count are random. After fifty rounds a
// new store is begun, since it has grown.
func TestKilledAtSyncPoints(t *testing.T) {
	t.Parallel()
	const most = 50
	points := chance(30<<16 - 1)
	for left := *syncPoints; left > 0 && !t.Failed(); left -= most {
		killAtSyncPoints(t, points, min(left, most))
	}
}

func killAtSyncPoints(t *testing.T, points *rand.Rand, rounds int) {
	in := onSQLite(t)
	a := newAPI(t, "", in.token(t))
	f := &figures{t: t}
	list := newWriters(a, 30, writers, f)
	data := in.storage[1]
	s := in.serve(t)
	count := map[string]int{}
	for round := 0; round < rounds && !t.Failed(); round++ {
		a.url = s.url
		point := pick(points, []struct {
			call string
			file string // "" is any
			most int    // the how-manieth, at most
		}{
			{"fsync,fdatasync", "", 40},
			{"fsync,fdatasync", "/octavo.db-wal", 40},
			{"fsync,fdatasync", "/octavo.db", 1}, // of a checkpoint
			{"pwrite64", "/octavo.db-wal", 400},
			{"pwrite64", "/octavo.db", 60},
		})
		flags := []string{"-o", "/dev/null", "-e", "trace=" + point.call, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", point.call, 1+points.IntN(point.most))}
		if point.file != "" {
			flags = append(flags, "-P", data+point.file)
		}
		workUntil(t, list, func() {
			trace := attach(t, s.pid(), flags...)
			until(t, fmt.Sprintf("wait for the end at %v", point), func() error {
				select {
				case <-s.done:
					return nil
				default:
					return errNotYet("the server runs")
				}
			})
			trace.detach()
		})
		count[point.call+" "+point.file]++
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
	t.Logf("%v, %s", count, f)
}
