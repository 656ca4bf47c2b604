package faulttest

import (
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/octavo-docs/octavo"
)

// object is a JSON object to be sent.
type object map[string]any

// prose returns n bytes of letters, blanks and line feeds.
func prose(rng *rand.Rand, n int) string {
	const letters = "abcdefghijklmnopqrstuvwxyz     \n"
	text := make([]byte, n)
	for i := range text {
		text[i] = letters[rng.IntN(len(letters))]
	}
	return string(text)
}

// next draws an operation on the pages as they are now.
func (w *writer) next() *operation {
	var live, gone []*page
	for _, p := range w.pages {
		if w.busy(p) {
			continue
		}
		if p.deleted {
			gone = append(gone, p)
		} else {
			live = append(live, p)
		}
	}
	if op := w.discuss(live); op != nil {
		return op
	}
	switch n := w.rng.IntN(100); {
	case n < 30 || len(live) < 3:
		return w.create()
	case n < 55:
		return w.patch(pick(w.rng, live))
	case n < 70:
		return w.replace(pick(w.rng, live))
	case n < 80:
		return w.remove(pick(w.rng, live))
	case n < 90 && len(gone) > 0:
		return w.restore(pick(w.rng, gone))
	default:
		return w.bulk(live)
	}
}

func pick[T any](rng *rand.Rand, list []T) T { return list[rng.IntN(len(list))] }

// fresh returns a name that was not used yet.
func (w *writer) fresh() string {
	w.made++
	return fmt.Sprintf("%s-%06d", w.name, w.made)
}

// text draws content, mostly short, sometimes of many database pages.
func (w *writer) text() string {
	n := w.rng.IntN(2 << 10)
	if w.rng.IntN(10) == 0 {
		n = w.rng.IntN(len(w.prose) / 2)
	}
	from := w.rng.IntN(len(w.prose) - n)
	return "# " + w.fresh() + "\n\n" + w.prose[from:from+n]
}

func (w *writer) newState() state {
	name := w.fresh()
	return state{slug: name, title: "Page " + name, content: w.text(), status: pick(w.rng, []octavo.PageStatus{octavo.Draft, octavo.Published}), version: 1}
}

// body is the state as PageCreate.
func (s state) body() object {
	return object{"title": s.title, "slug": s.slug, "content": s.content, "status": s.status}
}

func (w *writer) create() *operation {
	s := w.newState()
	return &operation{
		call:    call{method: http.MethodPost, path: "/pages", body: s.body(), key: "key-" + s.slug},
		want:    http.StatusCreated,
		effects: []effect{{&page{}, s}},
	}
}

// changed draws a change of a page and the members that tell it.
func (w *writer) changed(p *page) (state, object) {
	s := p.state
	s.version++
	s.content = w.text()
	members := object{"content": s.content}
	if w.rng.IntN(2) == 0 {
		s.title = "Title " + w.fresh()
		members["title"] = s.title
	}
	if w.rng.IntN(4) == 0 {
		s.status = octavo.Archived
		members["status"] = s.status
	}
	return s, members
}

// condition draws whether a change of a page is conditional.
func (w *writer) condition(p *page) string {
	if w.rng.IntN(2) == 0 {
		return ""
	}
	return tag(p.id, p.version)
}

func (w *writer) patch(p *page) *operation {
	s, members := w.changed(p)
	return &operation{
		call:    call{method: http.MethodPatch, path: "/pages/" + string(p.id), body: members, match: w.condition(p)},
		want:    http.StatusOK,
		effects: []effect{{p, s}},
	}
}

func (w *writer) replace(p *page) *operation {
	s := w.newState() // another slug too
	s.version = p.version + 1
	return &operation{
		call:    call{method: http.MethodPut, path: "/pages/" + string(p.id), body: s.body(), match: w.condition(p)},
		want:    http.StatusOK,
		effects: []effect{{p, s}},
	}
}

func (w *writer) remove(p *page) *operation {
	return &operation{
		call:    call{method: http.MethodDelete, path: "/pages/" + string(p.id), match: w.condition(p)},
		want:    http.StatusNoContent,
		effects: []effect{{p, p.removed()}},
	}
}

func (s state) removed() state {
	s.version++
	s.deleted = true
	return s
}

func (w *writer) restore(p *page) *operation {
	s := p.state
	s.version++
	s.deleted = false
	return &operation{
		call:    call{method: http.MethodPost, path: "/pages/" + string(p.id) + "/restore", key: "key-" + w.fresh()},
		want:    http.StatusOK,
		effects: []effect{{p, s}},
	}
}

// bulk creates some pages, changes some and deletes one.
func (w *writer) bulk(live []*page) *operation {
	var operations []object
	op := &operation{want: http.StatusOK}
	for range 1 + w.rng.IntN(5) {
		s := w.newState()
		operations = append(operations, object{"op": "create", "page": s.body()})
		op.effects = append(op.effects, effect{&page{}, s})
	}
	order := w.rng.Perm(len(live))[:3]
	for _, i := range order[1:] {
		s, members := w.changed(live[i])
		operations = append(operations, object{"op": "update", "id": live[i].id, "page": members})
		op.effects = append(op.effects, effect{live[i], s})
	}
	gone := live[order[0]]
	operations = append(operations, object{"op": "delete", "id": gone.id})
	op.effects = append(op.effects, effect{gone, gone.removed()})
	op.call = call{
		method: http.MethodPost, path: "/pages/bulk", key: "key-" + w.fresh(),
		body: object{"atomic": w.rng.IntN(2) == 0, "operations": operations},
	}
	return op
}
