package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// patience bounds every wait of these tests.
const patience = 30 * time.Second

// run runs the follower until stop is called, which returns what Run did.
func (e *env) run(f *changelog.Follower) (stop func() error) {
	ctx, cancel := context.WithCancel(e.ctx)
	e.Cleanup(cancel)
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx) }()
	return func() error {
		cancel()
		return e.receive(done)
	}
}

// stopped checks that a follower ended because it was told to.
func (e *env) stopped(err error) {
	e.Helper()
	if !errors.Is(err, context.Canceled) {
		e.Errorf("have error %v, want %v", err, context.Canceled)
	}
}

func (e *env) receive(done <-chan error) error {
	e.Helper()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		e.Fatal("the follower did not end")
		return nil
	}
}

// until waits until something holds that nothing tells of.
func (e *env) until(what string, holds func() bool) {
	e.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	late := time.After(patience)
	for !holds() {
		select {
		case <-look.C:
		case <-late:
			e.Fatalf("waited in vain until %s", what)
		}
	}
}

// next returns the next position handed over.
func (e *env) next(handed <-chan int64) int64 {
	e.Helper()
	select {
	case position := <-handed:
		return position
	case <-time.After(patience):
		e.Fatal("nothing was handed over")
		return 0
	}
}

// wantNext fails the test unless exactly the positions from..to come next.
func (e *env) wantNext(handed <-chan int64, from, to int64) {
	e.Helper()
	for want := from; want <= to; want++ {
		e.equal("position", e.next(handed), want)
	}
}

// send returns a Handle that sends each position.
func send(handed chan<- int64) func(context.Context, []changelog.Change) error {
	return func(_ context.Context, batch []changelog.Change) error {
		for _, c := range batch {
			handed <- c.Position
		}
		return nil
	}
}

// edits makes n changes.
func (e *env) edits(n int) {
	e.Helper()
	for range n {
		e.create(page(fmt.Sprint("edit-", e.last())))
	}
}

func followerRestart(e *env) {
	e.edits(5)
	handed := make(chan int64, 100)
	o := changelog.FollowerOptions{Name: "f", After: 2, Batch: 2, Handle: send(handed)}
	f := e.st.Log.NewFollower(o)
	stop := e.run(f)
	e.wantNext(handed, 3, 5)
	e.edits(3)
	e.wantNext(handed, 6, 8)
	e.stopped(stop())
	e.equal("position", f.Position(), int64(8))
	e.equal("lag", f.Lag(), int64(0))

	e.edits(4)
	stop = e.run(e.st.Log.NewFollower(o))
	e.wantNext(handed, 9, 12)
	e.stopped(stop())
	e.equal("positions handed over twice", len(handed), 0)
}

func followerFails(e *env) {
	handed := make(chan int64, 100)
	tries := 0
	f := e.st.Log.NewFollower(changelog.FollowerOptions{Batch: 2, Handle: func(ctx context.Context, batch []changelog.Change) error {
		tries++
		switch tries {
		case 1:
			return errors.New("failed as told")
		case 2:
			panic("panicked as told")
		}
		return send(handed)(ctx, batch)
	}})
	e.edits(5)
	stop := e.run(f)
	e.wantNext(handed, 1, 5)
	e.stopped(stop())
	e.equal("tries", tries, 2+3)
}

// followerApplies: two followers under one name, both of which fail at times, apply each
// change once.
func followerApplies(e *env) {
	var tries atomic.Int64
	o := changelog.FollowerOptions{Name: "f", Batch: 1, Apply: func(tx *sqldb.Tx, batch []changelog.Change) error {
		c := batch[0]
		if c.Kind != octavo.PageCreated {
			return nil
		}
		title := fmt.Sprint("applied at ", c.Position)
		p, err := e.st.Pages.Update(tx, c.Page, pagestore.Change{Title: &title}, nil)
		if err != nil {
			return err
		}
		if p.Version != 2 {
			e.Errorf("position %d was applied twice", c.Position)
		}
		if tries.Add(1)%3 == 1 {
			panic("panicked as told") // all of it is undone
		}
		return nil
	}}
	applied := make(chan int64, 100)
	stops := []func() error{
		e.run(e.st.Log.NewFollower(o)),
		e.run(e.st.Log.NewFollower(o)),
		e.run(e.st.Log.NewFollower(changelog.FollowerOptions{Handle: send(applied)})),
	}
	e.edits(10)
	e.wantNext(applied, 1, 20) // ten creations, ten updates by Apply
	for _, stop := range stops {
		e.stopped(stop())
	}
	for _, c := range e.changes(0) {
		e.equal("version", e.get(everyone, c.Page).Version, int64(2))
	}
}

func followerMoved(e *env) {
	handed := make(chan int64, 100)
	e.edits(3)
	stop := e.run(e.st.Log.NewFollower(changelog.FollowerOptions{Name: "f", Handle: send(handed)}))
	e.wantNext(handed, 1, 3)
	e.stopped(stop())
	e.noError(e.st.Log.MoveFollower(e.ctx, "f", 1), "move back")
	e.noError(e.st.Log.MoveFollower(e.ctx, "other", 2), "move one that has not run")
	stop = e.run(e.st.Log.NewFollower(changelog.FollowerOptions{Name: "f", Handle: send(handed)}))
	e.wantNext(handed, 2, 3)
	e.noError(e.st.Log.MoveFollower(e.ctx, "f", 0), "move while it runs")
	e.edits(1)
	for e.next(handed) != 1 { // 4 comes first where 3 was already saved
	}
	e.wantNext(handed, 2, 4)
	e.stopped(stop())
	stop = e.run(e.st.Log.NewFollower(changelog.FollowerOptions{Name: "other", Handle: send(handed)}))
	e.wantNext(handed, 3, 4)
	e.stopped(stop())
}

func followerTruncated(e *env) {
	e.edits(3)
	e.clock.move(changelog.DefaultKeepChanges)
	e.sweep()
	handed := make(chan int64, 100)
	o := changelog.FollowerOptions{Name: "f", Handle: send(handed)}
	var truncated *changelog.TruncatedError
	if err := e.st.Log.NewFollower(o).Run(e.ctx); !errors.As(err, &truncated) || truncated.Removed != 3 {
		e.Fatalf("have error %v, want one that says 3", err)
	}
	e.noError(e.st.Log.MoveFollower(e.ctx, "f", truncated.Removed), "move on")
	stop := e.run(e.st.Log.NewFollower(o))
	e.edits(1)
	e.wantNext(handed, 4, 4)
	e.stopped(stop())
}

// followerPlans: changes without work are not handed over, and the position is only saved
// after a planned part or at the end.
func followerPlans(e *env) {
	handed := make(chan int64, 100)
	done := make(chan bool, 100)
	o := changelog.FollowerOptions{
		Name: "f", Handle: send(handed), Done: func() { done <- true },
		Plan: func(_ context.Context, batch []changelog.Change) (int, bool, error) {
			return 1, batch[0].Position%3 == 0, nil
		},
	}
	f := e.st.Log.NewFollower(o)
	stop := e.run(f)
	e.edits(7)
	e.wantNext(handed, 3, 3)
	e.wantNext(handed, 6, 6)
	<-done
	<-done
	e.until("7 is passed over", func() bool { return f.Position() >= 7 })
	saved := func() bool {
		since, err := e.st.Log.FollowerSince(e.ctx, o.Name)
		e.noError(err, "look what the follower has to do")
		return since.IsZero()
	}
	e.until("an idle follower has saved where it is", saved)
	e.stopped(stop())
	stop = e.run(f)
	e.edits(1)
	e.until("8 is passed over", func() bool { return f.Position() >= 8 })
	e.stopped(stop())
	e.equal("a follower that was stopped has saved where it is", saved(), true)
	again := e.st.Log.NewFollower(o)
	stop = e.run(again)
	e.edits(1)
	e.wantNext(handed, 9, 9)
	e.stopped(stop())
	e.equal("positions handed over twice", len(handed), 0)
}

// followerLate shows since when a follower has something to do: also one that
// never ran, once there is a webhook that it should tell.
func followerLate(e *env) {
	const name = "webhooks"
	late := func(what string, want time.Time) {
		e.Helper()
		e.position() // so that every change has one
		have, err := e.st.Log.FollowerSince(e.ctx, name)
		e.noError(err, "look since when")
		e.equal(what, have.UnixMilli(), want.UnixMilli())
	}
	e.create(page("before"))
	late("nobody is to be told", time.Time{})
	w := e.webhook("https://a.example/x")
	late("of what was before it", time.Time{})
	e.clock.move(time.Hour)
	first := e.clock.now()
	e.create(page("first"))
	e.clock.move(time.Hour)
	e.create(page("second"))
	late("it never ran", first)
	e.noError(e.st.Log.MoveFollower(e.ctx, name, w.ActiveAfter+1), "move")
	late("it has the first", first.Add(time.Hour))
	e.noError(e.st.Log.MoveFollower(e.ctx, name, w.ActiveAfter+2), "move")
	late("it has all", time.Time{})
}
