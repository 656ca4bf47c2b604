package search

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// manyDocuments makes n documents of the sections of a corpus: of the project's
// docs, or of all folders of -corpora. Each is put together of sections of
// about 4 kB, so that words are distributed as people write them.
func manyDocuments(tb testing.TB, n int) []Document {
	tb.Helper()
	var pages []Document
	if *corporaFlag == "" {
		pages = readCorpus(tb, os.DirFS("../../docs"))
	} else {
		pages = readCorpus(tb, os.DirFS(*corporaFlag))
	}
	var sections []Section
	for _, d := range pages {
		sections = append(sections, d.Sections...)
	}
	r := rand.New(rand.NewPCG(1, 1))
	documents := make([]Document, n)
	for i := range documents {
		like := pages[r.IntN(len(pages))]
		d := Document{
			ID: fmt.Sprintf("page_%026d", i), Title: like.Title, Slug: fmt.Sprintf("%s-%d", like.Slug, i), Ancestors: like.Ancestors,
			Tags: []string{fmt.Sprintf("tag%d", i%50)}, UpdatedAt: time.UnixMilli(int64(i)), Published: true,
			LinkTexts: like.LinkTexts, Labels: like.Labels,
		}
		for range d.LinkTexts {
			d.Origins = append(d.Origins, Origin{Key: fmt.Sprintf("link page_%026d", r.IntN(n)), State: r.Uint32()})
		}
		for size := 0; size < 3600; {
			s := sections[r.IntN(len(sections))]
			if len(s.Text)+len(s.Code) > 8000 {
				continue
			}
			size += len(s.Text) + len(s.Code) + len(s.Heading)
			d.Sections = append(d.Sections, s)
		}
		documents[i] = d
	}
	return documents
}

const benchmarkPages = 20_000

func benchmarkIndex(b *testing.B) *Index {
	b.Helper()
	index := indexOf(b, Config{}, manyDocuments(b, benchmarkPages))
	for index.merge(tiered) {
	}
	return index
}

// queriesOf returns queries as readers type them: of the file that -queries
// names, or of the test data.
func queriesOf(b *testing.B) []string {
	b.Helper()
	name := *queriesFlag
	if name == "" {
		name = "testdata/queries.jsonl"
	}
	var queries []string
	for _, t := range readTasks(b, name) {
		queries = append(queries, t.Query)
	}
	return queries
}

// keystrokes are what a search box sends before a word is complete.
func keystrokes() []string {
	var out []string
	for _, word := range []string{"co", "te", "pr", "in", "sp"} {
		out = append(out, word[:1], word)
	}
	return out
}

// timeSearches reports how long queries take.
func timeSearches(b *testing.B, index *Index, queries []string) {
	b.Helper()
	touch(b, index, queries)
	var times []time.Duration
	for n := 0; b.Loop(); n++ {
		start := time.Now()
		mustSearch(b, index, Query{Text: queries[n%len(queries)], Limit: 20, PublishedOnly: true})
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
}

// touch asks every query once, so that what is looked up later is in memory.
func touch(b *testing.B, index *Index, queries []string) {
	b.Helper()
	for _, q := range queries {
		mustSearch(b, index, Query{Text: q, Limit: 20, PublishedOnly: true})
	}
}

// countSearches reports how many queries all processors answer in a second.
func countSearches(b *testing.B, index *Index, queries []string) {
	b.Helper()
	touch(b, index, queries)
	var next atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			q := queries[int(next.Add(1))%len(queries)]
			if _, err := index.Search(b.Context(), Query{Text: q, Limit: 20, PublishedOnly: true}); err != nil {
				b.Errorf("search for %q: %v", q, err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "queries/s")
}

// BenchmarkSearch reports how long queries take over 20,000 pages.
func BenchmarkSearch(b *testing.B) {
	index := benchmarkIndex(b)
	b.Logf("%+v", index.Stats())
	for name, queries := range map[string][]string{"queries": queriesOf(b), "keystrokes": keystrokes()} {
		b.Run(name, func(b *testing.B) { timeSearches(b, index, queries) })
	}
	b.Run("parallel", func(b *testing.B) { countSearches(b, index, queriesOf(b)) })
	b.Run("slowest", func(b *testing.B) {
		var lines []string
		for b.Loop() {
			lines = lines[:0]
			for _, q := range append(queriesOf(b), keystrokes()...) {
				start := time.Now()
				mustSearch(b, index, Query{Text: q, Limit: 20, PublishedOnly: true})
				lines = append(lines, fmt.Sprintf("%8d µs %s", time.Since(start).Microseconds(), q))
			}
		}
		slices.Sort(lines)
		b.Logf("the slowest:\n%s", strings.Join(lines[max(len(lines)-12, 0):], "\n"))
	})
}

// BenchmarkSearchWhileWriting reports how long queries take over 20,000 pages
// of which 200 are changed in a second, beside how long they take without.
func BenchmarkSearchWhileWriting(b *testing.B) {
	index := benchmarkIndex(b)
	queries, documents := queriesOf(b), manyDocuments(b, 2000)
	b.Run("alone", func(b *testing.B) { timeSearches(b, index, queries) })
	ctx, stop := context.WithCancel(b.Context())
	var writers sync.WaitGroup
	writers.Go(func() { index.Maintain(ctx) })
	writers.Go(func() {
		const batch, batches = 10, 20 // pages in a batch, batches in a second
		every := time.NewTicker(time.Second / batches)
		defer every.Stop()
		for n := 0; ; n++ {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
			}
			changes := make([]Change, batch)
			for i := range changes {
				changes[i] = put(&documents[(n*batch+i)%len(documents)])
			}
			if err := index.Apply(b.Context(), int64(n), changes); err != nil {
				b.Errorf("applying: %v", err)
				return
			}
		}
	})
	b.Run("writing", func(b *testing.B) { timeSearches(b, index, queries) })
	stop()
	writers.Wait()
}

// BenchmarkBuild reports how long it takes to index 2,000 pages of 4 kB.
func BenchmarkBuild(b *testing.B) {
	documents := manyDocuments(b, 2000)
	size := 0
	for _, d := range documents {
		for _, s := range d.Sections {
			size += len(s.Text) + len(s.Code)
		}
	}
	b.SetBytes(int64(size))
	var index *Index
	for b.Loop() {
		index = indexOf(b, Config{}, documents)
		for index.merge(tiered) {
		}
	}
	b.ReportMetric(float64(len(documents)*b.N)/b.Elapsed().Seconds(), "pages/s")
	b.ReportMetric(float64(index.Stats().Bytes)/float64(len(documents)), "B/page")
}

// BenchmarkSmallChange reports how long it takes until a changed page is found.
func BenchmarkSmallChange(b *testing.B) {
	index := benchmarkIndex(b)
	documents := manyDocuments(b, 100)
	for n := 0; b.Loop(); n++ {
		mustApply(b, index, int64(n), put(&documents[n%len(documents)]))
	}
}

// BenchmarkSnapshot reports how long writing and reading 20,000 pages takes,
// and how much memory the index holds.
func BenchmarkSnapshot(b *testing.B) {
	index := benchmarkIndex(b)
	path := filepath.Join(b.TempDir(), "snapshot")
	b.Run("save", func(b *testing.B) {
		for b.Loop() {
			if _, err := index.Save(path); err != nil {
				b.Fatal(err)
			}
		}
	})
	index = nil
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			loaded, err := Load(path, Config{})
			if err != nil {
				b.Fatal(err)
			}
			index = loaded
		}
	})
	b.Logf("%d bytes of heap a page, %+v", (heap()-before)/benchmarkPages, index.Stats())
}
