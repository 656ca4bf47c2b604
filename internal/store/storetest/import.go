package storetest

import (
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

var importWaits = []time.Duration{0, 5 * time.Second}

// imported accepts an import of somebody.
func (e *env) imported(who octavo.Actor, n int) (x importstore.Import) {
	e.Helper()
	o := octavo.DefaultImportOptions()
	o.Set = "nul \x00 <é>"
	in := importstore.NewImport{Scopes: octavo.ScopeWrite, Request: o, Name: "a \x00.zip", Blob: fmt.Sprintf("importblob%d", n), Size: 3, SHA256: "abc"}
	err := e.st.DB.Write(e.ctx, sqldb.Cause{Actor: who, TraceID: "trace", Review: sqldb.ReviewOverridden}, func(tx *sqldb.Tx) (err error) {
		x, err = e.st.Imports.Create(tx, in, importstore.Bounds{PerSubject: 100, Overall: 100})
		return err
	})
	e.noError(err, "accept an import")
	return x
}

// claimImport claims the next import, which has to be the one with the id.
func (e *env) claimImport(lease int64, want octavo.ID) importstore.Import {
	e.Helper()
	x, found, err := e.st.Imports.Claim(e.ctx, lease, importWaits)
	e.noError(err, "claim an import")
	e.equal("claimed", []any{x.ID, found}, []any{want, want != ""})
	return x
}

func importLifecycle(e *env) {
	x := e.imported(ann, 1)
	have, err := e.st.Imports.Get(e.ctx, x.ID)
	e.noError(err, "read an import")
	e.equal("as it is read", have, x)
	e.equal("state", []any{x.Status, x.Asker, x.Scopes, x.Overridden, x.Request.Set, x.TraceID}, []any{octavo.ImportQueued, ann, octavo.ScopeWrite, true, "nul \x00 <é>", "trace"})
	other := e.imported(bob, 2)
	at := e.position()
	claimed := e.claimImport(7, x.ID)
	e.claimImport(8, "") // one runs at a time
	known, err := e.st.Assets.KnownBlobs(e.ctx, []string{x.Blob, "other"})
	e.noError(err, "look up blobs")
	e.equal("known while it waits", known, map[string]bool{x.Blob: true})
	cancelled, err := e.st.Imports.Beat(e.ctx, claimed, octavo.ImportProgress{Done: 1, Total: 4})
	e.noError(err, "beat")
	e.equal("told to stop", cancelled, false)
	written := importstore.Written{ID: "page_1", Path: "a.md", Action: "created"}
	e.noError(e.st.Imports.NoteWritten(e.ctx, claimed, []importstore.Written{written, written}), "note what was written")
	blob, err := e.st.Imports.Delete(e.ctx, sqldb.Cause{}, x.ID)
	e.noError(err, "cancel")
	e.equal("left to who works on it", blob, "")
	cancelled, err = e.st.Imports.Beat(e.ctx, claimed, octavo.ImportProgress{Done: 2, Total: 4})
	e.noError(err, "beat")
	e.equal("told to stop", cancelled, true)
	stale := claimed
	stale.Lease = 9
	for what, err := range map[string]error{
		"note": e.st.Imports.NoteWritten(e.ctx, stale, nil), "finish": e.st.Imports.Finish(e.ctx, importstore.Outcome{Import: stale, Status: octavo.ImportReady}),
		"lines": e.st.Imports.KeepLines(e.ctx, stale, [][]byte{[]byte("{}")}),
	} {
		e.equal(what+" with a lease that is none", errors.Is(err, importstore.ErrLost), true)
	}
	list, err := e.st.Imports.AllWritten(e.ctx, x.ID)
	e.noError(err, "read what was written")
	e.equal("written", list, map[octavo.ID]importstore.Written{"page_1": written})
	for range 2 { // one that was killed in between keeps them again
		e.noError(e.st.Imports.KeepLines(e.ctx, claimed, [][]byte{[]byte(`{"a":1}`), []byte(`{"b":2}`), []byte(`{"c":3}`)}), "keep lines")
	}
	report := &octavo.ImportReport{From: "files", Set: "s", Sums: octavo.ImportSums{Created: 1}, Share: .5}
	e.noError(e.st.Imports.Finish(e.ctx, importstore.Outcome{Import: claimed, Status: octavo.ImportCancelled, Done: octavo.ImportProgress{Done: 2, Total: 4}, Report: report}), "finish")
	have, err = e.st.Imports.Get(e.ctx, x.ID)
	e.noError(err, "read an import")
	e.equal("ended", []any{have.Status, have.Blob, *have.Report, have.Progress.Done, have.EndedAt}, []any{octavo.ImportCancelled, "", *report, 2, e.clock.now()})
	e.equal("events", e.kinds(at, x.ID), []octavo.EventType{octavo.ImportWasCancelled})
	some, more, err := e.st.Imports.Lines(e.ctx, x.ID, 1, 1)
	e.noError(err, "read lines")
	e.equal("lines", []any{len(some), some[0].Number, string(some[0].Content), more}, []any{1, 1, `{"b":2}`, true})

	for _, c := range []struct {
		subject string
		before  octavo.ID
		want    []octavo.ID
	}{{"", "", []octavo.ID{other.ID, x.ID}}, {ann.ID, "", []octavo.ID{x.ID}}, {"", other.ID, []octavo.ID{x.ID}}} {
		found, _, err := e.st.Imports.List(e.ctx, c.subject, c.before, 9)
		e.noError(err, "list imports")
		var ids []octavo.ID
		for _, f := range found {
			ids = append(ids, f.ID)
		}
		e.equal("list of "+c.subject, ids, c.want)
	}
	blob, err = e.st.Imports.Delete(e.ctx, sqldb.Cause{}, other.ID)
	e.noError(err, "cancel one that waits")
	e.equal("its file", blob, other.Blob)
	e.clock.move(importstore.Keep)
	e.noError(e.st.Imports.Sweep(e.ctx), "sweep")
	found, _, err := e.st.Imports.List(e.ctx, "", "", 9)
	e.noError(err, "list imports")
	e.equal("kept for a time", len(found), 0)
}

func importLeases(e *env) {
	x := e.imported(ann, 1)
	first := e.claimImport(7, x.ID)
	e.clock.move(importstore.LeaseTime + time.Second)
	stuck, err := e.st.Imports.Stuck(e.ctx, 0)
	e.noError(err, "look for stuck ones")
	e.equal("stuck", stuck, []octavo.ID{x.ID})
	second := e.claimImport(8, x.ID)
	_, err = e.st.Imports.Beat(e.ctx, first, octavo.ImportProgress{})
	e.equal("the first has lost it", errors.Is(err, importstore.ErrLost), true)
	e.noError(e.st.Imports.GiveBack(e.ctx, second, true, 5*time.Second), "put back")
	e.claimImport(9, "")
	e.clock.move(6 * time.Second)
	third := e.claimImport(9, x.ID)
	e.equal("attempts", third.Attempt, 3)
	freed, err := e.st.Imports.Free(e.ctx)
	e.noError(err, "free")
	e.equal("freed", freed, int64(1))
	fourth := e.claimImport(10, x.ID)
	e.noError(e.st.Imports.GiveBack(e.ctx, fourth, false, 0), "give back")
	queued, running, err := e.st.Imports.Numbers(e.ctx)
	e.noError(err, "count")
	e.equal("numbers", []int{queued, running}, []int{1, 0})
	e.equal("an attempt that was none", e.claimImport(11, x.ID).Attempt, 4)
}
