package storetest

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// bounds are more exports than a test makes.
var bounds = exportstore.Bounds{PerSubject: 1000, Overall: 1000}

// tryExport accepts an export of somebody.
func (e *env) tryExport(who octavo.Actor, n exportstore.NewExport, b exportstore.Bounds) (x exportstore.Export, err error) {
	if n.ExpiresAt.IsZero() {
		n.ExpiresAt = e.clock.now().Add(time.Hour)
	}
	n.Request.Format, n.Version = octavo.ExportMarkdown, "v1"
	err = e.st.DB.Write(e.ctx, sqldb.Cause{Actor: who, TraceID: "trace"}, func(tx *sqldb.Tx) (err error) {
		x, err = e.st.Exports.Create(tx, n, b)
		return err
	})
	return x, err
}

func (e *env) export(who octavo.Actor, n exportstore.NewExport) exportstore.Export {
	e.Helper()
	x, err := e.tryExport(who, n, bounds)
	e.noError(err, "accept an export")
	return x
}

func (e *env) readExport(id octavo.ID) exportstore.Export {
	e.Helper()
	x, err := e.st.Exports.Get(e.ctx, id)
	e.noError(err, "read an export")
	return x
}

// claimExport claims the next export, which has to be the one with the id.
func (e *env) claimExport(lease int64, want octavo.ID) exportstore.Export {
	e.Helper()
	x, found, err := e.st.Exports.Claim(e.ctx, lease, fmt.Sprintf("blob%08d", lease), exportWaits)
	e.noError(err, "claim an export")
	e.equal("claimed", []any{x.ID, found}, []any{want, want != ""})
	return x
}

func (e *env) finishExport(x exportstore.Export, problem *octavo.Problem) bool {
	e.Helper()
	kept, err := e.st.Exports.Finish(e.ctx, exportstore.Outcome{Export: x, Size: 3, SHA256: "abc", Done: 2, Problem: problem, Warnings: []octavo.ExportWarning{{Message: "w"}}})
	e.noError(err, "finish an export")
	return kept
}

func exportLifecycle(e *env) {
	request := octavo.ExportRequest{Scope: octavo.ExportSite, Rendering: octavo.ExportRendering{Theme: octavo.ExportTheme{Name: "nul \x00 <é>"}}}
	x := e.export(ann, exportstore.NewExport{Request: request, Total: 2, Parts: [][]byte{[]byte(`{"a":1}`), []byte(`{"b":2}`)}, Warnings: []octavo.ExportWarning{{Path: "/x", Message: "m"}}})
	have := e.readExport(x.ID)
	e.equal("as it is read", have, x)
	e.equal("state", []any{x.Status, x.Subject, x.Request.Rendering.Theme.Name, x.Progress.Total, len(x.Warnings)},
		[]any{octavo.ExportQueued, ann.ID, "nul \x00 <é>", 2, 1})
	for i, want := range []string{`{"a":1}`, `{"b":2}`, ""} {
		part, found, err := e.st.Exports.Part(e.ctx, x.ID, i)
		e.noError(err, "read a part")
		e.equal(fmt.Sprint("part ", i), []any{string(part), found}, []any{want, want != ""})
	}
	at := e.position()
	claimed := e.claimExport(7, x.ID)
	e.equal("claimed state", []any{claimed.Status, claimed.Attempt, claimed.Blob}, []any{octavo.ExportProcessing, 1, "blob00000007"})
	known, err := e.st.Assets.KnownBlobs(e.ctx, []string{claimed.Blob, "other"})
	e.noError(err, "look up blobs")
	e.equal("known while it is written", known, map[string]bool{claimed.Blob: true})
	held, err := e.st.Exports.Beat(e.ctx, x.ID, 7, 1)
	e.noError(err, "beat")
	e.equal("held", held, true)
	e.equal("progress", e.readExport(x.ID).Progress, octavo.ExportProgress{Done: 1, Total: 2})
	e.equal("kept", e.finishExport(claimed, nil), true)
	have = e.readExport(x.ID)
	e.equal("ready", []any{have.Status, have.Size, have.SHA256, have.Blob, have.Progress.Done, have.Lease, have.ReadyAt.IsZero(), have.EndedAt},
		[]any{octavo.ExportReady, int64(3), "abc", claimed.Blob, 2, int64(0), true, e.clock.now()})
	e.equal("events", e.kinds(at, x.ID), []octavo.EventType{octavo.ExportIsReady})
	e.equal("a second end", e.finishExport(claimed, nil), false)

	failed := e.export(ann, exportstore.NewExport{Request: request})
	claimed = e.claimExport(8, failed.ID)
	e.equal("kept", e.finishExport(claimed, &octavo.Problem{Type: "/problems/internal", Title: "t", Status: 500, Detail: "d"}), true)
	have = e.readExport(failed.ID)
	e.equal("failed", []any{have.Status, have.Blob, have.Problem.Detail}, []any{octavo.ExportFailed, "", "d"})
	e.equal("events", e.kinds(at, failed.ID), []octavo.EventType{octavo.ExportHasFailed})
}

func exportLists(e *env) {
	var mine []octavo.ID
	for i := range 3 {
		mine = append(mine, e.export(ann, exportstore.NewExport{Public: i == 1}).ID)
	}
	other := e.export(bob, exportstore.NewExport{})
	for _, c := range []struct {
		what string
		q    exportstore.Query
		want []octavo.ID
		more bool
	}{
		{"of one", exportstore.Query{Subject: ann.ID, Limit: 2}, mine[:2], true},
		{"the rest", exportstore.Query{Subject: ann.ID, Limit: 2, After: mine[1]}, mine[2:], false},
		{"public ones", exportstore.Query{Subject: ann.ID, Public: true, Limit: 9}, mine[1:2], false},
		{"of all", exportstore.Query{Limit: 9}, append(mine[:3:3], other.ID), false},
	} {
		list, more, err := e.st.Exports.List(e.ctx, c.q)
		e.noError(err, "list "+c.what)
		var have []octavo.ID
		for _, x := range list {
			have = append(have, x.ID)
		}
		e.equal(c.what, have, c.want)
		e.equal(c.what+": more", more, c.more)
	}
	_, err := e.tryExport(ann, exportstore.NewExport{}, exportstore.Bounds{PerSubject: 3, Overall: 9})
	e.wantError(err, octavo.RateLimited)
	_, err = e.tryExport(bob, exportstore.NewExport{}, exportstore.Bounds{PerSubject: 3, Overall: 4})
	e.wantError(err, octavo.Unavailable)
	_, err = e.st.Exports.Get(e.ctx, "exp_nul\x00")
	e.wantError(err, octavo.NotFound)
}

// exportResults bounds what a subject has kept for it, until that is gone.
func exportResults(e *env) {
	try := func(who octavo.Actor, b exportstore.Bounds, want octavo.ProblemType) (x exportstore.Export) {
		e.Helper()
		b.PerSubject, b.Overall = bounds.PerSubject, bounds.Overall
		x, err := e.tryExport(who, exportstore.NewExport{}, b)
		if want == "" {
			e.noError(err, "one more export")
		} else {
			e.wantError(err, want)
		}
		return x
	}
	var last exportstore.Export
	for lease := range int64(3) { // results of 3 bytes each
		last = e.claimExport(lease+1, e.export(ann, exportstore.NewExport{}).ID)
		e.finishExport(last, nil)
	}
	try(ann, exportstore.Bounds{Results: 3}, octavo.RateLimited)
	try(ann, exportstore.Bounds{Bytes: 9}, octavo.RateLimited)
	try(bob, exportstore.Bounds{Results: 3, Bytes: 9}, "")
	waiting := try(ann, exportstore.Bounds{Results: 4, Bytes: 10}, "")
	try(ann, exportstore.Bounds{Results: 4, Bytes: 10}, octavo.RateLimited) // what waits will have a result too
	for _, id := range []octavo.ID{waiting.ID, last.ID} {
		_, err := e.st.Exports.Delete(e.ctx, sqldb.Cause{}, id)
		e.noError(err, "remove an export")
	}
	removed := try(ann, exportstore.Bounds{Results: 3, Bytes: 7}, "")
	try(ann, exportstore.Bounds{Results: 3, Bytes: 7}, octavo.RateLimited)
	_, err := e.st.Exports.Delete(e.ctx, sqldb.Cause{}, removed.ID)
	e.noError(err, "remove an export")
	e.clock.move(time.Hour)
	try(ann, exportstore.Bounds{Results: 1, Bytes: 1}, "") // the others have ended
}

// exportLease shows that the next worker gets an export when its lease has expired, and
// that the previous one cannot end it any more.
func exportLease(e *env) {
	x, later := e.export(ann, exportstore.NewExport{}), e.export(ann, exportstore.NewExport{})
	others := e.export(bob, exportstore.NewExport{})
	first := e.claimExport(1, x.ID)
	e.claimExport(2, others.ID) // ann has one under way
	e.claimExport(3, "")
	e.clock.move(exportstore.LeaseTime - time.Second)
	held, err := e.st.Exports.Beat(e.ctx, x.ID, 1, 0)
	e.noError(err, "beat")
	e.equal("held", held, true)
	e.clock.move(2 * time.Second)
	e.claimExport(4, others.ID)
	e.clock.move(exportstore.LeaseTime)
	second := e.claimExport(5, x.ID)
	e.equal("attempt", second.Attempt, 2)
	held, err = e.st.Exports.Beat(e.ctx, x.ID, 1, 0)
	e.noError(err, "beat too late")
	e.equal("held", held, false)
	e.equal("the first ends it", e.finishExport(first, nil), false)
	e.noError(e.st.Exports.Release(e.ctx, x.ID, 1), "release too late")
	e.equal("the second ends it", e.finishExport(second, nil), true)
	e.equal("blob", e.readExport(x.ID).Blob, second.Blob)

	e.claimExport(6, later.ID)
	e.noError(e.st.Exports.Retry(e.ctx, later.ID, 6, time.Minute), "put back")
	third := e.claimExport(7, others.ID)
	e.noError(e.st.Exports.Release(e.ctx, others.ID, 7), "release")
	e.equal("given back", []any{e.readExport(others.ID).Attempt, e.readExport(others.ID).Status}, []any{third.Attempt - 1, octavo.ExportQueued})
	e.claimExport(8, others.ID)
	e.claimExport(9, "")
	freed, err := e.st.Exports.Free(e.ctx)
	e.noError(err, "free")
	e.equal("freed", freed, int64(1))
	e.claimExport(10, others.ID)
	stuck, err := e.st.Exports.Stuck(e.ctx, 0)
	e.noError(err, "look for stuck ones")
	e.equal("stuck", stuck, nil)
	e.clock.move(2 * time.Minute)
	stuck, err = e.st.Exports.Stuck(e.ctx, time.Minute)
	e.noError(err, "look for stuck ones")
	e.equal("stuck", stuck, []octavo.ID{later.ID, others.ID})
}

// exportEndRace shows that an export which is ended at the moment in which its
// lease is over is not taken again.
func exportEndRace(e *env) {
	for i := range 20 {
		x := e.export(ann, exportstore.NewExport{})
		x = e.claimExport(int64(2*i+1), x.ID)
		e.clock.move(exportstore.LeaseTime + time.Second)
		var again exportstore.Export
		var taken, kept bool
		var unkept, untaken error
		var group sync.WaitGroup
		group.Go(func() {
			kept, unkept = e.st.Exports.Finish(e.ctx, exportstore.Outcome{Export: x, Size: 3, SHA256: "abc"})
		})
		group.Go(func() {
			again, taken, untaken = e.st.Exports.Claim(e.ctx, int64(2*i+2), fmt.Sprintf("blob%08d", 2*i+2), exportWaits)
		})
		group.Wait()
		if err := errors.Join(unkept, untaken); err != nil || taken == kept {
			e.Fatalf("run %d: ended %t, taken again %t, %v", i, kept, taken, err)
		}
		if taken {
			e.equal("the second ends it", e.finishExport(again, nil), true)
		}
	}
}

// exportRace shows that concurrent workers claim different exports, and that a subject has
// one in progress.
func exportRace(e *env) {
	for i := range 4 {
		for range 3 {
			e.export(octavo.Actor{ID: fmt.Sprint("usr_", i)}, exportstore.NewExport{})
		}
	}
	var group sync.WaitGroup
	claims := make(chan exportstore.Export, 16)
	for i := range 16 {
		group.Go(func() {
			x, found, err := e.st.Exports.Claim(e.ctx, int64(i+1), fmt.Sprintf("blob%08d", i), exportWaits)
			if err != nil {
				e.Errorf("claim: %v", err)
			}
			if found {
				claims <- x
			}
		})
	}
	group.Wait()
	close(claims)
	subjects := map[string]bool{}
	for x := range claims {
		if subjects[x.Subject] {
			e.Errorf("%s has two exports under way", x.Subject)
		}
		subjects[x.Subject] = true
	}
	e.equal("subjects", len(subjects), 4)
}

func exportDelete(e *env) {
	running, ready := e.export(ann, exportstore.NewExport{Parts: [][]byte{[]byte(`{}`)}}), e.export(bob, exportstore.NewExport{})
	claimed := e.claimExport(1, running.ID)
	e.finishExport(e.claimExport(2, ready.ID), nil)
	key, err := e.st.Exports.Delete(e.ctx, sqldb.Cause{Actor: ann}, running.ID)
	e.noError(err, "cancel")
	e.equal("bytes of a running one", key, "")
	e.equal("it is ended", e.finishExport(claimed, nil), false)
	key, err = e.st.Exports.Delete(e.ctx, sqldb.Cause{Actor: bob}, ready.ID)
	e.noError(err, "remove")
	e.equal("bytes", key, "blob00000002")
	_, err = e.st.Exports.Delete(e.ctx, sqldb.Cause{}, ready.ID)
	e.wantError(err, octavo.NotFound)
}

func exportExpires(e *env) {
	x := e.export(ann, exportstore.NewExport{ExpiresAt: e.clock.now().Add(time.Minute)})
	e.finishExport(e.claimExport(1, x.ID), nil)
	expired := func() []exportstore.Blob {
		list, err := e.st.Exports.Expired(e.ctx, 10)
		e.noError(err, "find expired ones")
		return list
	}
	e.equal("before", expired(), nil)
	e.clock.move(time.Minute)
	list := expired()
	e.equal("after", list, []exportstore.Blob{{ID: x.ID, Key: "blob00000001", SHA256: "abc", Size: 3}})
	e.noError(e.st.Exports.ForgetBlob(e.ctx, list[0]), "forget")
	e.equal("afterwards", expired(), nil)
	e.equal("it is told of", e.readExport(x.ID).Status, octavo.ExportReady)
	e.clock.move(exportstore.Keep)
	_, err := e.st.Sweep(e.ctx, ann)
	e.noError(err, "sweep")
	_, err = e.st.Exports.Get(e.ctx, x.ID)
	e.wantError(err, octavo.NotFound)
}
