package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo"
)

// figures count the observations of a test, and fail it if a rule was broken.
type figures struct {
	t                            testing.TB
	answered, unknown            atomic.Int64 // operations
	settled                      atomic.Int64 // operations without an answer whose outcome is known by now
	there, lost, doubled, halves atomic.Int64 // of those
	merged                       atomic.Int64 // proposals

	foreign func(octavo.Page) bool // pages of others than the writers; nil is none
}

func (f *figures) errorf(format string, args ...any) { f.t.Errorf(format, args...) }

// waiting is the number of writers with an operation without a response.
func (f *figures) waiting() int64 { return f.unknown.Load() - f.settled.Load() }

// String returns the figures in one line.
func (f *figures) String() string {
	return fmt.Sprintf("seed %d: %d operations answered, %d without an answer of which %d had been carried out, %d merges; lost %d, doubled %d, half done %d",
		*seed, f.answered.Load(), f.unknown.Load(), f.there.Load(), f.merged.Load(), f.lost.Load(), f.doubled.Load(), f.halves.Load())
}

// settle finds the outcome of the pending operation, and repeats it if it did not happen:
// it must have happened completely or not at all, and never twice. It only fails when ctx
// ends.
func (w *writer) settle(ctx context.Context) error {
	op := w.pending
	if op == nil {
		return nil
	}
	before, err := w.done(ctx, op)
	if err != nil {
		return fmt.Errorf("look for the effects of %s: %w", op, err)
	}
	if before == half {
		w.figures.halves.Add(1)
		w.figures.errorf("%s: only a part of it is there", op)
	}
	again := op.call
	if again.key == "" {
		// The condition holds until the operation has acted.
		again.match = tag(op.effects[0].page.id, op.effects[0].page.version)
	}
	a, err := w.persist(ctx, again)
	if err != nil {
		return fmt.Errorf("repeat %s: %w", op, err)
	}
	w.pending = nil
	w.figures.settled.Add(1)
	acted := again.key == "" && (a.status == http.StatusPreconditionFailed || op.method == http.MethodDelete && a.status == http.StatusNotFound)
	replayed := a.header.Get("Idempotency-Replayed") != ""
	switch {
	case acted:
		w.figures.there.Add(1)
		w.take(op.effects[0])
	default:
		if replayed {
			w.figures.there.Add(1)
		} else if before == whole {
			w.figures.doubled.Add(1)
			w.figures.errorf("%s was there, and its repetition acted again: %s", op, a)
		}
		w.accept(op, a)
	}
	return nil
}

// persist repeats a request until its response is final.
func (w *writer) persist(ctx context.Context, c call) (a answer, err error) {
	err = retry(ctx, func() (err error) {
		a, err = w.api.do(ctx, c)
		switch {
		case err != nil:
			return err
		case a.status >= 500:
			if wrong := w.refuse(a); wrong != nil {
				w.figures.errorf("%s: %v", c, wrong)
			}
			return fmt.Errorf("have %s", a)
		case a.status == http.StatusConflict && a.header.Get("Retry-After") != "":
			return fmt.Errorf("have %s", a)
		}
		return nil
	})
	return a, err
}

// extent says how much of an operation has happened.
type extent int

const (
	nothing extent = iota
	whole
	half
)

// done reads how much of an operation has happened.
func (w *writer) done(ctx context.Context, op *operation) (extent, error) {
	var there, absent int
	if p := op.proposal; p != nil {
		have, err := w.readProposal(ctx, p)
		switch {
		case err != nil:
			return half, err
		case have == p.proposed:
			absent++
		case have == op.then:
			there++
		default:
			w.figures.errorf("%s: the proposal is %+v, want %+v or %+v", op, have, p.proposed, op.then)
			return half, nil
		}
	}
	for _, e := range op.effects {
		path := "/pages/" + string(e.page.id)
		if e.page.id == "" {
			path = "/pages/by-slug/" + e.after.slug
		}
		have, err := w.read(ctx, path)
		switch {
		case err != nil:
			return half, err
		case e.page.id == "" && have.deleted, have.same(e.page.state):
			absent++
		case have.same(e.after):
			there++
		default:
			w.figures.errorf("%s: %s is\n%+.300v\nwant\n%+.300v\nor\n%+.300v", op, path, have, e.page.state, e.after)
			return half, nil
		}
	}
	switch {
	case there > 0 && absent > 0:
		return half, nil
	case there > 0:
		return whole, nil
	}
	return nothing, nil
}

// same compares two states; nothing can be read of a deleted page.
func (s state) same(t state) bool { return s.deleted && t.deleted || s == t }

// read reads a page; one that does not exist counts as deleted.
func (w *writer) read(ctx context.Context, path string) (state, error) {
	a, err := w.persist(ctx, call{method: http.MethodGet, path: path})
	if err != nil || a.status == http.StatusNotFound {
		return state{deleted: true}, err
	}
	p, err := a.page()
	if err != nil {
		return state{}, err
	}
	return stateOf(p, p.Version), nil
}

// verify compares all data of the server with the writers' knowledge.
func verify(ctx context.Context, f *figures, writers []*writer) {
	a := writers[0].api
	stored, err := everything(ctx, a)
	if err != nil {
		f.errorf("list all pages: %v", err)
		return
	}
	for _, w := range writers {
		for _, p := range w.pages {
			have, there := stored[p.id]
			delete(stored, p.id)
			if there == p.deleted || there && stateOf(have, p.version) != p.state {
				f.lost.Add(1)
				f.errorf("%s is listed (%t) as\n%+.300v\nwant\n%+.300v", p.id, there, stateOf(have, 0), p.state)
			}
		}
		for p := range w.touched {
			if have, err := w.read(ctx, "/pages/"+string(p.id)); err != nil || !have.same(p.state) {
				f.lost.Add(1)
				f.errorf("%s reads %v as\n%+.300v\nwant\n%+.300v", p.id, err, have, p.state)
			}
		}
		clear(w.touched)
	}
	verifyProposals(ctx, f, writers)
	for id, p := range stored {
		if f.foreign != nil && f.foreign(p) {
			continue
		}
		f.doubled.Add(1)
		f.errorf("%s (%s) is there and nobody made it", id, p.Slug)
	}
}

// everything lists all pages.
func everything(ctx context.Context, a *api) (map[octavo.ID]octavo.Page, error) {
	all := map[octavo.ID]octavo.Page{}
	for cursor := ""; ; {
		res, err := persist(ctx, a, call{method: http.MethodGet, path: "/pages?limit=100" + cursor})
		if err == nil && res.status != http.StatusOK {
			err = fmt.Errorf("have %s", res)
		}
		if err != nil {
			return nil, err
		}
		var list struct {
			Data       []octavo.Page
			Pagination struct {
				Cursor  string
				HasMore bool
			}
		}
		if err := json.Unmarshal(res.body, &list); err != nil {
			return nil, fmt.Errorf("read %s: %w", res, err)
		}
		for _, p := range list.Data {
			all[p.ID] = p
		}
		if !list.Pagination.HasMore {
			return all, nil
		}
		cursor = "&cursor=" + url.QueryEscape(list.Pagination.Cursor)
	}
}
