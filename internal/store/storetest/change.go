package storetest

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

func changeKinds(e *env) {
	p := e.create(page("p"))
	parent := e.create(page("parent"))
	status := func(s octavo.PageStatus) pagestore.Change { return pagestore.Change{Status: &s} }
	update := func(c pagestore.Change) func() { return func() { e.update(p.ID, c) } }
	for _, test := range []struct {
		name string
		act  func()
		want []octavo.EventType
	}{
		{"edit", update(pagestore.Change{Content: ref("x")}), []octavo.EventType{octavo.PageUpdated}},
		{"move", update(pagestore.Change{ParentID: &parent.ID}), []octavo.EventType{octavo.PageUpdated}},
		{"publish", update(status(octavo.Published)), []octavo.EventType{octavo.PagePublished}},
		{"publish again", update(status(octavo.Published)), nil},
		{"edit in public", update(pagestore.Change{Content: ref("y")}), []octavo.EventType{octavo.PageUpdated}},
		{"unpublish", update(status(octavo.Draft)), []octavo.EventType{octavo.PageUnpublished}},
		{"archive a draft", update(status(octavo.Archived)), []octavo.EventType{octavo.PageArchived}},
		{"draft of archived", update(status(octavo.Draft)), []octavo.EventType{octavo.PageUpdated}},
		{
			"edit and publish", update(pagestore.Change{Title: ref("z"), Status: ref(octavo.Published)}),
			[]octavo.EventType{octavo.PageUpdated, octavo.PagePublished},
		},
		{"archive", update(status(octavo.Archived)), []octavo.EventType{octavo.PageArchived}},
		{"publish archived", update(status(octavo.Published)), []octavo.EventType{octavo.PagePublished}},
		{"delete", func() { e.delete(p.ID) }, []octavo.EventType{octavo.PageDeleted}},
		{"restore", func() { e.restore(p.ID) }, []octavo.EventType{octavo.PageRestored, octavo.PagePublished}},
		{"create a draft", func() { e.create(page("draft")) }, []octavo.EventType{octavo.PageCreated}},
		{"create in public", func() { e.create(published("public")) }, []octavo.EventType{octavo.PageCreated, octavo.PagePublished}},
	} {
		before := e.position()
		test.act()
		e.equal(test.name, e.kinds(before, ""), test.want)
	}
}

func changeRecord(e *env) {
	p := e.create(page("p"))
	c := e.changes(0)[0]
	if !c.EventID.Is(octavo.PrefixEvent) {
		e.Errorf("have event id %q", c.EventID)
	}
	e.equal("change", c, changelog.Change{
		Position: c.Position, EventID: c.EventID, Time: e.clock.now(), Kind: octavo.PageCreated, Page: p.ID, Version: 1,
		Actor: ann, TraceID: "trace", Payload: json.RawMessage(`{"id":"` + p.ID + `"}`),
	})
	p = e.update(p.ID, pagestore.Change{Status: ref(octavo.Published)})
	c = e.changes(c.Position)[0]
	e.equal("payload of page.published", string(c.Payload), string(p.AppendJSON(nil)))
	e.equal("public", c.Public, true)
	e.update(p.ID, pagestore.Change{Status: ref(octavo.Draft)})
	e.delete(p.ID)
	list := e.changes(c.Position)
	e.equal("public after the page was hidden", list[1].Public, true)
	e.equal("payload of page.deleted", string(list[1].Payload), `{"id":"`+string(p.ID)+`"}`)
}

// changeFollow reads changes while others write, as followers do: none is
// missed, and those of one page come in the order of its versions.
func changeFollow(e *env) {
	const writers, edits = 6, 15
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			p, err := e.tryCreate(page(fmt.Sprintf("w-%d", w)))
			for i := 0; i < edits && err == nil; i++ {
				_, err = e.tryUpdate(p.ID, pagestore.Change{Content: ref(fmt.Sprint(i))})
			}
			if err != nil {
				e.Errorf("write: %v", err)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	versions := map[octavo.ID]int64{}
	var last int64
	for ended := false; ; {
		list, err := e.st.Log.Changes(e.ctx, last, 7)
		e.noError(err, "follow")
		for _, c := range list {
			if c.Position <= last || c.Version != versions[c.Page]+1 {
				e.Errorf("have position %d behind %d, version %d behind %d", c.Position, last, c.Version, versions[c.Page])
			}
			last, versions[c.Page] = c.Position, c.Version
		}
		if len(list) > 0 {
			continue
		}
		if ended {
			break
		}
		select {
		case <-done:
			ended = true
		default:
		}
	}
	e.equal("pages followed", len(versions), writers)
	for id, v := range versions {
		e.equal("last version of "+string(id), v, int64(edits+1))
	}
}
