package storetest

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// asset describes an asset with that key, whose bytes are text.
func asset(key, text string) assetstore.NewAsset {
	return assetstore.NewAsset{
		Key: key, Name: key + ".txt", ContentType: "text/plain; charset=utf-8",
		Blob: assetstore.Blob{Key: "blob" + key, Hash: sha256.Sum256([]byte(text)), Size: int64(len(text))},
	}
}

func (e *env) tryAsset(n assetstore.NewAsset) (a octavo.Asset, kept bool, err error) {
	err = e.write(func(tx *sqldb.Tx) (err error) {
		a, kept, err = e.st.Assets.Create(tx, n)
		return err
	})
	return a, kept, err
}

// asset creates an asset and says whether its bytes were new.
func (e *env) asset(n assetstore.NewAsset) (octavo.Asset, bool) {
	e.Helper()
	a, kept, err := e.tryAsset(n)
	e.noError(err, "create asset "+n.Key)
	return a, kept
}

func (e *env) tryDeleteAsset(id octavo.ID, force bool) (unused string, err error) {
	err = e.write(func(tx *sqldb.Tx) (err error) {
		unused, err = e.st.Assets.Delete(tx, id, force, nil)
		return err
	})
	return unused, err
}

func (e *env) moveBlob(from, to string) (moved bool) {
	e.Helper()
	e.noError(e.write(func(tx *sqldb.Tx) (err error) {
		moved, err = e.st.Assets.MoveBlob(tx, from, to)
		return err
	}), "move a blob")
	return moved
}

func assetCreate(e *env) {
	n := asset("one", "text")
	n.Width, n.Height, n.Source = 3, 4, "img/one.txt"
	n.Metadata = octavo.AssetMetadata{Alt: ref("\u00dc <&>"), Tags: []string{"b", "a"}}
	before := e.position()
	a, kept := e.asset(n)
	e.equal("kept", kept, true)
	e.equal("asset", a, octavo.Asset{
		ID: a.ID, Key: "one", ContentType: "text/plain; charset=utf-8", Size: 4, SHA256: fmt.Sprintf("%x", n.Blob.Hash), Name: "one.txt", Width: 3, Height: 4,
		Metadata: n.Metadata, Source: "img/one.txt", CreatedAt: e.clock.now(), UpdatedAt: e.clock.now(), Version: 1,
	})
	have, err := e.st.Assets.Get(e.ctx, everyone, a.ID)
	e.noError(err, "read")
	e.equal("as it reads", have, a)
	file, err := e.st.Assets.ByKey(e.ctx, "one")
	e.noError(err, "look up")
	e.equal("by its key", file, assetstore.File{Asset: a, Blob: "blobone"})
	_, err = e.st.Assets.ByKey(e.ctx, "two\x00")
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Assets.Get(e.ctx, everyone, "asset_unknown")
	e.wantError(err, octavo.NotFound)
	changes := e.changes(before)
	e.equal("changes", len(changes), 1)
	e.equal("kind", changes[0].Kind, octavo.AssetCreated)
	e.equal("subject", changes[0].Page, a.ID)
	e.equal("public", changes[0].Public, false)
	e.equal("payload", string(changes[0].Payload), `{"id":"`+string(a.ID)+`"}`)
}

func assetUpdate(e *env) {
	n := asset("one", "text")
	n.Metadata = octavo.AssetMetadata{Alt: ref("alt"), Tags: []string{"a"}}
	a, _ := e.asset(n)
	patch := func(p octavo.AssetPatch) (b octavo.Asset) {
		e.Helper()
		e.noError(e.write(func(tx *sqldb.Tx) (err error) {
			b, err = e.st.Assets.Update(tx, a.ID, p, nil)
			return err
		}), "update")
		return b
	}
	before := e.position()
	e.equal("without effect", patch(octavo.AssetPatch{Alt: ref(ref("alt"))}), a)
	e.equal("changes", e.kinds(before, a.ID), nil)
	e.clock.move(1)
	b := patch(octavo.AssetPatch{Alt: new(*string), Caption: ref(ref("caption")), Tags: &[]string{"b"}})
	e.equal("metadata", b.Metadata, octavo.AssetMetadata{Caption: ref("caption"), Tags: []string{"b"}})
	e.equal("version", b.Version, int64(2))
	have, err := e.st.Assets.Get(e.ctx, everyone, a.ID)
	e.noError(err, "read")
	e.equal("as it reads", have, b)
	for tag, want := range map[string]int{"a": 0, "b": 1} {
		list, _, err := e.st.Assets.List(e.ctx, everyone, assetstore.Query{Tag: tag, Limit: 10})
		e.noError(err, "list")
		e.equal("with the tag "+tag, len(list), want)
	}
	e.equal("changes", e.kinds(before, a.ID), []octavo.EventType{octavo.AssetUpdated})
	err = e.write(func(tx *sqldb.Tx) error {
		_, err := e.st.Assets.Update(tx, "asset_unknown", octavo.AssetPatch{}, nil)
		return err
	})
	e.wantError(err, octavo.NotFound)
}

// assetBlobs shows that equal bytes are kept once, until the last asset that
// has them is deleted.
func assetBlobs(e *env) {
	a, _ := e.asset(asset("one", "same"))
	b, kept := e.asset(asset("two", "same"))
	e.equal("equal bytes are kept again", kept, false)
	c, kept := e.asset(asset("three", "other"))
	e.equal("other bytes are kept", kept, true)
	file, err := e.st.Assets.ByKey(e.ctx, "two")
	e.noError(err, "look up")
	e.equal("blob of the second", file.Blob, "blobone")
	known, err := e.st.Assets.KnownBlobs(e.ctx, []string{"blobone", "blobtwo", "blobthree"})
	e.noError(err, "known blobs")
	e.equal("known", known, map[string]bool{"blobone": true, "blobthree": true})
	var uses []string
	for blob, err := range e.st.Assets.Blobs(e.ctx) {
		e.noError(err, "list blobs")
		uses = append(uses, fmt.Sprint(blob.Key, " ", blob.Size, " ", blob.Uses))
	}
	e.equal("blobs", uses, []string{"blobone 4 2", "blobthree 5 1"})
	for i, step := range []struct {
		id   octavo.ID
		want string
	}{{a.ID, ""}, {b.ID, "blobone"}, {c.ID, "blobthree"}} {
		unused, err := e.tryDeleteAsset(step.id, false)
		e.noError(err, "delete")
		e.equal(fmt.Sprint("unused after deletion ", i), unused, step.want)
	}
	_, err = e.tryDeleteAsset(a.ID, true)
	e.wantError(err, octavo.NotFound)
	e.equal("moving what is gone", e.moveBlob("blobone", "blobfive"), false)
	_, kept = e.asset(asset("four", "same"))
	e.equal("bytes come again", kept, true)
	e.equal("moving what is in use", e.moveBlob("blobfour", "blobfive"), true)
	e.equal("moving it from where it was", e.moveBlob("blobfour", "blobsix"), false)
	file, err = e.st.Assets.ByKey(e.ctx, "four")
	e.noError(err, "look up")
	e.equal("blob that was moved", file.Blob, "blobfive")
	stats, err := e.st.Stats(e.ctx)
	e.noError(err, "stats")
	e.equal("assets and blobs", []int64{stats.Assets, stats.Blobs}, []int64{1, 1})
}

// assetRace runs uploads and deletions of the same bytes concurrently: an asset always has
// its bytes, and bytes reported as unused are.
func assetRace(e *env) {
	const workers, rounds = 8, 25
	var mu sync.Mutex
	removed := map[string]bool{}
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for r := range rounds {
				key := fmt.Sprintf("w%dr%d", w, r)
				a, _, err := e.tryAsset(asset(key, "same"))
				if err != nil {
					e.Errorf("create: %v", err)
					return
				}
				file, err := e.st.Assets.ByKey(e.ctx, key)
				mu.Lock()
				if err != nil || removed[file.Blob] {
					e.Errorf("the bytes %s of an asset were removed (%v)", file.Blob, err)
				}
				mu.Unlock()
				unused, err := e.tryDeleteAsset(a.ID, false)
				if err != nil {
					e.Errorf("delete: %v", err)
					return
				}
				mu.Lock()
				if unused != "" && removed[unused] {
					e.Errorf("blob %s became unused twice", unused)
				}
				removed[unused] = unused != ""
				mu.Unlock()
			}
		})
	}
	group.Wait()
	stats, err := e.st.Stats(e.ctx)
	e.noError(err, "stats")
	e.equal("assets and blobs", []int64{stats.Assets, stats.Blobs}, []int64{0, 0})
}

func assetLists(e *env) {
	var ids []octavo.ID
	for i, contentType := range []string{"image/png", "image/svg+xml", "text/plain; charset=utf-8", "image/png"} {
		n := asset(fmt.Sprint("k", i), fmt.Sprint("t", i))
		n.ContentType = contentType
		if i > 0 {
			n.Metadata.Tags = []string{"t", strings.Repeat("long", 500)}
		}
		a, _ := e.asset(n)
		ids = append(ids, a.ID)
	}
	for _, c := range []struct {
		query assetstore.Query
		want  []int
		more  bool
	}{
		{assetstore.Query{Limit: 10}, []int{0, 1, 2, 3}, false},
		{assetstore.Query{Limit: 2}, []int{0, 1}, true},
		{assetstore.Query{Limit: 2, After: ids[1]}, []int{2, 3}, false},
		{assetstore.Query{Limit: 10, ContentType: "image/png"}, []int{0, 3}, false},
		{assetstore.Query{Limit: 10, ContentType: "text/plain"}, []int{2}, false},
		{assetstore.Query{Limit: 2, ContentType: "image/*"}, []int{0, 1}, true},
		{assetstore.Query{Limit: 10, ContentType: "image/*", After: ids[0], Tag: "t"}, []int{1, 3}, false},
		{assetstore.Query{Limit: 10, Tag: strings.Repeat("long", 500)}, []int{1, 2, 3}, false},
		{assetstore.Query{Limit: 10, Tag: "none"}, nil, false},
		{assetstore.Query{Limit: 10, Unused: ref(true)}, []int{0, 1, 2, 3}, false},
		{assetstore.Query{Limit: 10, Unused: ref(false)}, nil, false},
	} {
		list, more, err := e.st.Assets.List(e.ctx, everyone, c.query)
		e.noError(err, "list")
		var have, want []octavo.ID
		for _, a := range list {
			have = append(have, a.ID)
		}
		for _, i := range c.want {
			want = append(want, ids[i])
		}
		e.equal(fmt.Sprintf("%+v", c.query), have, want)
		e.equal(fmt.Sprintf("%+v: more", c.query), more, c.more)
	}
}

// assetUse follows the pages that use an asset, by its address and by a path.
func assetUse(e *env) {
	n := asset("one", "text")
	n.Source = "img/one.txt"
	a, _ := e.asset(n)
	uses := func(aud octavo.Audience, id octavo.ID) (list []string) {
		e.Helper()
		found, err := e.st.Assets.OfPages(e.ctx, aud, []octavo.ID{id})
		e.noError(err, "read assets")
		for _, asset := range found[id] {
			list = append(list, string(asset.ID)+" "+strings.Join(asset.References, ","))
		}
		alone, err := e.st.Assets.Uses(e.ctx, aud, []octavo.ID{id})
		e.noError(err, "read what assets are called")
		everywhere, err := e.st.Assets.AllUses(e.ctx, aud)
		e.noError(err, "read what assets are called on all pages")
		e.equal("what they are called, on all pages", everywhere[id], alone[id])
		by := map[octavo.ID][]string{}
		for _, use := range alone[id] {
			by[use.Asset] = append(by[use.Asset], use.Href)
		}
		var called []string
		for _, asset := range found[id] {
			called = append(called, string(asset.ID)+" "+strings.Join(by[asset.ID], ","))
		}
		e.equal("what they are called, alone", called, list)
		return list
	}
	byKey, byPath := page("by-key"), page("by-path")
	byKey.Content, byPath.Content = "![/one] ![/nothing]", "![img/one.txt] ![/one]"
	p, q := e.create(byKey), e.create(byPath)
	e.equal("by address", uses(everyone, p.ID), []string{string(a.ID) + " /one"})
	e.equal("by path", uses(everyone, q.ID), []string{string(a.ID) + " /one,img/one.txt"})

	wantVisible := func(want bool) {
		e.Helper()
		_, err := e.st.Assets.Get(e.ctx, public, a.ID)
		list, _, listErr := e.st.Assets.List(e.ctx, public, assetstore.Query{Limit: 10})
		e.noError(listErr, "list")
		e.equal("visible to the public", []bool{err == nil, len(list) == 1}, []bool{want, want})
	}
	wantVisible(false)
	e.equal("of a draft", uses(public, p.ID), nil)
	e.update(p.ID, pagestore.Change{Status: ref(octavo.Published)})
	wantVisible(true)

	_, err := e.tryDeleteAsset(a.ID, false)
	e.wantError(err, octavo.Conflict)
	var conflict *octavo.Error
	if !errors.As(err, &conflict) || !strings.Contains(conflict.Detail, string(p.ID)) || !strings.Contains(conflict.Detail, string(q.ID)) {
		e.Errorf("have %v, want it to name the pages", err)
	}
	e.update(p.ID, pagestore.Change{Content: ref("no more")})
	wantVisible(false)
	e.delete(q.ID)
	unused, _, err := e.st.Assets.List(e.ctx, everyone, assetstore.Query{Limit: 10, Unused: ref(true)})
	e.noError(err, "list")
	e.equal("unused", len(unused), 1)
	e.restore(q.ID)

	// A path belongs to the asset that got it last.
	m := asset("two", "text 2")
	m.Source = "img/one.txt"
	b, _ := e.asset(m)
	e.equal("both", uses(everyone, q.ID), []string{string(a.ID) + " /one", string(b.ID) + " img/one.txt"})
	have, err := e.st.Assets.Get(e.ctx, everyone, a.ID)
	e.noError(err, "read")
	e.equal("path of the first", have.Source, "")
	_, err = e.tryDeleteAsset(a.ID, true)
	e.noError(err, "delete by force")
	e.equal("what is left", uses(everyone, q.ID), []string{string(b.ID) + " img/one.txt"})
}
