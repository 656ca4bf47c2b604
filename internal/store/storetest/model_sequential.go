package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// slugState is the page of a slug, and how it has the slug.
type slugState struct {
	page     octavo.ID
	current  bool
	released bool
}

// world is the model of a store: what it should hold, by the plainest rules.
type world struct {
	pages map[octavo.ID]state
	slugs map[string]slugState
}

// modelSequential runs random operations one after another and compares every
// answer and the whole state with the model.
func modelSequential(e *env) {
	round := 0
	rapid.Check(e.T, func(t *rapid.T) {
		round++
		n := names{prefix: fmt.Sprintf("r%d", round)}
		w := world{map[octavo.ID]state{}, map[string]slugState{}}
		t.Repeat(map[string]func(*rapid.T){"operation": func(t *rapid.T) {
			o := drawOp(t)
			if o.Kind == "create" && len(n.pages) == pool {
				return
			}
			want, wantError := w.apply(o, n)
			var have octavo.Page
			err := e.write(func(tx *sqldb.Tx) (err error) {
				have, err = o.run(tx, e.st.Pages, n)
				return err
			})
			if !sameType(err, wantError) {
				t.Fatalf("%+v:\nhave error %v\nwant %q", o, err, wantError)
			}
			if err != nil {
				return
			}
			if o.Kind == "create" {
				n.pages = append(n.pages, have.ID)
				w.pages[have.ID] = want
				w.own(want.slug, have.ID)
			}
			if o.Kind != "delete" && !reflect.DeepEqual(stateOf(have), want.shown()) {
				t.Fatalf("%+v:\nhave %+v\nwant %+v", o, stateOf(have), want.shown())
			}
			w.compare(t, e, n)
		}})
	})
}

func sameType(err error, want octavo.ProblemType) bool {
	if e, ok := errors.AsType[*octavo.Error](err); ok {
		return e.Type == want
	}
	return err == nil && want == ""
}

// apply changes the model as the operation should change the store. It returns
// the page that the operation should return, or the type of its error.
func (w *world) apply(o op, n names) (state, octavo.ProblemType) {
	if o.Kind == "create" {
		p := o.create(n)
		s := state{text: text{p.Title, p.Slug, p.Content}, status: p.Status, parent: p.ParentID, version: 1}
		s.revisions = []text{s.text}
		if refused := w.refuseParent("", p.ParentID); refused != "" {
			return s, refused
		}
		return s, w.refuseSlug("", p.Slug)
	}
	id := n.page(o.Page)
	s, ok := w.pages[id]
	if !ok || s.deleted != (o.Kind == "restore") {
		return s, octavo.NotFound
	}
	switch o.Kind {
	case "update":
		return w.change(id, o.change(n))
	case "revision":
		if int(o.Revision) > len(s.revisions) {
			return s, octavo.NotFound
		}
		r := s.revisions[o.Revision-1]
		return w.change(id, pagestore.Change{Title: &r.title, Slug: &r.slug, Content: &r.content})
	case "restore":
		return w.restore(id)
	}
	children := w.children(id)
	if o.Policy == pagestore.ChildrenRefuse && len(children) > 0 {
		return s, octavo.Conflict
	}
	for _, child := range children {
		if o.Policy == pagestore.ChildrenReparent {
			w.pages[child], _ = w.pages[child].with(pagestore.Change{ParentID: &s.parent})
		}
	}
	w.remove(id)
	return s, ""
}

func (w *world) change(id octavo.ID, c pagestore.Change) (state, octavo.ProblemType) {
	old := w.pages[id]
	s, _ := old.with(c)
	if s.parent != old.parent {
		if refused := w.refuseParent(id, s.parent); refused != "" {
			return s, refused
		}
	}
	if s.slug != old.slug {
		if refused := w.refuseSlug(id, s.slug); refused != "" {
			return s, refused
		}
		w.slugs[old.slug] = slugState{page: id}
		w.own(s.slug, id)
	}
	w.pages[id] = s
	return s, ""
}

func (w *world) restore(id octavo.ID) (state, octavo.ProblemType) {
	s := w.pages[id]
	if refused := w.refuseSlug(id, s.slug); refused != "" {
		return s, refused
	}
	for slug, owner := range w.slugs {
		if owner.page == id {
			w.slugs[slug] = slugState{page: id}
		}
	}
	w.own(s.slug, id)
	if w.refuseParent(id, s.parent) != "" {
		s.parent = ""
	}
	s.deleted = false
	s.version++
	w.pages[id] = s
	return s, ""
}

// remove deletes the page and all below it.
func (w *world) remove(id octavo.ID) {
	for _, child := range w.children(id) {
		w.remove(child)
	}
	s := w.pages[id]
	s.deleted = true
	s.version++
	w.pages[id] = s
	for slug, owner := range w.slugs {
		if owner.page == id {
			w.slugs[slug] = slugState{page: id, released: true}
		}
	}
}

func (w *world) own(slug string, id octavo.ID) { w.slugs[slug] = slugState{page: id, current: true} }

func (w *world) refuseSlug(id octavo.ID, slug string) octavo.ProblemType {
	if owner := w.slugs[slug]; owner.current && owner.page != id {
		return octavo.SlugTaken
	}
	return ""
}

func (w *world) refuseParent(id, parent octavo.ID) octavo.ProblemType {
	for up := parent; up != ""; up = w.pages[up].parent {
		if s, ok := w.pages[up]; !ok || s.deleted {
			return octavo.InvalidRequest
		}
		if up == id {
			return octavo.Conflict
		}
	}
	return ""
}

func (w *world) children(id octavo.ID) (list []octavo.ID) {
	for child, s := range w.pages {
		if s.parent == id && !s.deleted {
			list = append(list, child)
		}
	}
	slices.Sort(list)
	return list
}

// compare reads everything that the model knows.
func (w *world) compare(t *rapid.T, e *env, n names) {
	for _, id := range n.pages {
		want := w.pages[id]
		p, err := e.st.Pages.Get(e.ctx, everyone, id)
		if want.deleted {
			if !sameType(err, octavo.NotFound) {
				t.Fatalf("deleted page %s: have error %v", id, err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(stateOf(p), want.shown()) {
			t.Fatalf("page %s: error %v\nhave %+v\nwant %+v", id, err, stateOf(p), want.shown())
		}
		if p.Revision != int64(len(want.revisions)) {
			t.Fatalf("page %s: have revision %d, want %d", id, p.Revision, len(want.revisions))
		}
	}
	for i := range pool {
		slug := n.slug(i)
		want, ok := w.slugs[slug]
		p, former, err := e.st.Pages.BySlug(e.ctx, everyone, slug)
		if !ok || want.released {
			if !sameType(err, octavo.NotFound) {
				t.Fatalf("free slug %s: have page %s, error %v", slug, p.ID, err)
			}
			continue
		}
		if err != nil || p.ID != want.page || former == want.current {
			t.Fatalf("slug %s: have page %s, former %v, error %v, want %+v", slug, p.ID, former, err, want)
		}
	}
}
