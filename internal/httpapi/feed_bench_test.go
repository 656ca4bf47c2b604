package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// feedLength is how many events BenchmarkFeed reads each time, so many that no
// memory for new ones helps.
const feedLength = 20_000

// fillFeed publishes pages of about a kilobyte, many in a transaction.
func fillFeed(b *testing.B, s *octavotest.Server, n int) {
	content := strings.Repeat("Some words of text. ", 50)
	for made := 0; made < n; {
		err := s.Store.DB.Write(b.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for range min(500, n-made) {
				made++
				if _, err := s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
					Title: "T", Slug: fmt.Sprint("p-", made), Content: content, Status: octavo.Published,
				}}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFeed measures how many old events a second one client reads over
// HTTP from the beginning of the feed: in answers of 100, and as a stream. The
// client runs in the same process.
func BenchmarkFeed(b *testing.B) {
	length := feedLength
	if testing.Short() {
		length = 500
	}
	b.Run("sqlite", func(b *testing.B) { benchmarkFeed(b, octavotest.Options{}, length) })
	b.Run("postgres", func(b *testing.B) { benchmarkFeed(b, octavotest.Options{PostgresURL: octavotest.Postgres(b)}, length) })
}

func benchmarkFeed(b *testing.B, o octavotest.Options, length int) {
	s := octavotest.Start(b, o)
	fillFeed(b, s, length)
	for _, who := range []struct {
		name   string
		public bool
	}{{"all", false}, {"published-only", true}} {
		token := s.Token(b, auth.Grant{Scopes: octavo.ScopeRead, PublishedOnly: who.public})
		for _, way := range []struct {
			name string
			read func(*testing.B, *http.Client, string, string, int) int
		}{{"pages", readPages}, {"stream", readStream}} {
			b.Run(who.name+"/"+way.name, func(b *testing.B) {
				transport := &http.Transport{}
				defer transport.CloseIdleConnections()
				total := 0
				for b.Loop() {
					total += way.read(b, &http.Client{Transport: transport}, s.URL, token, length)
				}
				b.ReportMetric(float64(total)/b.Elapsed().Seconds(), "events/s")
			})
		}
	}
}

func askFeed(ctx context.Context, b *testing.B, c *http.Client, url, token, accept string) io.ReadCloser {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := c.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.Fatalf("have %v, %v", resp, err)
	}
	return resp.Body
}

// readPages reads the feed in one answer after the other.
func readPages(b *testing.B, c *http.Client, url, token string, n int) (events int) {
	for after := ""; events < n; {
		body := askFeed(b.Context(), b, c, url+"/v1/events?limit=100"+after, token, "application/json")
		text, err := io.ReadAll(body)
		_ = body.Close() // it was read
		_, next, found := bytes.Cut(text[max(0, len(text)-40):], []byte(`],"next":"`))
		if err != nil || !found {
			b.Fatalf("have %.200s, %v", text, err)
		}
		events += bytes.Count(text, []byte(`{"id":"evt_`))
		after = "&after=" + string(bytes.TrimSuffix(next, []byte(`"}`)))
	}
	return events
}

// readStream reads the feed as server-sent events.
func readStream(b *testing.B, c *http.Client, url, token string, n int) (events int) {
	ctx, stop := context.WithCancel(b.Context())
	defer stop()
	body := askFeed(ctx, b, c, url+"/v1/events", token, "text/event-stream")
	defer body.Close()
	lines := bufio.NewReaderSize(body, 64<<10)
	for events < n {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			b.Fatal(err)
		}
		if bytes.HasPrefix(line, []byte(`data: {"id":"evt_`)) {
			events++
		}
	}
	return events
}
