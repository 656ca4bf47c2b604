package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo"
)

// uploader uploads files and deletes some again.
type uploader struct {
	api      *api
	rng      *rand.Rand
	t        testing.TB
	made     int
	answered map[octavo.ID]string // names of what must be there
	gone     map[octavo.ID]bool   // what must not
}

func (u *uploader) work(ctx context.Context) {
	u.made++
	name, size := fmt.Sprintf("file %d of the uploader", u.made), int64(100+u.rng.IntN(64<<10))
	if u.rng.IntN(8) == 0 {
		size = 2 << 20 // in parts
	}
	res, asset, err := u.api.upload(ctx, name, size)
	switch {
	case err != nil: // it may be there or not
	case res.status >= 500:
		if wrong := res.refusal(octavo.Unavailable); wrong != nil {
			u.t.Errorf("upload: %v", wrong)
		}
	case res.status != http.StatusAccepted || asset.Size != size:
		u.t.Errorf("upload of %d bytes: have %s", size, res)
	default:
		u.answered[asset.ID] = name
	}
	if u.rng.IntN(3) > 0 {
		return
	}
	for id := range u.answered {
		res, err := persist(ctx, u.api, call{method: http.MethodDelete, path: "/assets/" + string(id)})
		delete(u.answered, id)
		if err != nil {
			return // the end: it may be there or not
		}
		u.gone[id] = true
		// Not found: it was carried out at a try without an answer.
		if res.status != http.StatusNoContent && res.status != http.StatusNotFound {
			u.t.Errorf("delete asset %s: %s", id, res)
		}
		return
	}
}

// persist sends a request until it is answered for good.
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

// exporter asks for exports.
type exporter struct {
	api      *api
	t        testing.TB
	made     int
	accepted map[octavo.ID]octavo.ExportFormat
}

func (x *exporter) work(ctx context.Context) {
	x.made++
	format := []octavo.ExportFormat{"markdown", "html", "pdf"}[x.made%3]
	res, err := persist(ctx, x.api, call{
		method: http.MethodPost, path: "/exports", key: fmt.Sprintf("export-%d", x.made),
		body: object{"format": format, "scope": "selected", "selection": object{"mode": "query", "query": object{"tags": []string{"exported"}}}},
	})
	if ctx.Err() != nil && err != nil {
		return // it may be there or not
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

// secret is the word of pages that nobody finds who sees published pages alone.
const secret = "quokkaberry"

// searcher publishes and withdraws a page, and looks that no process shows it
// to readers after it was withdrawn, however far behind its index is.
type searcher struct {
	writer, reader *api // of which the latter sees published pages alone
	t              testing.TB
	flips          octavo.ID // the page
	judged         *atomic.Int64
}

// prepare makes a page that stays a draft, and one that does not.
func (s *searcher) prepare(ctx context.Context) {
	for _, slug := range []string{"secret-draft", "secret-flips"} {
		res, err := s.writer.do(ctx, call{method: http.MethodPost, path: "/pages", body: object{"title": "The " + secret, "slug": slug, "content": "Of the " + secret + "."}})
		if err == nil && res.status != http.StatusCreated {
			err = fmt.Errorf("have %s", res)
		}
		var p octavo.Page
		if err == nil {
			p, err = res.page()
		}
		if err != nil {
			s.t.Fatal(err)
		}
		s.flips = p.ID
	}
}

func (s *searcher) work(ctx context.Context) {
	for _, status := range []octavo.PageStatus{octavo.Published, octavo.Draft} {
		res, err := persist(ctx, s.writer, call{method: http.MethodPatch, path: "/pages/" + string(s.flips), body: object{"status": status}})
		if err != nil {
			return // the end
		}
		if res.status != http.StatusOK {
			s.t.Errorf("make the page %s: have %s", status, res)
		}
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

// expected are the events that what the writers did must have caused, by page.
type expected struct {
	mu     sync.Mutex
	events map[octavo.ID][]octavo.EventType
}

// told learns of an effect.
func (x *expected) told(e effect, before state) {
	var events []octavo.EventType
	was, is := before.version > 0 && !before.deleted && before.status == octavo.Published, !e.after.deleted && e.after.status == octavo.Published
	if before.version == 0 {
		events = append(events, octavo.PageCreated)
	}
	if e.after.deleted {
		events = append(events, octavo.PageDeleted)
	}
	if is && !was {
		events = append(events, octavo.PagePublished)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.events[e.page.id] = append(x.events[e.page.id], events...)
}
