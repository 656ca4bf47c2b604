package proposals

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// waits reports whether a step has to wait for another one.
func (st step) waits(other step) bool {
	return st.slug != "" && other.change.Op == octavo.ChangeDelete && other.page != nil && other.page.Slug == st.slug ||
		parentOf(st) != "" && parentOf(st) == other.key() && (other.change.Op != octavo.ChangeUpdate || other.update.ParentID != nil) ||
		st.change.Op == octavo.ChangeDelete && other.page != nil && other.page.ParentID == st.change.PageID
}

// TestOrder: every step comes once, and behind one that it waits for unless they wait for
// each other.
func TestOrder(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		steps := randomSteps(r)
		order := inOrder(steps)
		at := map[int]int{}
		for place, i := range order {
			at[i] = place
		}
		if len(at) != len(steps) || len(order) != len(steps) {
			t.Fatalf("have %v of %d steps", order, len(steps))
		}
		reach := waiting(steps)
		for i := range steps {
			for k := range steps {
				if i != k && steps[i].waits(steps[k]) && at[i] < at[k] && !circle(reach, i) {
					t.Fatalf("step %d waits for %d, and the order is %v", i, k, order)
				}
			}
		}
	}
}

func randomSteps(r *rand.Rand) []step {
	id := func() octavo.ID { return octavo.ID(fmt.Sprint("page_", r.IntN(6))) }
	var steps []step
	for i := range r.IntN(8) {
		page := &pagestore.PresentPage{Page: octavo.Page{ID: octavo.ID(fmt.Sprint("page_", i)), ParentID: id(), Slug: fmt.Sprint("slug-", i)}}
		st := step{page: page, change: octavo.PageChange{ID: octavo.ID(fmt.Sprint("chg_", i)), PageID: page.ID}}
		switch r.IntN(3) {
		case 0:
			st.change.Op = octavo.ChangeDelete
		case 1:
			st.change.Op, st.slug = octavo.ChangeUpdate, fmt.Sprint("slug-", r.IntN(8))
			if r.IntN(2) == 0 {
				st.update.ParentID = new(id())
			}
		default:
			st.page, st.change.PageID, st.change.Op = nil, "", octavo.ChangeCreate
			st.change.ParentID = new([]octavo.ID{id(), octavo.ID(fmt.Sprint("chg_", r.IntN(8)))}[r.IntN(2)])
		}
		steps = append(steps, st)
	}
	return steps
}

// waiting tells for each step all that it waits for, near and far.
func waiting(steps []step) [][]int {
	all := make([][]int, len(steps))
	for i := range steps {
		left := []int{i}
		for len(left) > 0 {
			next := left[0]
			left = left[1:]
			for k := range steps {
				if k != next && steps[next].waits(steps[k]) && !slices.Contains(all[i], k) {
					all[i], left = append(all[i], k), append(left, k)
				}
			}
		}
	}
	return all
}

// circle reports whether a step waits for one that waits for itself.
func circle(waiting [][]int, i int) bool {
	return slices.ContainsFunc(append(slices.Clone(waiting[i]), i), func(k int) bool { return slices.Contains(waiting[k], k) })
}

// BenchmarkOrder: each of a thousand pages is made below the one before.
func BenchmarkOrder(b *testing.B) {
	steps := make([]step, octavo.MaxChanges)
	for i := range steps {
		steps[i].change = octavo.PageChange{ID: octavo.ID(fmt.Sprint("chg_", i)), Op: octavo.ChangeCreate, ParentID: new(octavo.ID(fmt.Sprint("chg_", i-1)))}
	}
	for b.Loop() {
		inOrder(steps)
	}
}
