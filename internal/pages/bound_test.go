package pages

import (
	"fmt"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestCacheMemory: identifiers and filters come out of request lines,
// which must not be kept with them.
func TestCacheMemory(t *testing.T) {
	st := stores(t)["sqlite"](t)
	defer st.Close() //nolint:errcheck // nothing is left to lose
	service := New(st.DB, st.Pages, st.Assets, 1<<20)
	const requests, junk = 400, 60_000
	var ids []octavo.ID
	for i := range requests {
		page, err := service.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: "t", Slug: fmt.Sprint("s", i), Content: "c"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, page.ID)
	}
	before := heap()
	for i, id := range ids {
		r := httptest.NewRequest("GET", fmt.Sprintf("/%s?slug=t%d&z=%s", id, i, strings.Repeat("z", junk)), nil)
		line := r.RequestURI
		if _, err := service.Encoded(t.Context(), octavo.Audience{}, octavo.ID(line[1:1+len(id)]), false); err != nil {
			t.Fatal(err)
		}
		slug := line[strings.Index(line, "slug=")+5 : strings.Index(line, "&z=")]
		tag := line[len(line)-20:]
		for _, q := range []pagestore.Query{{Slug: slug, Limit: 20}, {Tag: tag + slug, Limit: 20}, {Parent: &ids[i], Limit: 20}} {
			if _, _, _, err := encodedList(t.Context(), service, octavo.Audience{}, q); err != nil {
				t.Fatal(err)
			}
		}
	}
	if grown := heap() - before; grown > requests*junk/10 {
		t.Errorf("the heap has grown by %d bytes after %d requests of %d bytes", grown, requests, junk)
	}
	if stats := service.CacheStats(); stats.Bytes < requests*3*listingOverhead/2 {
		t.Errorf("have %d bytes told, want what the listings take among them", stats.Bytes)
	}
	runtime.KeepAlive(service)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // far below 2^63
}

// TestLargePagesMakeShortSlices: a slice ends where it is large enough, and
// the cursor goes on there: nothing is left out or doubled, with memory for
// readers and without.
func TestLargePagesMakeShortSlices(t *testing.T) {
	st := stores(t)["sqlite"](t)
	defer st.Close() //nolint:errcheck // nothing is left to lose
	writer := New(st.DB, st.Pages, st.Assets, 0)
	const pages = 30
	for i := range pages {
		in := octavo.PageCreate{Title: fmt.Sprint("t", i%7), Slug: fmt.Sprint("s", i), Content: strings.Repeat("x", 1<<20-i)}
		if _, err := writer.Create(t.Context(), sqldb.Cause{}, in, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, memory := range []int64{0, 1, 1 << 20, 1 << 30} {
		service := New(st.DB, st.Pages, st.Assets, memory)
		for _, sort := range []pagestore.Sort{"", pagestore.SortCreatedDesc, pagestore.SortUpdatedDesc, pagestore.SortTitle} {
			seen := map[octavo.ID]bool{}
			q := pagestore.Query{Sort: sort, Limit: 100}
			slices := 0
			for more := true; more; slices++ {
				list, mark, next, err := encodedList(t.Context(), service, octavo.Audience{}, q)
				if err != nil || len(list) == 0 {
					t.Fatalf("memory %d, sort %q: have %d pages, %v", memory, sort, len(list), err)
				}
				size := 0
				for _, e := range list {
					if seen[e.Ref.ID] {
						t.Errorf("memory %d, sort %q: have page %s twice", memory, sort, e.Ref.ID)
					}
					seen[e.Ref.ID] = true
					size += len(e.JSON)
				}
				if size > (sqldb.MaxSlice + 4<<20) {
					t.Errorf("memory %d, sort %q: have a slice of %d bytes", memory, sort, size)
				}
				q.After, more = &mark, next
			}
			if len(seen) != pages || slices < 2 {
				t.Errorf("memory %d, sort %q: have %d pages in %d slices, want %d in some", memory, sort, len(seen), slices, pages)
			}
		}
	}
}
