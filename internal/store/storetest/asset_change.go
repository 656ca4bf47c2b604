package storetest

import (
	"fmt"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// assetMatch changes and deletes an asset under a condition.
func assetMatch(e *env) {
	a, _ := e.asset(asset("one", "text"))
	alt := ref(ref("alt"))
	at := func(version int64) sqldb.IfMatch {
		return func(id octavo.ID, have int64) bool { return id == a.ID && have == version }
	}
	change := func(match sqldb.IfMatch) error {
		return e.write(func(tx *sqldb.Tx) error {
			_, err := e.st.Assets.Update(tx, a.ID, octavo.AssetPatch{Alt: alt}, match)
			return err
		})
	}
	remove := func(match sqldb.IfMatch) error {
		return e.write(func(tx *sqldb.Tx) error {
			_, err := e.st.Assets.Delete(tx, a.ID, false, match)
			return err
		})
	}
	e.wantError(change(at(2)), octavo.PreconditionFailed)
	e.wantError(remove(at(2)), octavo.PreconditionFailed)
	have, err := e.st.Assets.Get(e.ctx, everyone, a.ID)
	e.noError(err, "read")
	e.equal("after refusals", have, a)
	e.noError(change(at(1)), "change")
	e.wantError(change(at(1)), octavo.PreconditionFailed)
	e.noError(remove(at(2)), "delete")
}

// assetPathRace imports one path many times at once: all become assets, and the
// path belongs to one of them.
func assetPathRace(e *env) {
	const workers, rounds = 8, 5
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for r := range rounds {
				n := asset(fmt.Sprintf("w%dr%d", w, r), fmt.Sprint(w, r%2))
				n.Source = "img/one.txt"
				if _, _, err := e.tryAsset(n); err != nil {
					e.Errorf("create: %v", err)
				}
			}
		})
	}
	group.Wait()
	list, _, err := e.st.Assets.List(e.ctx, everyone, assetstore.Query{Limit: 100})
	e.noError(err, "list")
	owners := 0
	for _, a := range list {
		if a.Source != "" {
			owners++
		}
	}
	e.equal("assets and those with the path", []int{len(list), owners}, []int{workers * rounds, 1})
}

// assetPathReleased tells of an asset that has lost its path, which is a change
// of it.
func assetPathReleased(e *env) {
	n := asset("one", "text")
	n.Source = "img/one.txt"
	first, _ := e.asset(n)
	before := e.position()
	n = asset("two", "other")
	n.Source = "img/one.txt"
	second, _ := e.asset(n)
	have, err := e.st.Assets.Get(e.ctx, everyone, first.ID)
	e.noError(err, "read")
	e.equal("path and version", []any{have.Source, have.Version}, []any{"", int64(2)})
	e.equal("changes of the first", e.kinds(before, first.ID), []octavo.EventType{octavo.AssetUpdated})
	e.equal("changes of the second", e.kinds(before, second.ID), []octavo.EventType{octavo.AssetCreated})
}
