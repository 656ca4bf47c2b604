package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"sync"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const workers = 8

// outcome is an operation that succeeded and the page that it returned.
type outcome struct {
	op   op
	page octavo.Page
}

// modelConcurrent runs random operations at once, some of them several in one
// transaction. Whatever order they took, it must be one order: each version of
// a page is the outcome of one operation on the version before.
func modelConcurrent(e *env) {
	round := 0
	var position int64
	rapid.Check(e.T, func(t *rapid.T) {
		round++
		plans := rapid.SliceOfN(rapid.SliceOfN(rapid.Custom(drawOp), 1, 8), workers, workers).Draw(t, "plans")
		n := names{prefix: fmt.Sprintf("c%d", round)}
		histories := map[octavo.ID]map[int64][]outcome{}
		for i := range pool - 1 {
			p := e.create(page(n.slug(i)))
			n.pages = append(n.pages, p.ID)
			histories[p.ID] = map[int64][]outcome{1: {{op{Kind: "create"}, p}}}
		}
		var mu sync.Mutex
		var wg sync.WaitGroup
		for w, plan := range plans {
			wg.Go(func() {
				done, err := e.runPlan(plan, n, w%2 == 0)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					e.Errorf("an operation failed as none should: %v", err)
				}
				for _, o := range done {
					if histories[o.page.ID] == nil {
						histories[o.page.ID] = map[int64][]outcome{}
					}
					histories[o.page.ID][o.page.Version] = append(histories[o.page.ID][o.page.Version], o)
				}
			})
		}
		wg.Wait()
		changes := e.changesBehind(&position)
		for id, history := range histories {
			checkHistory(t, e, n, id, history, changes[id])
		}
		if e.Failed() {
			t.Fatal("see above")
		}
	})
}

// runPlan carries the operations out, each by itself or all in one transaction,
// and returns those that succeeded. The error is one that no rule explains.
func (e *env) runPlan(plan []op, n names, together bool) (done []outcome, err error) {
	if !together {
		for _, o := range plan {
			var p octavo.Page
			err := e.write(func(tx *sqldb.Tx) (err error) {
				p, err = o.run(tx, e.st.Pages, n)
				return err
			})
			if done, err = keepOutcome(done, o, p, err); err != nil {
				return done, err
			}
		}
		return done, nil
	}
	err = e.write(func(tx *sqldb.Tx) error {
		done = nil
		for _, o := range plan {
			var p octavo.Page
			err := tx.Each(func(tx *sqldb.Tx) (err error) {
				p, err = o.run(tx, e.st.Pages, n)
				return err
			})
			if done, err = keepOutcome(done, o, p, err); err != nil {
				return err
			}
		}
		return nil
	})
	return done, err
}

// keepOutcome appends a success, drops a refusal and returns a failure.
func keepOutcome(done []outcome, o op, p octavo.Page, err error) ([]outcome, error) {
	var refusal *octavo.Error
	switch {
	case err == nil && o.Kind != "delete":
		return append(done, outcome{o, p}), nil
	case err == nil:
		return done, nil
	case errors.As(err, &refusal):
		switch refusal.Type {
		case octavo.NotFound, octavo.SlugTaken, octavo.Conflict, octavo.InvalidRequest:
			return done, nil
		}
	}
	return done, fmt.Errorf("%+v: %w", o, err)
}

// checkHistory follows one page from version to version.
func checkHistory(t *rapid.T, e *env, n names, id octavo.ID, history map[int64][]outcome, changes []changelog.Change) {
	versions := map[int64]bool{}
	var last int64
	for _, c := range changes {
		versions[c.Version] = true
		last = max(last, c.Version)
	}
	if int64(len(versions)) != last {
		t.Fatalf("page %s: the changes tell %d versions up to %d", id, len(versions), last)
	}
	var before *state // nil where only the change log knows the version
	for v := int64(1); v <= last; v++ {
		before = checkVersion(t, n, id, before, history[v])
	}
	p, err := e.st.Pages.Get(e.ctx, everyone, id)
	switch {
	case sameType(err, octavo.NotFound):
	case err != nil:
		t.Fatalf("page %s: %v", id, err)
	case p.Version != last || before != nil && !reflect.DeepEqual(stateOf(p), *before):
		t.Fatalf("page %s: have %+v, want version %d, %+v", id, stateOf(p), last, before)
	}
}

// checkVersion checks that all results with this version of a page are equal, and that one
// operation made it from the previous version.
func checkVersion(t *rapid.T, n names, id octavo.ID, before *state, told []outcome) *state {
	var now *state
	made := 0
	for _, o := range told {
		s := stateOf(o.page)
		if now != nil && !reflect.DeepEqual(s, *now) {
			t.Fatalf("page %s: two states of version %d:\n%+v\n%+v", id, s.version, s, *now)
		}
		now = &s
		if before == nil || o.op.Kind != "update" {
			continue
		}
		want, changed := before.with(o.op.change(n))
		if changed && reflect.DeepEqual(want.shown(), s) {
			made++
		}
		if same, changes := s.with(o.op.change(n)); changes {
			t.Fatalf("page %s: after %+v the page is %+v, not %+v", id, o.op, s, same)
		}
	}
	if before != nil && now != nil && made == 0 && onlyUpdates(told) && !movedUp(*before, *now) {
		t.Fatalf("page %s: nothing leads from\n%+v to\n%+v", id, *before, *now)
	}
	return now
}

// movedUp reports whether the deletion of the parent explains the step.
func movedUp(before, now state) bool {
	moved := before.parent != now.parent
	before.parent, before.version = now.parent, now.version
	return moved && reflect.DeepEqual(before.shown(), now)
}

func onlyUpdates(told []outcome) bool {
	for _, o := range told {
		if o.op.Kind != "update" {
			return false
		}
	}
	return true
}

// changesBehind reads the changes of every page behind the position, and moves
// it on.
func (e *env) changesBehind(position *int64) map[octavo.ID][]changelog.Change {
	changes := map[octavo.ID][]changelog.Change{}
	for {
		list, err := e.st.Log.Changes(e.ctx, *position, 1000)
		if err != nil {
			e.Errorf("read changes: %v", err)
		}
		if len(list) == 0 {
			return changes
		}
		for _, c := range list {
			*position = c.Position
			changes[c.Page] = append(changes[c.Page], c)
		}
	}
}
