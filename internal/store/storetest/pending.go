package storetest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Viewers of pending files: their uploader, a reader of proposals, and a published-only
// uploader.
var (
	annSees    = assetstore.Viewer{ID: ann.ID}
	bobSees    = assetstore.Viewer{ID: bob.ID}
	annOutside = assetstore.Viewer{ID: ann.ID, PublishedOnly: true}
	bobOutside = assetstore.Viewer{ID: bob.ID, PublishedOnly: true}
)

// by is write as somebody.
func (e *env) by(actor octavo.Actor, fn func(tx *sqldb.Tx) error) error {
	return e.st.DB.Write(e.ctx, sqldb.Cause{Actor: actor}, fn)
}

func (e *env) tryPending(actor octavo.Actor, n assetstore.NewAsset) (a octavo.Asset, err error) {
	err = e.by(actor, func(tx *sqldb.Tx) (err error) {
		a, _, err = e.st.Assets.Pending.Create(tx, n)
		return err
	})
	return a, err
}

// pending uploads a pending file as ann.
func (e *env) pending(key, text string) octavo.Asset {
	e.Helper()
	a, err := e.tryPending(ann, asset(key, text))
	e.noError(err, "upload "+key)
	return a
}

// propose makes a proposal of ann with one change, whose text is given.
func (e *env) tryPropose(status octavo.ProposalStatus, content string) (p *proposalstore.Row, err error) {
	err = e.by(ann, func(tx *sqldb.Tx) error {
		p = &proposalstore.Row{Proposal: octavo.Proposal{Title: "t", Status: status, Origin: octavo.OriginAPI, Author: ann}}
		if err := e.st.Proposals.Insert(tx, p); err != nil {
			return err
		}
		change := octavo.PageChange{Op: octavo.ChangeCreate, Title: new("t"), Slug: new("s"), Content: &content, Authors: []octavo.Actor{ann}}
		if err := e.st.Proposals.InsertChange(tx, p, &change); err != nil {
			return err
		}
		p.Changes = []octavo.PageChange{change}
		return nil
	})
	return p, err
}

func (e *env) propose(status octavo.ProposalStatus, content string) *proposalstore.Row {
	e.Helper()
	p, err := e.tryPropose(status, content)
	e.noError(err, "propose")
	return p
}

// rewrite gives the change of a proposal another text.
func (e *env) rewrite(p *proposalstore.Row, content string) {
	e.Helper()
	e.noError(e.by(ann, func(tx *sqldb.Tx) error {
		next := p.Changes[0]
		next.Content = &content
		err := e.st.Proposals.UpdateChange(tx, p, p.Changes[0], &next)
		p.Changes[0] = next
		return err
	}), "rewrite the change")
}

func (e *env) keep(p *proposalstore.Row) error {
	return e.by(bob, func(tx *sqldb.Tx) error { return e.st.Assets.Pending.Keep(tx, p.ID) })
}

// seenBy lists which of the viewers see a pending file.
func (e *env) seenBy(a octavo.Asset) (names []string) {
	e.Helper()
	for _, v := range []struct {
		name string
		assetstore.Viewer
	}{{"uploader", annSees}, {"uploader outside", annOutside}, {"other", bobSees}, {"other outside", bobOutside}, {"nobody", assetstore.Viewer{}}} {
		byID, err := e.st.Assets.Pending.Get(e.ctx, v.Viewer, a.ID)
		_, errKey := e.st.Assets.Pending.ByKey(e.ctx, v.Viewer, a.Key)
		if octavo.IsType(err, octavo.NotFound) != octavo.IsType(errKey, octavo.NotFound) {
			e.Errorf("%s: by id %v, by key %v", v.name, err, errKey)
		}
		if err == nil {
			e.equal("it is pending", byID.Asset.Pending, true)
			names = append(names, v.name)
		}
	}
	return names
}

// pendingSeen: a file is its uploader's until a proposal names it, by the identifier or
// by the address, and then also of those that read this proposal.
func pendingSeen(e *env) {
	before := e.position()
	own := []string{"uploader", "uploader outside"}
	ordinary, _ := e.asset(asset("ordinary", "same"))
	a, b := e.pending("one", "same"), e.pending("two", "other")
	e.equal("another asset", a.ID == ordinary.ID, false)
	e.equal("events", e.kinds(before, a.ID), nil)
	e.equal("unnamed", e.seenBy(a), own)
	_, err := e.st.Assets.Get(e.ctx, everyone, a.ID)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Assets.ByKey(e.ctx, a.Key)
	e.wantError(err, octavo.NotFound)
	for _, uploader := range []string{ann.ID, bob.ID, ""} {
		list, more, err := e.st.Assets.List(e.ctx, everyone, assetstore.Query{Limit: 2, Uploader: uploader})
		e.noError(err, "list")
		e.equal("listed for "+uploader, []any{len(list), more}, map[bool][]any{true: {2, true}, false: {1, false}}[uploader == ann.ID])
	}

	draft := e.propose(octavo.ProposalDraft, "![](/files/one/one.txt)")
	e.equal("named by a draft", e.seenBy(a), own)
	open := e.propose(octavo.ProposalOpen, "see "+string(b.ID)+" and /files/unknown/x and /files/one.txt")
	e.equal("named by an open one", e.seenBy(b), []string{"uploader", "uploader outside", "other"})
	e.equal("the first is not", e.seenBy(a), own)
	files, err := e.st.Assets.Pending.OfProposal(e.ctx, bobSees, open.ID)
	e.noError(err, "read the files of the proposal")
	e.equal("its files", []any{len(files), files[assetstore.Target("two")].ID}, []any{1, b.ID})

	e.rewrite(open, "nothing")
	e.equal("not named any more", e.seenBy(b), own)
	e.rewrite(open, "again /files/two/two.txt")
	e.equal("named again", e.seenBy(b), []string{"uploader", "uploader outside", "other"})
	e.sound()

	e.noError(e.keep(open), "merge")
	kept, err := e.st.Assets.Get(e.ctx, everyone, b.ID)
	e.noError(err, "read the asset")
	e.equal("asset", []any{kept.Key, kept.Pending, kept.Version, kept.UpdatedAt.After(b.UpdatedAt)}, []any{b.Key, false, b.Version + 1, true})
	e.equal("it is pending no more", e.seenBy(b), nil)
	e.equal("events", e.kinds(before, b.ID), []octavo.EventType{octavo.AssetCreated})
	e.noError(e.keep(open), "merge again, which finds nothing")
	e.equal("the other stays", e.seenBy(a), own)
	e.noError(e.by(ann, func(tx *sqldb.Tx) error { return e.st.Proposals.Delete(tx, draft.ID) }), "delete the draft")
	e.sound()
}

// pendingEnds: a file goes 30 days after it was uploaded, or after the last change ceased
// to name it, and its bytes when nobody else has them.
func pendingEnds(e *env) {
	const most = assetstore.KeepPending
	e.asset(asset("ordinary", "same"))
	e.pending("unnamed", "same")
	named, drafted := e.pending("named", "other"), e.pending("drafted", "third")
	open := e.propose(octavo.ProposalOpen, "/files/named/x")
	draft := e.propose(octavo.ProposalDraft, "/files/drafted/x")
	there := func(want ...string) {
		e.Helper()
		e.sweep()
		list, _, err := e.st.Assets.List(e.ctx, everyone, assetstore.Query{Limit: 10, Uploader: ann.ID})
		e.noError(err, "list")
		var keys []string
		for _, a := range list {
			keys = append(keys, a.Key)
		}
		e.equal("files", keys, want)
		e.sound()
	}
	e.clock.move(most - time.Second)
	there("ordinary", "unnamed", "named", "drafted")
	e.clock.move(time.Second)
	there("ordinary", "named", "drafted")
	e.rewrite(open, "nothing")
	e.noError(e.by(ann, func(tx *sqldb.Tx) error { return e.st.Proposals.Delete(tx, draft.ID) }), "delete the draft")
	e.clock.move(most - time.Second)
	there("ordinary", "named", "drafted")
	e.rewrite(open, "/files/named/x")
	e.clock.move(time.Second)
	there("ordinary", "named")
	e.noError(e.by(ann, func(tx *sqldb.Tx) error { return e.st.Proposals.DeleteChange(tx, open, open.Changes[0]) }), "delete the change")
	e.clock.move(most)
	there("ordinary")
	for _, a := range []octavo.Asset{named, drafted} {
		known, err := e.st.Assets.KnownBlobs(e.ctx, []string{"blob" + a.Key})
		e.noError(err, "look the bytes up")
		e.equal("bytes in use", len(known), 0)
	}
}

// pendingChanged: a pending file is described anew and deleted without an event.
func pendingChanged(e *env) {
	before := e.position()
	a := e.pending("one", "text")
	e.propose(octavo.ProposalDraft, "/files/one/x")
	change := func(v assetstore.Viewer, fn func(tx *sqldb.Tx, p assetstore.PendingFile) error) error {
		return e.by(ann, func(tx *sqldb.Tx) error {
			p, err := e.st.Assets.Pending.Lock(tx, v, a.ID)
			if err != nil {
				return err
			}
			return fn(tx, p)
		})
	}
	patch := octavo.AssetPatch{Alt: ref(ref("A"))}
	update := func(match sqldb.IfMatch) func(tx *sqldb.Tx, p assetstore.PendingFile) error {
		return func(tx *sqldb.Tx, p assetstore.PendingFile) error {
			have, err := e.st.Assets.Pending.Update(tx, p, patch, match)
			if err == nil {
				e.equal("version", have.Version, int64(2))
			}
			return err
		}
	}
	e.wantError(change(bobSees, update(nil)), octavo.NotFound)
	e.noError(change(annSees, update(nil)), "update")
	e.noError(change(annSees, update(nil)), "update without effect")
	old := func(_ octavo.ID, version int64) bool { return version == 1 }
	e.wantError(change(annSees, update(old)), octavo.PreconditionFailed)

	remove := func(v assetstore.Viewer, force bool) func(tx *sqldb.Tx, p assetstore.PendingFile) error {
		return func(tx *sqldb.Tx, p assetstore.PendingFile) error {
			unused, err := e.st.Assets.Pending.Delete(tx, v, p, force, nil)
			if err == nil {
				e.equal("unused bytes", unused, "blobone")
			}
			return err
		}
	}
	e.wantError(change(annSees, remove(annSees, false)), octavo.Conflict)
	e.noError(change(annSees, remove(annSees, true)), "delete")
	e.equal("seen by", e.seenBy(a), nil)
	e.equal("events", e.kinds(before, a.ID), nil)
	e.sound()
}

// pendingFull: the files of one uploader have so much at most, however many come at once.
func pendingFull(e *env) {
	const files, size = 12, octavo.MaxPendingFiles / 8
	var mu sync.Mutex
	refused := 0
	var group sync.WaitGroup
	for i := range files {
		group.Go(func() {
			n := asset(fmt.Sprint("f", i), fmt.Sprint(i))
			n.Blob.Size = size
			_, err := e.tryPending(ann, n)
			mu.Lock()
			defer mu.Unlock()
			if octavo.IsType(err, octavo.Conflict) {
				refused++
			} else if err != nil {
				e.Error(err)
			}
		})
	}
	group.Wait()
	e.equal("refused", refused, files-8)
	have, err := e.st.Assets.Pending.Size(e.ctx, ann.ID)
	e.noError(err, "count")
	e.equal("bytes", have, int64(octavo.MaxPendingFiles))
	e.pending("empty", "")
	_, err = e.tryPending(ann, asset("more", "1"))
	e.wantError(err, octavo.Conflict)
	_, err = e.tryPending(bob, asset("other", "1"))
	e.noError(err, "upload as another")
	e.sound()
}

// pendingRace: files are named and merged while others are swept and deleted; what a
// merge took is there with its bytes, and what was swept is named by nothing.
func pendingRace(e *env) {
	const rounds = 40
	var all []octavo.Asset
	for i := range rounds {
		all = append(all, e.pending(fmt.Sprint("f", i), fmt.Sprint(i%3)))
	}
	e.clock.move(assetstore.KeepPending)
	merged := make([]bool, rounds)
	var group sync.WaitGroup
	for w := range 4 {
		group.Go(func() {
			for i := w; i < rounds; i += 4 {
				p, err := e.tryPropose(octavo.ProposalOpen, "/files/"+all[i].Key+"/x")
				if err != nil {
					e.Error(err)
					return
				}
				files, err := e.st.Assets.Pending.OfProposal(e.ctx, bobSees, p.ID)
				if err != nil {
					e.Error(err)
				}
				merged[i] = len(files) == 1
				if err := e.keep(p); err != nil {
					e.Error(err)
				}
			}
		})
	}
	group.Go(func() {
		for range 5 {
			if err := e.st.Assets.Sweep(e.ctx); err != nil {
				e.Error(err)
			}
		}
	})
	group.Go(func() {
		for _, a := range slices.Backward(all) {
			err := e.by(ann, func(tx *sqldb.Tx) error {
				p, err := e.st.Assets.Pending.Lock(tx, annSees, a.ID)
				if err != nil {
					return err
				}
				_, err = e.st.Assets.Pending.Delete(tx, annSees, p, false, nil)
				return err
			})
			if err != nil && !octavo.IsType(err, octavo.NotFound) && !octavo.IsType(err, octavo.Conflict) {
				e.Error(err)
			}
		}
	})
	group.Wait()
	e.noError(e.st.Assets.Sweep(e.ctx), "sweep")
	for i, a := range all {
		_, err := e.st.Assets.Get(e.ctx, everyone, a.ID)
		if (err == nil) != merged[i] || err != nil && !octavo.IsType(err, octavo.NotFound) {
			e.Errorf("file %d: named and merged %t, read %v", i, merged[i], err)
		}
		e.equal("pending still", e.seenBy(a), nil)
	}
	e.sound()
}

// changesOfOtherClocks: a change that is added on a machine whose clock is behind comes
// after those of the others.
func changesOfOtherClocks(e *env) {
	p := e.propose(octavo.ProposalOpen, "a")
	p.Changes[0].ID = octavo.FirstID(octavo.PrefixChange, e.clock.now().Add(time.Hour))
	second := octavo.PageChange{Op: octavo.ChangeCreate, Title: new("u"), Slug: new("u"), Content: new("b"), Authors: []octavo.Actor{ann}}
	e.noError(e.by(ann, func(tx *sqldb.Tx) error { return e.st.Proposals.InsertChange(tx, p, &second) }), "add a change")
	if second.ID <= p.Changes[0].ID {
		e.Errorf("have %s, want it to sort after %s", second.ID, p.Changes[0].ID)
	}
}
