package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/anishathalye/porcupine"

	"github.com/octavo-docs/octavo"
)

// chaosPageTypes are all events of pages, which the webhook gets too.
func chaosPageTypes() []octavo.EventType {
	return []octavo.EventType{
		octavo.PageCreated, octavo.PageUpdated, octavo.PagePublished, octavo.PageUnpublished,
		octavo.PageArchived, octavo.PageDeleted, octavo.PageRestored, octavo.PagePurged,
	}
}

// chaosTypes are all events that the checker reads in the feed.
func chaosTypes() string {
	list := append(chaosPageTypes(), octavo.AssetCreated, octavo.AssetUpdated, octavo.AssetDeleted, octavo.ExportIsReady, octavo.ExportHasFailed)
	names := make([]string, len(list))
	for i, kind := range list {
		names[i] = string(kind)
	}
	return strings.Join(names, ",")
}

// cause is an event that a change must cause.
type cause struct {
	kind octavo.EventType
	page state // what page.published carries
}

// told reports whether an event is this one.
func (x cause) told(e octavo.Event) bool {
	if e.Type != x.kind || x.kind != octavo.PagePublished {
		return e.Type == x.kind
	}
	var p octavo.Page
	err := json.Unmarshal(e.Data, &p)
	return err == nil && stateOf(p, x.page.version) == x.page
}

// causesOf returns the events that a change of a page causes, in their order.
func causesOf(before, after state) (list []cause) {
	kinds := []octavo.EventType{octavo.PageUpdated}
	revised := after.slug != before.slug || after.title != before.title || after.content != before.content
	shown := after.status == octavo.Published
	switch {
	case before.version == after.version:
		return nil // nothing was changed
	case before.version == 0:
		kinds = []octavo.EventType{octavo.PageCreated}
	case after.deleted:
		kinds = []octavo.EventType{octavo.PageDeleted}
	case before.deleted:
		kinds = []octavo.EventType{octavo.PageRestored}
	case after.status == before.status || after.status == octavo.Draft && before.status == octavo.Archived:
		shown = false
	default:
		if !revised {
			kinds = nil
		}
		switch {
		case after.status == octavo.Archived:
			kinds = append(kinds, octavo.PageArchived)
		case after.status == octavo.Draft:
			kinds = append(kinds, octavo.PageUnpublished)
		}
	}
	if shown && !after.deleted {
		kinds = append(kinds, octavo.PagePublished)
	}
	for _, kind := range kinds {
		list = append(list, cause{kind, after})
	}
	return list
}

// expected are the events that must exist, by page.
type expected struct {
	mu     sync.Mutex
	events map[octavo.ID][]cause
	maybe  map[octavo.ID][]cause // that may follow, since there was no answer
	former map[octavo.ID]string  // the content that a page had before
}

func newExpected() *expected {
	return &expected{events: map[octavo.ID][]cause{}, maybe: map[octavo.ID][]cause{}, former: map[octavo.ID]string{}}
}

// learn records an effect.
func (x *expected) learn(e effect, before state) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.events[e.page.id] = append(x.events[e.page.id], causesOf(before, e.after)...)
	if before.content != "" && before.content != e.after.content {
		x.former[e.page.id] = before.content
	}
}

// perhaps records an effect of a request without a response.
func (x *expected) perhaps(id octavo.ID, before, after state) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.maybe[id] = causesOf(before, after)
}

// bySubject groups the feed by subject.
func bySubject(t testing.TB, feed []octavo.Event) map[octavo.ID][]octavo.Event {
	t.Helper()
	told, seen := map[octavo.ID][]octavo.Event{}, map[octavo.ID]bool{}
	for _, e := range feed {
		if seen[e.ID] {
			t.Errorf("event %s is told twice", e.ID)
		}
		seen[e.ID] = true
		id := subject(t, e)
		told[id] = append(told[id], e)
	}
	return told
}

// explain compares the events of the pages with the expected ones, and removes them.
func (x *expected) explain(t testing.TB, told map[octavo.ID][]octavo.Event) {
	t.Helper()
	for id, events := range x.events {
		all := append(slices.Clone(events), x.maybe[id]...)
		have := told[id]
		good := len(events) <= len(have) && len(have) <= len(all)
		for i := 0; good && i < len(have); i++ {
			good = all[i].told(have[i])
		}
		if !good {
			t.Errorf("page %s: the feed tells %s, want %.2000v and maybe %.300v", id, list(have), events, x.maybe[id])
		}
		delete(told, id)
	}
}

// list formats events.
func list(events []octavo.Event) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "\n%s %s %.200s", e.ID, e.Type, e.Data)
	}
	return b.String()
}

// toldState is a page, with the number of its events that are explained.
type toldState struct {
	state
	told int
	read bool // the feed was read
}

// toldModel is pageModel with a read of the feed at the end: some order of the operations
// that explains all responses must also cause exactly these events.
func toldModel(feed []octavo.Event) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return toldState{} },
		Step: func(s, in, out any) (bool, any) {
			now, op, have := s.(toldState), in.(input), out.(output)
			if now.read {
				return have.unknown, now // it has not happened until then
			}
			if op.kind == "feed" {
				return now.told == len(feed), toldState{now.state, now.told, true}
			}
			want, after := step(now.state, op)
			if !have.unknown && have != want {
				return false, s
			}
			for _, event := range causesOf(now.state, after) {
				if now.told == len(feed) || !event.told(feed[now.told]) {
					return false, s
				}
				now.told++
			}
			return true, toldState{after, now.told, false}
		},
	}
}

// withFeed adds a read of the feed after all answered operations.
func withFeed(ops []porcupine.Operation) []porcupine.Operation {
	return append(slices.Clone(ops), porcupine.Operation{Call: math.MaxInt64 - 2, Return: math.MaxInt64 - 1, Input: input{kind: "feed"}, Output: output{}})
}

// explainMixed compares the history and the events of a page that several clients have
// changed.
func explainMixed(t testing.TB, id octavo.ID, ops []porcupine.Operation, feed []octavo.Event) {
	t.Helper()
	if have := porcupine.CheckOperationsTimeout(pageModel(), ops, limit); have != porcupine.Ok {
		t.Errorf("page %s: %s%s", id, have, tell(ops))
		return
	}
	if have := porcupine.CheckOperationsTimeout(toldModel(feed), withFeed(ops), limit); have != porcupine.Ok {
		t.Errorf("page %s: %s with what the feed tells:%s%s", id, have, list(feed), tell(ops))
	}
}

// explainCreated explains pages created without a response. Each may exist once,
// unchanged.
func explainCreated(t testing.TB, told map[octavo.ID][]octavo.Event, created []state, read func(octavo.ID) state) (explained int) {
	t.Helper()
	possible := map[state]bool{}
	for _, s := range created {
		s.version = 1
		possible[s] = true
	}
	for id, events := range told {
		if !id.Is(octavo.PrefixPage) {
			continue
		}
		s := read(id)
		if !possible[s] {
			t.Errorf("the feed tells of page %s, which nobody made: %s", id, list(events))
		} else if want := causesOf(state{}, s); len(want) != len(events) || !want[0].told(events[0]) || !want[len(want)-1].told(events[len(events)-1]) {
			t.Errorf("page %s: the feed tells %s, want %.1000v", id, list(events), want)
		}
		delete(possible, s)
		delete(told, id)
		explained++
	}
	return explained
}

// told compares the feed with all operations.
func (c *chaos) told(feed []octavo.Event, pages *expected, mixers []*mixer, history map[octavo.ID][]porcupine.Operation, u *uploader, x *exporter) {
	told := bySubject(c.t, feed)
	pages.explain(c.t, told)
	operations, unknown := 0, 0
	for id, ops := range history {
		for _, op := range ops {
			operations++
			if op.Output.(output).unknown {
				unknown++
			}
		}
		explainMixed(c.t, id, ops, told[id])
		delete(told, id)
	}
	var created []state
	for _, m := range mixers {
		created = append(created, m.created...)
	}
	made := explainCreated(c.t, told, created, func(id octavo.ID) state {
		res, err := persist(c.t.Context(), mixers[0].api, call{method: http.MethodGet, path: "/pages/" + string(id)})
		if err != nil || res.status != http.StatusOK {
			c.t.Errorf("read page %s, which the feed tells of: %s, %v", id, res, err)
			return state{}
		}
		p, err := res.page()
		if err != nil {
			c.t.Error(err)
		}
		return stateOf(p, p.Version)
	})
	u.explain(c.t, told)
	x.explain(c.t, told)
	for id, events := range told {
		c.t.Errorf("the feed tells of %s, and nobody did it: %s", id, list(events))
	}
	c.report.held("linearizable per page: %d operations on %d pages, %d of them without an answer, in an order that causes the events of the feed", operations, len(history), unknown)
	c.report.held("events: %d in the feed, each of them caused: by %d pages that one client changes, %d that several change, %d of %d created without an answer, files and exports",
		len(feed), len(pages.events), len(history), made, len(created))
}

// histories returns the operations of the mixers by page, with a final read of each.
func histories(list []*mixer) map[octavo.ID][]porcupine.Operation {
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
	return pages
}

// fixed creates a page that never changes.
func (x *expected) fixed(ctx context.Context, a *api, body object) (octavo.Page, error) {
	res, err := a.do(ctx, call{method: http.MethodPost, path: "/pages", body: body})
	if err == nil && res.status != http.StatusCreated {
		err = fmt.Errorf("have %s", res)
	}
	if err != nil {
		return octavo.Page{}, fmt.Errorf("make a page: %w", err)
	}
	p, err := res.page()
	if err == nil {
		x.learn(effect{&page{id: p.ID}, stateOf(p, p.Version)}, state{})
	}
	return p, err
}
