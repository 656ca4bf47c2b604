package search

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"
	"time"
)

// BenchmarkMemory reports the heap that 20,000 pages take, and the most that is
// taken while they are indexed, as a start does it: in batches, and merged at
// the end. The peak is of what is alive, as collections find it, and of all.
func BenchmarkMemory(b *testing.B) {
	documents := manyDocuments(b, benchmarkPages)
	for b.Loop() {
		before := readHeap(true)
		watch := watchHeap()
		index := filled(b, documents)
		most := watch()
		after := readHeap(true)
		size := float64(after.all - before.all)
		b.ReportMetric(size/benchmarkPages, "B/page")
		b.ReportMetric(float64(index.Stats().Bytes)/benchmarkPages, "own-B/page")
		b.ReportMetric(float64(most.live-min(before.live, most.live))/size, "peak-live-ratio")
		b.ReportMetric(float64(most.all-min(before.all, most.all))/size, "peak-ratio")
	}
}

// BenchmarkLarge reports how long queries and changes take over 200,000
// pages.
func BenchmarkLarge(b *testing.B) {
	documents := manyDocuments(b, 10*benchmarkPages)
	index := filled(b, documents)
	b.Run("queries", func(b *testing.B) { timeSearches(b, index, queriesOf(b)) })
	b.Run("keystrokes", func(b *testing.B) { timeSearches(b, index, keystrokes()) })
	b.Run("change", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			mustApply(b, index, int64(n), put(&documents[n%100]))
		}
	})
}

// filled returns an index that is filled as at a start without a snapshot.
func filled(b *testing.B, documents []Document) *Index {
	b.Helper()
	index := New(Config{})
	for from := 0; from < len(documents); from += maxBatch {
		var changes []Change
		for i := from; i < min(from+maxBatch, len(documents)); i++ {
			changes = append(changes, put(&documents[i]))
		}
		mustApply(b, index, 0, changes...)
		for index.merge(tiered) {
		}
	}
	index.Compact()
	return index
}

// heap is how many bytes of it are taken: by all that was not collected yet, and
// by what the last collection found alive.
type heap struct{ all, live uint64 }

func readHeap(collect bool) heap {
	if collect {
		runtime.GC()
		runtime.GC() // a pool lets go of what it holds at the second
	}
	samples := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(samples)
	return heap{samples[0].Value.Uint64(), samples[1].Value.Uint64()}
}

// watchHeap samples the heap until stop is called, which returns the maximum.
func watchHeap() (stop func() heap) {
	var watcher sync.WaitGroup
	done := make(chan struct{})
	var most heap
	watcher.Go(func() {
		every := time.NewTicker(5 * time.Millisecond)
		defer every.Stop()
		for {
			h := readHeap(false)
			most.all, most.live = max(most.all, h.all), max(most.live, h.live)
			select {
			case <-done:
				return
			case <-every.C:
			}
		}
	})
	return func() heap {
		close(done)
		watcher.Wait()
		return most
	}
}
