package faulttest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// pass corrects all clocks, and advances that of the database, which counts, by a
// duration.
func (c *chaos) pass(later time.Duration) {
	for _, n := range c.nodes {
		n.clock.set(c.t, 0)
	}
	c.database.execute(c.t, fmt.Sprintf(`UPDATE test.clock SET ahead = '%d seconds'`, int(later.Seconds())))
}

// arrived compares the deliveries with the feed. It advances time until all leases of
// killed processes have expired.
func (c *chaos) arrived(feed []octavo.Event, b *inbox) {
	arriving := want{path: chaosPath}
	for _, event := range feed {
		if slices.Contains(chaosPageTypes(), event.Type) {
			arriving.events, arriving.pages = append(arriving.events, event.ID), append(arriving.pages, subject(c.t, event))
		}
	}
	begun, minutes := time.Now(), 0
	until(c.t, "wait for the rest of the events", func() error {
		if have := b.count(); have < len(arriving.events) {
			if late := int(time.Since(begun) / time.Second); late > minutes {
				minutes = late
				c.pass(time.Duration(minutes) * time.Minute) // leases end, and tries that failed are repeated
			}
			return errNotYet(fmt.Sprintf("%d of %d events have arrived", have, len(arriving.events)))
		}
		return nil
	})
	b.compare(c.t, []want{arriving})
	c.report.held("webhook: %d events arrived in the order of their pages, %d of them again, %d of those behind a later one of the page",
		len(arriving.events), len(b.again), b.late([]want{arriving}))
}

// readFeed reads all events of some types.
func readFeed(t testing.TB, a *api, types string) (feed []octavo.Event) {
	t.Helper()
	for after := ""; ; {
		answer, err := a.do(t.Context(), call{method: http.MethodGet, path: "/events?limit=100&types=" + types + after})
		var list struct {
			Data []octavo.Event
			Next string
		}
		if err == nil {
			err = json.Unmarshal(answer.body, &list)
		}
		if err != nil {
			t.Fatalf("read the feed: %v %s", err, answer)
		}
		if len(list.Data) == 0 {
			return feed
		}
		feed, after = append(feed, list.Data...), "&after="+list.Next
	}
}

// bytes reads an address from a response, at any process.
func (c *chaos) bytes(a *api, address string) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(c.t.Context(), http.MethodGet, a.url+u.RequestURI(), nil)
	if err != nil {
		return nil, err
	}
	res, err := a.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("have %s", res.Status)
	}
	return io.ReadAll(res.Body)
}

// exported waits for every export, and compares those of one format. Time advances in
// steps that keep the clocks of two processes within [sqldb.ClockSlack]: with more
// between them, each takes the jobs of the other.
func (c *chaos) exported(x *exporter) {
	const step = sqldb.ClockSlack / 3 // two may come between the readings of a process
	sums := map[octavo.ExportFormat]string{}
	begun, steps := time.Now(), 0
	for id, format := range x.accepted {
		var made octavo.Export
		until(c.t, "wait for export "+string(id), func() error {
			if late := int(time.Since(begun) / time.Second); late > steps {
				steps = late
				c.pass(time.Duration(steps) * step)
			}
			res, err := x.api.do(c.t.Context(), call{method: http.MethodGet, path: "/exports/" + string(id)})
			if err == nil {
				err = json.Unmarshal(res.body, &made)
			}
			if err == nil && made.Status != octavo.ExportReady && made.Status != octavo.ExportFailed {
				err = errNotYet(fmt.Sprintf("it is %s", made.Status))
			}
			return err
		})
		if made.Status != octavo.ExportReady {
			c.t.Errorf("export %s as %s: have %s, %v", id, format, made.Status, made.Error)
			continue
		}
		body, err := c.bytes(x.api, *made.DownloadURL)
		sum := fmt.Sprintf("%x", sha256.Sum256(body))
		if sums[format] == "" {
			sums[format] = sum
		}
		if err != nil || sum != made.SHA256 || sum != sums[format] {
			c.t.Errorf("export %s as %s: have %s, %v; want %s, and that of the others, %s; %d bytes, %d pages", id, format, sum, err, made.SHA256, sums[format],
				len(body), made.Progress.Total)
		}
	}
	c.report.held("exports: %d accepted, all of them made, those of one format alike", len(x.accepted))
}

// sound stops the processes, compares each saved index with the store, and advances a day,
// after which no orphans are left.
func (c *chaos) sound() {
	for _, n := range c.nodes {
		n.down(c.t, true)
		// Without a saved index there would be nothing that doctor compares.
		if _, err := os.Stat(n.index); err != nil {
			c.t.Errorf("%s did not save its index: %v", n.name, err)
		}
		n.in.doctor(c.t)
	}
	const grace = 26 * time.Hour // after which a worker sweeps
	c.pass(grace)
	n := c.nodes[0]
	n.up(c.t)
	c.pass(grace + 24*time.Hour) // for doctor, which counts from when a file was put
	until(c.t, "wait until no file is there that nobody has", func() error {
		if out, err := n.in.octavo("doctor").CombinedOutput(); err != nil {
			return fmt.Errorf("octavo doctor: %w\n%s", err, out)
		}
		return nil
	})
	n.down(c.t, true)
	c.report.held("doctor: each index as the store, no job stuck, and after a day no file that nothing has")
}
