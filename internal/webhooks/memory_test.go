package webhooks_test

import (
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestLargeEventsShareMemory: many large pages to many endpoints that hang take
// no more memory than a bound.
func TestLargeEventsShareMemory(t *testing.T) {
	r := newRig(t, octavotest.Options{})
	v := newReceiver(t, nil)
	v.Config.Handler = http.HandlerFunc(func(_ http.ResponseWriter, hr *http.Request) {
		_, _ = io.Copy(io.Discard, hr.Body)
		<-hr.Context().Done()
	})
	const endpoints = 150
	for i := range endpoints {
		r.endpoint(fmt.Sprintf("%s/%d", v.URL, i))
	}
	r.noError(r.server.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		for i := range 2 {
			if _, err := r.server.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
				Title: "T", Slug: fmt.Sprint("large-", i), Content: strings.Repeat("x", 2<<20), Status: octavo.Published,
			}}); err != nil {
				return err
			}
		}
		return nil
	}), "create pages")
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.run(r.hooks)
	hooks, _, err := r.hooks.Hooks.List(t.Context(), "", 1)
	r.noError(err, "list")
	r.ended(hooks[0].ID, 1)
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapInuse) - int64(before.HeapInuse); grown > 200<<20 {
		t.Errorf("the heap grew by %d MB with %d deliveries of 2 MB under way", grown>>20, 2*endpoints)
	}
}
