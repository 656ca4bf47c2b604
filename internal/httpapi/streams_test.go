package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// pages makes pages of a server, each with another slug.
type pages struct {
	testing.TB
	s *octavotest.Server
	n atomic.Int64
}

// publish makes a published page with that content.
func (p *pages) publish(content string) {
	err := p.s.Store.DB.Write(context.Background(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := p.s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
			Title: "T", Slug: fmt.Sprint("p-", p.n.Add(1)), Content: content, Status: octavo.Published,
		}})
		return err
	})
	if err != nil {
		p.Error(err)
	}
}

// Large events reach a stream whole, in pieces, on one line each.
func TestStreamsOfLargeEvents(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	p := &pages{TB: t, s: s}
	r := streamOf(t, s, s.Token(t, auth.Grant{Scopes: octavo.ScopeRead}), "", nil)
	for _, size := range []int{0, 1, 16<<10 - 1, 16 << 10, 1 << 20} {
		content := strings.Repeat("<a\n", size/3) + "end"
		p.publish(content)
		_, event := next(t, r)
		var page octavo.Page
		if err := json.Unmarshal(event.Data, &page); err != nil || page.Content != content {
			t.Errorf("%d bytes: have %d, %v", len(content), len(page.Content), err)
		}
	}
}

// BenchmarkStreams measures how many events a second a server tells to streams
// of the feed over HTTP, and what memory it takes, while 100 pages a second are
// published. Clients run in the same process.
func BenchmarkStreams(b *testing.B) {
	for _, readers := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint(readers), func(b *testing.B) {
			const rate = 100 // publications a second
			s := octavotest.Start(b, octavotest.Options{})
			token := s.Token(b, auth.Grant{Scopes: octavo.ScopeRead})
			ctx, stop := context.WithCancel(b.Context())
			defer stop()
			var group, open sync.WaitGroup
			var told atomic.Int64
			var longest atomic.Int64
			transport := &http.Transport{MaxIdleConnsPerHost: readers}
			defer transport.CloseIdleConnections()
			all := make(chan struct{})
			for range readers {
				open.Add(1)
				group.Go(func() {
					req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/v1/events", nil)
					if err != nil {
						b.Error(err)
						return
					}
					req.Header.Set("Accept", "text/event-stream")
					req.Header.Set("Authorization", "Bearer "+token)
					resp, err := transport.RoundTrip(req)
					open.Done()
					if err != nil {
						b.Error(err)
						return
					}
					defer resp.Body.Close()
					lines := bufio.NewScanner(resp.Body)
					lines.Buffer(nil, 1<<20)
					for mine := 0; mine < b.N && lines.Scan(); {
						if !strings.HasPrefix(lines.Text(), "data: ") {
							continue
						}
						if mine++; told.Add(1) == int64(b.N)*int64(readers) {
							close(all)
						}
						_, at, _ := strings.Cut(lines.Text(), `"createdAt":"`)
						if at, err := time.Parse(time.RFC3339Nano, at[:24]); err == nil {
							if late := int64(time.Since(at)); late > longest.Load() {
								longest.Store(late)
							}
						}
					}
				})
			}
			open.Wait()
			p := &pages{TB: b, s: s}
			content := strings.Repeat("Some words of text. ", 50)
			b.ResetTimer()
			tick := time.NewTicker(time.Second / rate)
			defer tick.Stop()
			var highest uint64
			for i := range b.N {
				<-tick.C
				p.publish(content)
				if i%rate == 0 {
					var m runtime.MemStats
					runtime.ReadMemStats(&m)
					highest = max(highest, m.HeapInuse+m.StackInuse)
				}
			}
			<-all
			b.StopTimer()
			b.ReportMetric(float64(told.Load())/b.Elapsed().Seconds(), "events/s")
			b.ReportMetric(float64(highest)/(1<<20), "MiB-heap-and-stacks")
			b.ReportMetric(float64(longest.Load())/1e6, "ms-latest")
			stop()
			group.Wait()
		})
	}
}
