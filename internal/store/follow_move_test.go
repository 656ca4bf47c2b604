package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestFollowMove: an idle follower whose position is moved continues from there, and gets
// nothing after it twice.
func TestFollowMove(t *testing.T) {
	storetest.OnBoth(t, time.Now, func(t *testing.T, open func() *store.Store) {
		st, other := open(), open()
		for _, slug := range []string{"a", "b"} {
			if _, err := storetest.Create(t.Context(), st, storetest.NewPage(slug)); err != nil {
				t.Fatal(err)
			}
		}
		r := newRecord()
		f, stop := follow(t, st, changelog.FollowerOptions{Name: "f", Handle: r.add})
		saved := func(position int64) {
			t.Helper()
			storetest.Until(t, fmt.Sprint("position ", position, " is saved"), func() bool { return f.Position() == position })
		}
		r.wait(t, 2)
		saved(2)
		for _, move := range []struct {
			to   int64
			want []int64 // all positions that were handed over
		}{
			{0, []int64{1, 2, 1, 2}},
			{1, []int64{1, 2, 1, 2, 2}},
		} {
			if err := other.Log.MoveFollower(t.Context(), "f", move.to); err != nil {
				t.Fatal(err)
			}
			checkPositions(t, r.wait(t, len(move.want)), move.want)
			saved(2)
		}
		if _, err := storetest.Create(t.Context(), other, storetest.NewPage("c")); err != nil {
			t.Fatal(err)
		}
		want := []int64{1, 2, 1, 2, 2, 3}
		r.wait(t, len(want))
		stop()
		checkPositions(t, r.wait(t, len(want)), want)
		if f.Position() != 3 {
			t.Errorf("have position %d, want 3", f.Position())
		}
	})
}

func checkPositions(t *testing.T, list []changelog.Change, want []int64) {
	t.Helper()
	for i, c := range list {
		if len(list) != len(want) || c.Position != want[i] {
			t.Errorf("have position %d at %d of %d, want the positions %v", c.Position, i, len(list), want)
		}
	}
}
