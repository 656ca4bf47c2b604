package storetest

import (
	"strings"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// actions returns what is in the audit log, in short.
func (e *env) actions() string {
	e.Helper()
	var list []string
	for _, entry := range e.audited(accounts.AuditQuery{}) {
		list = append(list, strings.Join([]string{string(entry.Action), entry.Subject, entry.Actor.ID}, " "))
	}
	return strings.Join(list, ", ")
}

// secret is the hash of a made-up secret.
func secret(n byte) [32]byte { return [32]byte{n} }

func (e *env) rotate(from, to byte, until time.Time) (accounts.Key, error) {
	return e.st.Accounts.Keys.Rotate(e.ctx, sqldb.Cause{Actor: ann}, accounts.KeyRotation{
		ID: "key_a", From: secret(from), To: secret(to), ExpiresAt: e.clock.now().Add(90 * time.Hour), FormerUntil: until,
	})
}

func keysRotation(e *env) {
	start := e.clock.now()
	key := accounts.Key{ID: "key_a", Hash: secret(1), Name: "a", Kind: octavo.KeyService, Scopes: octavo.ScopeRead, Tags: []string{}, CreatedAt: start}
	e.noError(e.st.Accounts.Keys.Insert(e.ctx, sqldb.Cause{Actor: ann}, key), "add")
	found := func(n byte, until time.Time) {
		e.Helper()
		have, err := e.st.Accounts.Keys.ByHash(e.ctx, secret(n))
		e.noError(err, "find by hash")
		want := key
		want.FormerUntil = until
		e.equal("key by secret", have, want)
	}
	gone := func(n byte) {
		e.Helper()
		_, err := e.st.Accounts.Keys.ByHash(e.ctx, secret(n))
		e.wantError(err, octavo.NotFound)
	}

	e.clock.move(time.Hour)
	have, err := e.rotate(1, 2, start.Add(3*time.Hour))
	e.noError(err, "rotate")
	key.Hash, key.RotatedAt, key.ExpiresAt = secret(2), start.Add(time.Hour), start.Add(91*time.Hour)
	e.equal("rotated key", have, key)
	found(2, time.Time{})
	found(1, start.Add(3*time.Hour))

	// A secret is replaced once, and a later rotation never lengthens a life.
	_, err = e.rotate(1, 3, start.Add(9*time.Hour))
	e.wantError(err, octavo.Conflict)
	key, err = e.rotate(2, 3, start.Add(2*time.Hour))
	e.noError(err, "rotate again")
	found(1, start.Add(2*time.Hour))
	found(2, start.Add(2*time.Hour))

	// The sweep removes those that have ended; so does a rotation without grace.
	e.clock.move(time.Hour)
	_, err = e.st.Sweep(e.ctx, ann)
	e.noError(err, "sweep")
	gone(1)
	gone(2)
	for n := byte(3); n < 3+accounts.MaxFormerSecrets; n++ {
		key, err = e.rotate(n, n+1, start.Add(9*time.Hour))
		e.noError(err, "rotate")
	}
	_, err = e.rotate(3+accounts.MaxFormerSecrets, 99, start.Add(9*time.Hour))
	e.wantError(err, octavo.Conflict)
	key, err = e.rotate(3+accounts.MaxFormerSecrets, 99, e.clock.now())
	e.noError(err, "rotate without grace")
	gone(3)
	found(3+accounts.MaxFormerSecrets, time.UnixMilli(0).UTC()) // whatever the clock says
	found(99, time.Time{})
	e.clock.move(-5 * time.Hour)
	gone(4)
	found(3+accounts.MaxFormerSecrets, time.UnixMilli(0).UTC())
	e.clock.move(5 * time.Hour)

	e.noError(e.st.Accounts.Keys.Revoke(e.ctx, sqldb.Cause{Actor: bob}, "key_a"), "revoke")
	_, err = e.rotate(99, 100, e.clock.now())
	e.wantError(err, octavo.Conflict)
	log := e.actions()
	e.equal("rotations in the audit log", strings.Count(log, "key.rotated key_a usr_ann"), 3+accounts.MaxFormerSecrets)
	e.equal("last in the audit log", strings.HasSuffix(log, "key.revoked key_a usr_bob"), true)
}

// keysFormerEnds: a secret that was refused for its age stays refused when the
// clock is set back, and one that is accepted still is not ended.
func keysFormerEnds(e *env) {
	key := accounts.Key{ID: "key_a", Hash: secret(1), Name: "a", Kind: octavo.KeyService, Scopes: octavo.ScopeRead, CreatedAt: e.clock.now()}
	e.noError(e.st.Accounts.Keys.Insert(e.ctx, sqldb.Cause{Actor: ann}, key), "add")
	until := e.clock.now().Add(time.Hour)
	_, err := e.rotate(1, 2, until)
	e.noError(err, "rotate")
	for _, c := range []struct {
		pass time.Duration
		want time.Time
	}{{59 * time.Minute, until}, {time.Minute, time.UnixMilli(0)}, {-5 * time.Hour, time.UnixMilli(0)}} {
		e.clock.move(c.pass)
		e.noError(e.st.Accounts.Keys.EndFormer(e.ctx, secret(1)), "end")
		have, err := e.st.Accounts.Keys.ByHash(e.ctx, secret(1))
		e.noError(err, "find by hash")
		e.equal("its end", have.FormerUntil.Equal(c.want), true)
	}
}

// keysRotationRace: of concurrent rotations one succeeds.
func keysRotationRace(e *env) {
	key := accounts.Key{ID: "key_a", Hash: secret(1), Name: "a", Kind: octavo.KeyService, Scopes: octavo.ScopeRead, CreatedAt: e.clock.now()}
	e.noError(e.st.Accounts.Keys.Insert(e.ctx, sqldb.Cause{Actor: ann}, key), "add")
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { _, errs[i] = e.rotate(1, byte(2+i), e.clock.now().Add(time.Hour)) })
	}
	wg.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
			continue
		}
		e.wantError(err, octavo.Conflict)
	}
	e.equal("rotations", done, 1)
}
