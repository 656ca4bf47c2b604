package storetest

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// runSchedule fails the test unless so many pages change and the next one is
// due then, relative to now; 0 is none.
func (e *env) runSchedule(want int, in time.Duration) {
	e.Helper()
	next, n, err := e.st.Pages.RunSchedule(e.ctx, bob)
	e.noError(err, "run the schedule")
	e.equal("pages that changed", n, want)
	var due time.Time
	if in != 0 {
		due = e.clock.now().Add(in)
	}
	e.equal("next time", next, due)
}

// at is a change of the schedule, relative to now; 0 leaves a time out.
func (e *env) at(publish, unpublish time.Duration) pagestore.Change {
	time := func(in time.Duration) *octavo.OptTime {
		if in == 0 {
			return nil
		}
		t := e.clock.now().Add(in)
		return &octavo.OptTime{Value: &t}
	}
	return pagestore.Change{Publish: time(publish), Unpublish: time(unpublish)}
}

func scheduleRun(e *env) {
	e.runSchedule(0, 0)
	p, gone := e.create(page("p")), e.create(page("gone"))
	e.update(p.ID, e.at(time.Hour, 3*time.Hour))
	e.update(gone.ID, e.at(time.Minute, 0))
	e.delete(gone.ID)
	e.runSchedule(0, time.Hour)
	e.clock.move(time.Hour - time.Millisecond)
	e.runSchedule(0, time.Millisecond)

	before := e.position()
	e.clock.move(time.Millisecond)
	e.runSchedule(1, 2*time.Hour)
	e.runSchedule(0, 2*time.Hour)
	changes := e.changes(before)
	e.equal("kinds", e.kinds(before, ""), []octavo.EventType{octavo.PagePublished})
	e.equal("actor", changes[0].Actor, bob)
	have := e.get(everyone, p.ID)
	e.equal("status", have.Status, octavo.Published)
	e.equal("publishAt", have.PublishAt == nil, true)
	e.equal("public revisions", e.revisions(public, p.ID), []int64{1})

	before = e.position()
	e.clock.move(2 * time.Hour)
	e.runSchedule(1, 0)
	e.equal("kinds", e.kinds(before, ""), []octavo.EventType{octavo.PageUnpublished})
	e.equal("status", e.get(everyone, p.ID).Status, octavo.Draft)

	// What was due while the page was deleted is not made up for.
	e.equal("publishAt of the restored page", e.restore(gone.ID).PublishAt == nil, true)
	e.runSchedule(0, 0)
}

func scheduleBoth(e *env) {
	p, q, shown := e.create(page("p")), e.create(page("q")), e.create(published("shown"))
	e.update(p.ID, e.at(1*time.Hour, 2*time.Hour))
	e.update(q.ID, e.at(2*time.Hour, 1*time.Hour))
	e.update(shown.ID, e.at(1*time.Hour, 0))
	archived := e.create(page("archived"))
	e.update(archived.ID, pagestore.Change{Status: ref(octavo.Archived)})
	e.update(archived.ID, e.at(0, time.Hour))
	e.clock.move(5 * time.Hour)
	before := e.position()
	e.runSchedule(4, 0)
	e.equal("kinds of p", e.kinds(before, p.ID), []octavo.EventType{octavo.PagePublished, octavo.PageUnpublished})
	e.equal("kinds of q", e.kinds(before, q.ID), []octavo.EventType{octavo.PageUpdated, octavo.PagePublished})
	e.equal("status of the archived page", e.get(everyone, archived.ID).Status, octavo.Archived)
	e.equal("kinds of a page that is public already", e.kinds(before, shown.ID), []octavo.EventType{octavo.PageUpdated})
}

func scheduleRace(e *env) {
	const pages = 20
	for range pages {
		e.update(e.create(page(randomSlug())).ID, e.at(time.Hour, 0))
	}
	e.clock.move(time.Hour)
	before := e.position()
	var total atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_, n, err := e.st.Pages.RunSchedule(e.ctx, bob)
			if err != nil {
				e.Errorf("run the schedule: %v", err)
			}
			total.Add(int64(n))
		})
	}
	wg.Wait()
	e.equal("pages that changed", total.Load(), int64(pages))
	e.equal("publications", len(e.kinds(before, "")), pages)
}

// scheduleManual: setting the status by hand keeps the times.
func scheduleManual(e *env) {
	early, twice := e.create(page("early")), e.create(page("twice"))
	for _, p := range []octavo.Page{early, twice} {
		e.update(p.ID, e.at(time.Hour, 0))
		p = e.update(p.ID, pagestore.Change{Status: ref(octavo.Published)})
		e.equal("publishAt after publishing by hand", p.PublishAt != nil, true)
	}
	e.update(twice.ID, pagestore.Change{Status: ref(octavo.Draft)})
	e.clock.move(time.Hour)
	before := e.position()
	e.runSchedule(2, 0)
	e.equal("kinds of a page that was published early", e.kinds(before, early.ID), []octavo.EventType{octavo.PageUpdated})
	e.equal("kinds of one that was withdrawn again", e.kinds(before, twice.ID), []octavo.EventType{octavo.PagePublished})
}

// schedulePast: a time that has passed counts at once.
func schedulePast(e *env) {
	p := e.create(page("p"))
	e.update(p.ID, e.at(-time.Hour, 0))
	e.equal("status before the schedule is run", e.get(everyone, p.ID).Status, octavo.Draft)
	e.runSchedule(1, 0)
	e.equal("status", e.get(public, p.ID).Status, octavo.Published)
}

// scheduleClockBack: what was done is not done again when the clock is set
// back, and what is due is due by the clock as it is then.
func scheduleClockBack(e *env) {
	p := e.create(page("p"))
	e.update(p.ID, e.at(time.Hour, 3*time.Hour))
	e.clock.move(time.Hour)
	e.runSchedule(1, 2*time.Hour)
	updated := e.get(everyone, p.ID).UpdatedAt
	before := e.position()
	e.clock.move(-2 * time.Hour)
	e.runSchedule(0, 4*time.Hour)
	e.update(p.ID, e.at(0, time.Minute))
	e.clock.move(time.Minute)
	e.runSchedule(1, 0)
	e.equal("kinds", e.kinds(before, p.ID), []octavo.EventType{octavo.PageUpdated, octavo.PageUnpublished})
	e.equal("the time of the last change went back", e.get(everyone, p.ID).UpdatedAt.Before(updated), false)
}

// scheduleMany: more pages are due than one batch takes, some of them late.
func scheduleMany(e *env) {
	const pages = 250
	var ids []octavo.ID
	err := e.write(func(tx *sqldb.Tx) error {
		ids = nil
		for range pages {
			p, err := e.st.Pages.Create(tx, page(randomSlug()))
			if err != nil {
				return err
			}
			if _, err := e.st.Pages.Update(tx, p.ID, e.at(time.Hour, 2*time.Hour), nil); err != nil {
				return err
			}
			ids = append(ids, p.ID)
		}
		return nil
	})
	e.noError(err, "schedule pages")
	overdue := func(before time.Duration) []octavo.ID {
		ids, err := e.st.Pages.Overdue(e.ctx, e.clock.now().Add(-before))
		e.noError(err, "look for what is late")
		return ids
	}
	e.equal("late before it is due", overdue(0), nil)
	e.clock.move(time.Hour + time.Minute)
	e.equal("late by more than a minute", overdue(time.Minute+time.Millisecond), nil)
	e.equal("late by a minute", overdue(time.Minute), ids)
	e.runSchedule(pages, time.Hour-time.Minute)
	e.equal("late when all is done", overdue(0), nil)
	e.clock.move(2 * time.Hour)
	e.runSchedule(pages, 0)
}
