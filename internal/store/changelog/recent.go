package changelog

import (
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// What is kept of the change log in memory while readers wait for more.
const (
	recentCount = 10_000
	recentBytes = 8 << 20 // of payloads
	recentRest  = time.Minute
)

// recent is the newest part of the change log in memory: every change after
// start up to end. Readers of the feed are served from it, so that the
// database is read once however many they are.
//
// Since it has every change after an event, it also knows who may see that
// event as of end: a page is published if its last change in memory says so.
type recent struct {
	mu         sync.RWMutex
	on         bool
	start, end int64
	removed    int64  // see [Log.First]
	epoch      uint64 // see Store.SameEpoch
	changes    []*recentChange
	bytes      int
	pages      map[octavo.ID]*recentPage // of the changes, and their parents
}

// recentChange is a change with what decides who gets it.
type recentChange struct {
	Change
	bare   json.RawMessage // the payload without the parent
	page   *recentPage     // of page.published, otherwise nil
	parent *recentPage     // nil without one
}

// recentPage is what is known of a page that changes refer to.
type recentPage struct {
	id        octavo.ID
	published bool
	uses      int // by changes
}

// reset starts again after end, or drops everything.
func (r *recent) reset(on bool, end int64, epoch uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !on && !r.on {
		return
	}
	r.on, r.start, r.end, r.epoch = on, end, end, epoch
	r.changes, r.bytes, r.pages = nil, 0, map[octavo.ID]*recentPage{}
}

// begin makes the memory keep changes from now on. If its data of pages is invalid or
// too much is missing, it starts again after the last change, if that is near.
func (r *recent) begin(end int64, epoch uint64) {
	missing := end - r.end
	near := r.on && 0 <= missing && missing <= recentCount
	switch {
	case !near:
		r.reset(true, end, epoch)
	case r.epoch != epoch:
		r.reset(true, r.end, epoch)
	}
}

// add appends changes. parents are the pages of page.published, by index of
// the change, and shown are those of their parents that are published.
func (r *recent) add(batch []Change, parents map[int]octavo.Page, shown map[octavo.ID]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, c := range batch {
		r.hear(c)
		kept := &recentChange{Change: c}
		if c.Kind == octavo.PagePublished {
			kept.page = r.use(c.Page, true)
		}
		if page, ok := parents[i]; ok {
			kept.parent = r.use(page.ParentID, shown[page.ParentID])
			page.ParentID = ""
			kept.bare = page.AppendJSON(nil)
		}
		r.changes = append(r.changes, kept)
		r.bytes += kept.size()
		r.end = c.Position
	}
	for len(r.changes) > recentCount || r.bytes > recentBytes {
		r.start = r.changes[0].Position
		r.drop(r.changes[0])
		r.changes[0] = nil
		r.changes = r.changes[1:]
	}
}

// hear updates what is known of a page that other changes refer to.
func (r *recent) hear(c Change) {
	if c.Kind == octavo.PagePurged { // its changes were removed with it
		r.changes = slices.DeleteFunc(r.changes, func(kept *recentChange) bool {
			if kept.Page == c.Page {
				r.drop(kept)
			}
			return kept.Page == c.Page
		})
	}
	page := r.pages[c.Page]
	if page == nil {
		return
	}
	switch c.Kind {
	case octavo.PagePublished:
		page.published = true
	case octavo.PageUnpublished, octavo.PageArchived, octavo.PageDeleted, octavo.PagePurged:
		page.published = false
	}
}

func (c *recentChange) size() int { return len(c.Payload) + len(c.bare) }

// use returns the known page, or adds it with the given state.
func (r *recent) use(id octavo.ID, published bool) *recentPage {
	page := r.pages[id]
	if page == nil {
		page = &recentPage{id: id, published: published}
		r.pages[id] = page
	}
	page.uses++
	return page
}

// drop releases what a change uses.
func (r *recent) drop(c *recentChange) {
	r.bytes -= c.size()
	for _, page := range []*recentPage{c.page, c.parent} {
		if page == nil {
			continue
		}
		if page.uses--; page.uses == 0 {
			delete(r.pages, page.id)
		}
	}
}

// reached records that there is nothing between the last change and end, and
// what is no longer kept.
func (r *recent) reached(end, removed int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.end, r.removed = max(r.end, end), removed
}

// read is [Log.Events] from memory; ok is false if the memory does not cover the range.
func (r *recent) read(q EventQuery, end int64) (events []Change, next int64, ok bool, err error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch {
	case !r.on || q.After < r.start || q.After > r.end || r.end < end, q.Public && q.After < r.removed:
		return nil, 0, false, nil
	case q.After < r.removed:
		return nil, 0, true, &TruncatedError{After: q.After, Removed: r.removed}
	}
	size := 0
	from := sort.Search(len(r.changes), func(i int) bool { return r.changes[i].Position > q.After })
	for _, c := range r.changes[from:] {
		if !slices.Contains(q.Types, c.Kind) || q.Public && !c.public() {
			continue
		}
		told := c.Change
		if q.Public && c.parent != nil && !c.parent.published {
			told.Payload = c.bare
		}
		events = append(events, told)
		if size += len(c.Payload); len(events) == q.Limit || size >= q.Bytes {
			return events, told.Position, true, nil
		}
	}
	return events, r.end, true, nil
}

// public reports whether a published-only credential gets the change (decision 34).
func (c *recentChange) public() bool {
	return c.page != nil && c.page.published || c.Kind == octavo.PageDeleted && c.Change.Public
}

// parentsOf returns the pages of page.published that have a parent, by index
// of the change.
func parentsOf(changes []Change) (map[int]octavo.Page, error) {
	pages := map[int]octavo.Page{}
	for i, c := range changes {
		if c.Kind != octavo.PagePublished {
			continue
		}
		var page octavo.Page
		if err := json.Unmarshal(c.Payload, &page); err != nil {
			return nil, fmt.Errorf("read the page of event %s: %w", c.EventID, err)
		}
		if page.ParentID != "" {
			pages[i] = page
		}
	}
	return pages, nil
}
