package storetest

import (
	"fmt"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func keysLifecycle(e *env) {
	now := e.clock.now()
	a := accounts.Key{ID: "key_a", Hash: [32]byte{1}, Name: "\u00c4", Kind: octavo.KeyService, Scopes: octavo.ScopeRead | octavo.ScopeAdmin, CreatedAt: now}
	b := accounts.Key{
		ID: "key_b", Hash: [32]byte{2}, Kind: octavo.KeySearch, PublishedOnly: true, Tags: []string{"x", "y"}, RateLimit: 7,
		CreatedAt: now, ExpiresAt: now.Add(time.Hour),
	}
	for _, k := range []accounts.Key{a, b} {
		e.noError(e.st.Accounts.Keys.Insert(e.ctx, sqldb.Cause{Actor: ann}, k), "add a key")
	}
	e.wantError(e.st.Accounts.Keys.Insert(e.ctx, sqldb.Cause{Actor: ann}, a), octavo.Conflict)

	have, err := e.st.Accounts.Keys.ByHash(e.ctx, b.Hash)
	e.noError(err, "read by hash")
	e.equal("key by hash", have, b)
	have, err = e.st.Accounts.Keys.ByID(e.ctx, a.ID)
	e.noError(err, "read by id")
	a.Tags = []string{}
	e.equal("key by id", have, a)
	_, err = e.st.Accounts.Keys.ByHash(e.ctx, [32]byte{3})
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Accounts.Keys.ByID(e.ctx, "key_\x00")
	e.wantError(err, octavo.NotFound)

	list, more, err := e.st.Accounts.Keys.List(e.ctx, "", 1)
	e.noError(err, "list")
	e.equal("first key", list, []accounts.Key{a})
	e.equal("more", more, true)
	list, more, err = e.st.Accounts.Keys.List(e.ctx, a.ID, 1)
	e.noError(err, "list on")
	e.equal("second key", list, []accounts.Key{b})
	e.equal("more", more, false)

	e.noError(e.st.Accounts.Keys.Revoke(e.ctx, sqldb.Cause{Actor: ann}, a.ID), "revoke")
	e.clock.move(time.Hour)
	e.noError(e.st.Accounts.Keys.Revoke(e.ctx, sqldb.Cause{Actor: ann}, a.ID), "revoke again")
	e.wantError(e.st.Accounts.Keys.Revoke(e.ctx, sqldb.Cause{Actor: ann}, "key_unknown"), octavo.NotFound)
	e.noError(e.st.Accounts.Keys.Touch(e.ctx, map[octavo.ID]time.Time{a.ID: now.Add(2), b.ID: now, "key_unknown": now}), "touch")
	e.noError(e.st.Accounts.Keys.Touch(e.ctx, map[octavo.ID]time.Time{b.ID: now.Add(-time.Hour)}), "touch with an earlier time")
	a.RevokedAt, a.LastUsedAt, b.LastUsedAt = now, now, now
	list, _, err = e.st.Accounts.Keys.List(e.ctx, "", 10)
	e.noError(err, "list")
	e.equal("keys", list, []accounts.Key{a, b})
	e.equal("audit log", e.actions(), "key.created key_a usr_ann, key.created key_b usr_ann, key.revoked key_a usr_ann")
}

func secrets(e *env) {
	_, found, err := e.st.Accounts.Secrets.Get(e.ctx, "cursor")
	e.noError(err, "read")
	e.equal("found", found, false)

	var wg sync.WaitGroup
	kept := make([]string, 8)
	for i := range kept {
		wg.Go(func() {
			value, err := e.st.Accounts.Secrets.PutIfAbsent(e.ctx, "cursor", []byte(fmt.Sprint("secret ", i)))
			if err != nil {
				e.Errorf("put: %v", err)
			}
			kept[i] = string(value)
		})
	}
	wg.Wait()
	value, found, err := e.st.Accounts.Secrets.Get(e.ctx, "cursor")
	e.noError(err, "read")
	e.equal("found", found, true)
	for _, k := range kept {
		e.equal("what each was told", k, string(value))
	}

	for _, name := range []string{"sign/b", "sign/a", "sign"} {
		_, err := e.st.Accounts.Secrets.PutIfAbsent(e.ctx, name, []byte{0, 255})
		e.noError(err, "put")
	}
	list, err := e.st.Accounts.Secrets.All(e.ctx, "sign/")
	e.noError(err, "list")
	e.equal("secrets", list, []accounts.Secret{
		{Name: "sign/a", Value: []byte{0, 255}, CreatedAt: e.clock.now()},
		{Name: "sign/b", Value: []byte{0, 255}, CreatedAt: e.clock.now()},
	})
	e.clock.move(-5 * time.Hour)
	e.noError(e.st.Accounts.Secrets.Add(e.ctx, "sign/", "sign/0", []byte{1}), "add where the clock went back")
	e.noError(e.st.Accounts.Secrets.Add(e.ctx, "sign/", "sign/1", []byte{1}), "add another")
	e.noError(e.st.Accounts.Secrets.Add(e.ctx, "other/", "other/0", []byte{1}), "add one of another kind")
	e.clock.move(5 * time.Hour)
	for name, want := range map[string]time.Duration{"sign/0": time.Millisecond, "sign/1": 2 * time.Millisecond, "other/0": -5 * time.Hour} {
		list, err := e.st.Accounts.Secrets.All(e.ctx, name)
		e.noError(err, "list")
		e.equal("when "+name+" was made", list[0].CreatedAt, e.clock.now().Add(want))
		e.noError(e.st.Accounts.Secrets.Delete(e.ctx, name), "delete")
	}
	e.noError(e.st.Accounts.Secrets.Delete(e.ctx, "sign/a"), "delete")
	e.noError(e.st.Accounts.Secrets.Delete(e.ctx, "sign/a"), "delete again")
	_, found, err = e.st.Accounts.Secrets.Get(e.ctx, "sign/a")
	e.noError(err, "read")
	e.equal("found after deletion", found, false)
}

func settings(e *env) {
	_, found, err := e.st.DB.Setting(e.ctx, "a")
	e.noError(err, "read")
	e.equal("found", found, false)
	for _, want := range []string{"one", "", "two"} {
		e.noError(e.st.DB.Write(e.ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error { return tx.SetSetting("a", want) }), "set")
		have, found, err := e.st.DB.Setting(e.ctx, "a")
		e.noError(err, "read")
		e.equal("found", found, true)
		e.equal("value", have, want)
	}
}

// holdFiles: a hold lasts until the latest time that anybody asked for, unless
// the clock was set back since.
func holdFiles(e *env) {
	until, err := e.st.Assets.FilesHeld(e.ctx)
	e.noError(err, "read")
	e.equal("held at first", until.IsZero(), true)
	held := func(want time.Duration) {
		e.Helper()
		until, err := e.st.Assets.FilesHeld(e.ctx)
		e.noError(err, "read")
		e.equal("held for", until.Sub(e.clock.now()), want)
	}
	for _, c := range []struct{ ask, want time.Duration }{{time.Minute, time.Minute}, {time.Second, time.Minute}, {assetstore.MaxHold, assetstore.MaxHold}} {
		e.noError(e.st.Assets.HoldFiles(e.ctx, e.clock.now().Add(c.ask)), "hold")
		held(c.want)
	}
	e.sweep()
	held(assetstore.MaxHold)
	e.clock.move(-5 * time.Hour)
	held(assetstore.MaxHold + 5*time.Hour) // somebody may be copying still
	e.sweep()
	held(assetstore.MaxHold)
	e.clock.move(-5 * time.Hour)
	e.noError(e.st.Assets.HoldFiles(e.ctx, e.clock.now().Add(time.Minute)), "hold again")
	held(time.Minute)
}

func stats(e *env) {
	e.create(published("a"))
	e.linking("b", "[x](a) [y](a)")
	e.delete(e.create(page("c")).ID)
	have, err := e.st.Stats(e.ctx)
	e.noError(err, "count")
	e.equal("counts", have, store.Stats{
		Pages:   map[octavo.PageStatus]int64{octavo.Draft: 0, octavo.Published: 2, octavo.Archived: 0},
		Deleted: 1, Revisions: 3, Slugs: 3, Links: 2, Changes: 6,
	})
	have2, known, err := e.st.DB.SchemaVersion(e.ctx)
	e.noError(err, "read the schema version")
	e.equal("schema version", have2, known)
	e.noError(e.st.DB.Migrate(e.ctx), "migrate again")
	e.noError(e.st.DB.Ping(e.ctx), "ping")
}
