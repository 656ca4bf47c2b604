package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo"
)

// persist repeats a request until its response is final.
func persist(ctx context.Context, a *api, c call) (res answer, err error) {
	err = retry(ctx, func() error {
		res, err = a.do(ctx, c)
		switch {
		case err != nil:
			return err
		case res.status >= 500, res.status == http.StatusTooManyRequests, res.status == http.StatusConflict && res.header.Get("Retry-After") != "":
			return fmt.Errorf("have %s", res) // exports are refused while too many wait
		}
		return nil
	})
	return res, err
}

// exporter requests exports.
type exporter struct {
	api      *api
	t        testing.TB
	made     int
	accepted map[octavo.ID]octavo.ExportFormat
	maybe    int // exports that were asked for without an answer
}

// explain compares the events of exports with the requests, and removes them.
func (x *exporter) explain(t testing.TB, told map[octavo.ID][]octavo.Event) {
	t.Helper()
	left, ended := x.maybe, map[octavo.ID]bool{}
	for id, events := range told {
		if !id.Is(octavo.PrefixExport) {
			continue
		}
		if _, known := x.accepted[id]; !known {
			left--
		}
		if left < 0 || len(events) != 1 || events[0].Type != octavo.ExportIsReady {
			t.Errorf("export %s: the feed tells %s, want %s once, and nothing of exports that nobody asked for", id, list(events), octavo.ExportIsReady)
		}
		delete(told, id)
		ended[id] = true
	}
	for id := range x.accepted {
		if !ended[id] {
			t.Errorf("export %s: the feed does not tell of its end", id)
		}
	}
}

func (x *exporter) work(ctx context.Context) {
	x.made++
	format := []octavo.ExportFormat{"markdown", "html", "pdf"}[x.made%3]
	res, err := persist(ctx, x.api, call{
		method: http.MethodPost, path: "/exports", key: fmt.Sprintf("export-%d", x.made),
		body: object{"format": format, "scope": "selected", "selection": object{"mode": "query", "query": object{"tags": []string{"exported"}}}},
	})
	if ctx.Err() != nil && err != nil {
		x.maybe++
		return
	}
	var made struct{ ID octavo.ID }
	if err == nil {
		err = json.Unmarshal(res.body, &made)
	}
	if err != nil || res.status != http.StatusAccepted {
		x.t.Errorf("export as %s: %s, %v", format, res, err)
		return
	}
	x.accepted[made.ID] = format
}

// secret is a word on pages that published-only readers must not find.
const secret = "quokkaberry"

// searcher publishes and withdraws a page, and checks that no process shows it to readers
// afterwards, however far behind its index is.
type searcher struct {
	writer, reader *api // of which the latter sees published pages alone
	t              testing.TB
	flips          page // the page
	judged         *atomic.Int64
	events         *expected
}

// prepare makes a page that stays a draft, and one that does not.
func (s *searcher) prepare(ctx context.Context) {
	for _, slug := range []string{"secret-draft", "secret-flips"} {
		p, err := s.events.fixed(ctx, s.writer, object{"title": "The " + secret, "slug": slug, "content": "Of the " + secret + "."})
		if err != nil {
			s.t.Fatal(err)
		}
		s.flips = page{p.ID, stateOf(p, p.Version)}
	}
}

func (s *searcher) work(ctx context.Context) {
	for _, status := range []octavo.PageStatus{octavo.Published, octavo.Draft} {
		after := s.flips.state
		after.status = status
		after.version++
		res, err := persist(ctx, s.writer, call{method: http.MethodPatch, path: "/pages/" + string(s.flips.id), body: object{"status": status}})
		if err != nil { // the end
			s.events.perhaps(s.flips.id, s.flips.state, after)
			return
		}
		p, err := res.page()
		if err != nil || res.status != http.StatusOK || stateOf(p, p.Version) != after {
			s.t.Errorf("make the page %s: have %s, %v", status, res, err)
		}
		s.events.learn(effect{&s.flips, after}, s.flips.state)
		s.flips.state = after
	}
	for range 6 {
		s.look(ctx)
	}
}

// look searches for the withdrawn page.
func (s *searcher) look(ctx context.Context) {
	res, err := s.reader.do(ctx, call{method: http.MethodGet, path: "/search?q=" + secret})
	switch {
	case err != nil:
	case res.status >= 500:
		if wrong := res.refusal(octavo.Unavailable); wrong != nil {
			s.t.Errorf("search: %v", wrong)
		}
	case res.status != http.StatusOK:
		s.t.Errorf("search: have %s", res)
	case strings.TrimSpace(string(res.body)) != "[]":
		s.t.Errorf("a search shows a reader what is not published: %s", res)
	default:
		s.judged.Add(1)
	}
}
