package storetest

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// changeLarge: what one reading returns is bounded in bytes, and never empty.
func changeLarge(e *env) {
	large := strings.Repeat("x", 3<<20)
	for i := range 3 {
		n := published(fmt.Sprint("large-", i))
		n.Content = large
		e.create(n)
	}
	var after int64
	var sizes []int
	for list := e.changes(after); len(list) > 0; list = e.changes(after) {
		after, sizes = list[len(list)-1].Position, append(sizes, len(list))
	}
	e.equal("changes of each reading", sizes, []int{4, 2})
	e.equal("last position", after, e.last())
}

func changeRetention(e *env) {
	old := e.create(page("old"))
	e.noError(e.write(func(tx *sqldb.Tx) error {
		for i := range 1500 { // more than one transaction removes
			if _, err := e.st.Pages.Update(tx, old.ID, pagestore.Change{Title: ref(fmt.Sprint(i))}, nil); err != nil {
				return err
			}
		}
		return nil
	}), "edit")
	before := e.last()
	e.clock.move(changelog.DefaultKeepChanges - time.Millisecond)
	fresh := e.create(page("fresh"))
	e.sweep()
	e.equal("first position while all are young", e.first(), int64(0))

	e.clock.move(time.Millisecond)
	e.sweep()
	e.equal("first position", e.first(), before)
	e.equal("changes kept", e.kinds(before, ""), []octavo.EventType{octavo.PageCreated})
	e.equal("last position", e.last(), e.position())
	for _, after := range []int64{0, before - 1} {
		_, err := e.st.Log.Changes(e.ctx, after, 10)
		var have *changelog.TruncatedError
		if !errors.As(err, &have) || *have != (changelog.TruncatedError{After: after, Removed: before}) {
			e.Errorf("changes behind %d: have error %v, want one that says %d", after, err, before)
		}
	}

	e.clock.move(changelog.DefaultKeepChanges)
	e.sweep()
	e.equal("first position when none is kept", e.first(), before+1)
	e.equal("last position when none is kept", e.last(), before+1)
	e.update(fresh.ID, pagestore.Change{Title: ref("again")})
	e.equal("changes afterwards", e.kinds(before+1, ""), []octavo.EventType{octavo.PageUpdated})
}

// retentionClockBack: what was removed by a clock that was ahead is known to be
// old also when changes are removed afterwards by one that is behind; or Check,
// which looks at the end, would miss the change of the page.
func retentionClockBack(e *env) {
	e.create(page("early"))
	e.clock.move(changelog.DefaultKeepChanges)
	e.sweep()
	e.clock.move(-changelog.DefaultKeepChanges - 5*time.Hour)
	e.create(page("late"))
	e.clock.move(changelog.DefaultKeepChanges)
	e.sweep()
	e.equal("first position", e.first(), e.last())
}

func (e *env) sweep() {
	e.Helper()
	_, err := e.st.Sweep(e.ctx, bob)
	e.noError(err, "sweep")
}

func (e *env) first() int64 {
	e.Helper()
	position, err := e.st.Log.First(e.ctx)
	e.noError(err, "read where changes begin")
	return position
}

func (e *env) last() int64 {
	e.Helper()
	position, err := e.st.Log.Last(e.ctx)
	e.noError(err, "read where changes end")
	return position
}
