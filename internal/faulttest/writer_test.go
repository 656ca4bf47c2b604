package faulttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"

	"github.com/octavo-docs/octavo"
)

// state is the state of a page at one version.
type state struct {
	slug, title, content string
	status               octavo.PageStatus
	version              int64
	deleted              bool
}

// page is a page as its writer knows it.
type page struct {
	id octavo.ID // "" until the answer to its creation
	state
}

// effect is the effect of an operation on one page.
type effect struct {
	page  *page
	after state
}

// operation is a request with its expected effects.
type operation struct {
	call
	want    int // status of the answer
	effects []effect

	proposal *proposal // that it is about
	then     proposed  // what that becomes
	adds     []effect  // to those of its merge
}

// writer is a client whose pages only it changes, so it knows their expected states. It is
// not safe for concurrent use.
type writer struct {
	api   *api
	rng   *rand.Rand
	name  string
	made  int // pages and keys named so far
	prose string
	pages []*page

	proposals []*proposal
	open      *proposal      // that is not merged
	touched   map[*page]bool // changed since they were last verified
	pending   *operation     // the one without an answer
	figures   *figures

	// refuse says what is wrong with an answer of 500 and above.
	refuse func(answer) error

	// told, unless nil, learns of each effect that has come about, and what the
	// page was before.
	told func(e effect, before state)
}

// newWriters returns n writers, with the random source of that part of the test.
func newWriters(a *api, part uint64, n int, f *figures) []*writer {
	list := make([]*writer, n)
	for i := range list {
		rng := chance(part<<16 + uint64(i))
		list[i] = &writer{
			api: a, rng: rng, name: fmt.Sprintf("w%d", i), prose: prose(rng, 64<<10), touched: map[*page]bool{}, figures: f,
			refuse: func(a answer) error { return a.refusal(octavo.Unavailable) },
		}
	}
	return list
}

// errNoAnswer is returned by work if the outcome of its operation is unknown; it is then
// pending.
var errNoAnswer = errors.New("no answer")

// work performs a random operation.
func (w *writer) work(ctx context.Context) error {
	op := w.next()
	a, err := w.api.do(ctx, op.call)
	if err == nil && a.status >= 500 {
		if wrong := w.refuse(a); wrong != nil {
			w.figures.errorf("%s: %v", op, wrong)
		}
		err = errNoAnswer
	}
	if err != nil {
		w.pending = op
		w.figures.unknown.Add(1)
		return errors.Join(errNoAnswer, err)
	}
	w.accept(op, a)
	return nil
}

// accept checks the response to an operation and records its effects.
func (w *writer) accept(op *operation, a answer) {
	if a.status != op.want {
		w.figures.errorf("%s: have %s, want %d", op, a, op.want)
		return
	}
	w.figures.answered.Add(1)
	if op.proposal != nil {
		if err := w.acceptProposal(op, a); err != nil {
			w.figures.errorf("%s: %v", op, err)
		}
		return
	}
	pages, err := op.pages(a)
	if err != nil {
		w.figures.errorf("%s: %v", op, err)
		return
	}
	for i, e := range op.effects {
		if !e.after.deleted {
			e.page.id = pages[i].ID
			if have := stateOf(pages[i], e.after.version); have != e.after {
				w.figures.errorf("%s: the answer tells\n%+.300v\nwant\n%+.300v", op, have, e.after)
			}
		}
		w.take(e)
	}
}

// take records that an effect has happened.
func (w *writer) take(e effect) {
	if e.after.version == 1 {
		w.pages = append(w.pages, e.page)
	}
	if w.told != nil {
		w.told(e, e.page.state)
	}
	e.page.state = e.after
	w.touched[e.page] = true
}

// pages reads the pages of an answer, one for each effect.
func (op *operation) pages(a answer) ([]octavo.Page, error) {
	switch {
	case a.status == http.StatusNoContent:
		return make([]octavo.Page, 1), nil
	case op.path != "/pages/bulk":
		p, err := a.page()
		if err == nil && p.Version != op.effects[0].after.version {
			err = fmt.Errorf("have version %d, want %d", p.Version, op.effects[0].after.version)
		}
		return []octavo.Page{p}, err
	}
	var bulk struct {
		Results []struct {
			Status int
			Page   octavo.Page
		}
	}
	if err := json.Unmarshal(a.body, &bulk); err != nil {
		return nil, err
	}
	if len(bulk.Results) != len(op.effects) {
		return nil, fmt.Errorf("have %d results, want %d", len(bulk.Results), len(op.effects))
	}
	list := make([]octavo.Page, len(op.effects))
	for i, r := range bulk.Results {
		if r.Status >= 300 {
			return nil, fmt.Errorf("result %d: %s", i, a)
		}
		list[i] = r.Page
	}
	return list, nil
}

// stateOf returns the state of a page that was read. The bodies of pages do
// not tell the version.
func stateOf(p octavo.Page, version int64) state {
	return state{slug: p.Slug, title: p.Title, content: p.Content, status: p.Status, version: version}
}
