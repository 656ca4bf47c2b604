package webhooks_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// TestEndpointsStartHanging: those that were quick and hang from one moment
// on keep nothing from the others, however much each was trusted before.
func TestEndpointsStartHanging(t *testing.T) {
	const quick, hanging, pages = 20, 100, 30
	r := newRig(t, octavotest.Options{})
	var hang atomic.Bool
	var hung, ended, arrived atomic.Int64
	v := newReceiver(t, nil)
	v.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		_, _ = io.Copy(io.Discard, hr.Body)
		if hang.Load() && strings.HasPrefix(hr.URL.Path, "/hang") {
			hung.Add(1)
			<-hr.Context().Done()
			ended.Add(1)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		arrived.Add(1)
	})
	for i := range hanging {
		r.endpoint(fmt.Sprintf("%s/hang/%d", v.URL, i))
	}
	for i := range quick {
		r.endpoint(fmt.Sprintf("%s/quick/%d", v.URL, i))
	}
	r.hooks.Timeout = webhooks.DefaultTimeout
	r.clock.live = true
	r.run(r.hooks)
	for range pages {
		r.publish()
	}
	eventually(r, func() bool { return arrived.Load() == pages*(quick+hanging) }, func() any { return arrived.Load() })
	hang.Store(true)
	arrived.Store(0)
	for range pages {
		r.publish()
	}
	eventually(r, func() bool { return arrived.Load() == pages*quick || ended.Load() > 0 }, func() any { return arrived.Load() })
	if n := ended.Load(); n > 0 {
		t.Errorf("quick endpoints waited for tries that hang: %d of %d events arrived until the first of %d ended", arrived.Load(), pages*quick, hung.Load())
	}
}

// TestBacklogsShare: of many endpoints with long backlogs none is left behind,
// wherever its name stands in their order.
func TestBacklogsShare(t *testing.T) {
	const endpoints, pages = 50, 200
	r := newRig(t, octavotest.Options{})
	var total atomic.Int64
	arrived := map[string]*atomic.Int64{}
	half := make(chan []int64, 1)
	v := newReceiver(t, nil)
	v.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		_, _ = io.Copy(io.Discard, hr.Body)
		w.WriteHeader(http.StatusNoContent)
		arrived[hr.URL.Path].Add(1)
		if total.Add(1) == endpoints*pages/2 {
			var have []int64
			for i := range endpoints {
				have = append(have, arrived[fmt.Sprint("/", i)].Load())
			}
			half <- have
		}
	})
	for i := range endpoints {
		path := fmt.Sprint("/", i)
		arrived[path] = &atomic.Int64{}
		r.endpoint(v.URL + path)
	}
	for range pages {
		r.publish()
	}
	stop := r.run(r.hooks)
	have := <-half
	stop()
	// The backlog of each is several times what one endpoint may have claimed
	// (maxWindow*ahead), so that the first to start cannot take half of all.
	const want = pages / 40
	if least := slices.Min(have); least < want {
		t.Errorf("when half of all had arrived, the endpoints had %v, want %d at least of %d in the mean", have, want, pages/2)
	}
}
