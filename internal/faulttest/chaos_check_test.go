package faulttest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/octavo-docs/octavo"
)

// pass makes all clocks right again, and later by so much than they are.
func (c *chaos) pass(later time.Duration) {
	for _, n := range c.nodes {
		n.clock.set(c.t, later)
	}
}

// linearizable checks what the mixers did, with a read of each page at the end.
func (c *chaos) linearizable(list []*mixer) {
	pages := map[octavo.ID][]porcupine.Operation{}
	for _, m := range list {
		for _, op := range m.history {
			id := op.Input.(input).page
			pages[id] = append(pages[id], op)
		}
	}
	last := list[0]
	last.lost, last.history = nil, nil // from here on there is no excuse
	for id := range pages {
		last.do(input{kind: "read", page: id}, call{method: http.MethodGet, path: "/pages/" + string(id)})
	}
	for _, op := range last.history {
		id := op.Input.(input).page
		pages[id] = append(pages[id], op)
	}
	operations, unknown := 0, 0
	for id, ops := range pages {
		for _, op := range ops {
			operations++
			if op.Output.(output).unknown {
				unknown++
			}
		}
		if have := porcupine.CheckOperationsTimeout(pageModel(), ops, limit); have != porcupine.Ok {
			c.t.Errorf("page %s: %s%s", id, have, tell(ops))
		}
	}
	c.report.held("linearizable per page: %d operations on %d pages, %d of them without an answer", operations, len(pages), unknown)
}

// told compares the feed with what the writers did, and what arrived with the
// feed. Time passes until nothing is leased to processes that were killed.
func (c *chaos) told(a *api, events *expected, b *inbox) {
	const types = "page.created,page.published,page.deleted"
	feed := readFeed(c.t, a, types)
	arriving := want{path: chaosPath}
	have, seen := map[octavo.ID][]octavo.EventType{}, map[octavo.ID]bool{}
	for _, event := range feed {
		page := subject(c.t, event)
		if seen[event.ID] {
			c.t.Errorf("event %s is told twice", event.ID)
		}
		seen[event.ID], have[page] = true, append(have[page], event.Type)
		arriving.events, arriving.pages = append(arriving.events, event.ID), append(arriving.pages, page)
	}
	for page, told := range events.events {
		if !slices.Equal(have[page], told) {
			c.t.Errorf("page %s: the feed tells %v, want %v", page, have[page], told)
		}
	}
	begun, minutes := time.Now(), 0
	until(c.t, "wait for the rest of the events", func() error {
		if have := b.count(); have < len(feed) {
			if late := int(time.Since(begun) / time.Second); late > minutes {
				minutes = late
				c.pass(time.Duration(minutes) * time.Minute) // leases end, and tries that failed are repeated
			}
			return errNotYet(fmt.Sprintf("%d of %d events have arrived", have, len(feed)))
		}
		return nil
	})
	b.compare(c.t, []want{arriving})
	c.report.held("events: %d in the feed, as %d pages of the writers want them; all arrived in the order of their pages, %d of them again", len(feed), len(events.events), len(b.again))
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

// uploaded reads every file.
func (c *chaos) uploaded(u *uploader) {
	listed := map[octavo.ID]octavo.Asset{}
	for cursor := ""; ; {
		res, err := u.api.do(c.t.Context(), call{method: http.MethodGet, path: "/assets?limit=100" + cursor})
		var list struct {
			Data       []octavo.Asset
			Pagination struct {
				Cursor  string
				HasMore bool
			}
		}
		if err == nil {
			err = json.Unmarshal(res.body, &list)
		}
		if err != nil || res.status != http.StatusOK {
			c.t.Errorf("list the assets: %s, %v", res, err)
			return
		}
		for _, asset := range list.Data {
			listed[asset.ID] = asset
		}
		if !list.Pagination.HasMore {
			break
		}
		cursor = "&cursor=" + url.QueryEscape(list.Pagination.Cursor)
	}
	for id, name := range u.answered {
		if _, there := listed[id]; !there {
			c.t.Errorf("asset %s (%s) is lost", id, name)
		}
	}
	for id, asset := range listed {
		if u.gone[id] {
			c.t.Errorf("asset %s was deleted and is there", id)
		}
		body, err := c.bytes(u.api, asset.URL)
		if have := fmt.Sprintf("%x", sha256.Sum256(body)); err != nil || have != asset.SHA256 {
			c.t.Errorf("asset %s: have %d bytes, SHA-256 %s, %v; want %d, %s", id, len(body), have, err, asset.Size, asset.SHA256)
		}
		if name, answered := u.answered[id]; answered {
			if want, err := io.ReadAll(&filler{name: name, size: asset.Size}); err != nil || !bytes.Equal(body, want) {
				c.t.Errorf("asset %s is not what was uploaded as %q, %v", id, name, err)
			}
		}
	}
	c.report.held("files: %d answered and kept, %d deleted, %d without an answer and whole", len(u.answered), len(u.gone), len(listed)-len(u.answered))
}

// bytes reads an address that an answer has, from any process.
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

// exported waits for every export, and compares those of one format.
func (c *chaos) exported(x *exporter) {
	sums := map[octavo.ExportFormat]string{}
	begun, minutes := time.Now(), 0
	for id, format := range x.accepted {
		var made octavo.Export
		until(c.t, "wait for export "+string(id), func() error {
			if late := int(time.Since(begun) / time.Second); late > minutes {
				minutes = late
				c.pass(time.Duration(minutes) * time.Minute)
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

// found searches each process for pages of the writers: what there is, and
// nothing of what there is not.
func (c *chaos) found(token string, list []*writer) {
	const most = 40 // pages of each writer
	searches := 0
	for _, n := range c.nodes {
		a := newAPI(c.t, n.server.url, token)
		for _, w := range list {
			for _, i := range c.rng.Perm(len(w.pages))[:min(most, len(w.pages))] {
				p := w.pages[i]
				ctx, cancel := context.WithTimeout(c.t.Context(), limit)
				res, err := persist(ctx, a, call{method: http.MethodGet, path: "/search?limit=100&q=" + p.slug, prefer: "wait=10"})
				cancel()
				if have := strings.Contains(string(res.body), string(p.id)); err != nil || res.status != http.StatusOK || have == p.deleted {
					c.t.Errorf("%s: a search for %s (deleted %t) finds it: %t; %d, %v", n.name, p.slug, p.deleted, have, res.status, err)
				}
				searches++
			}
		}
	}
	c.report.held("search: %d searches for pages of the writers, at each process; %d searches of readers for what is not published", searches, c.report.searched.Load())
}

// sound stops the processes, compares each saved index with the store, and has
// a day pass, after which nothing is left that nobody has.
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
