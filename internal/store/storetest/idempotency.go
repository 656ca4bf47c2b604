package storetest

import (
	"errors"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// claim is a claim of ann's key for a request with the content, answered 201.
func claim(content string) *sqldb.Claim {
	c := &sqldb.Claim{Owner: "usr_ann cli", Key: "k", Response: func() sqldb.Response {
		return sqldb.Response{Status: 201, Header: map[string]string{"Location": "/x"}, Body: []byte("made")}
	}}
	copy(c.Hash[:], content)
	return c
}

// createFor creates a page for a claim.
func (e *env) createFor(c *sqldb.Claim, slug string) error {
	return e.st.DB.Write(e.ctx, sqldb.Cause{Actor: ann, Claim: c}, func(tx *sqldb.Tx) error {
		_, err := e.st.Pages.Create(tx, page(slug))
		return err
	})
}

func (e *env) wantReplay(err error, want sqldb.Response) {
	e.Helper()
	var replay *sqldb.ReplayError
	if !errors.As(err, &replay) {
		e.Fatalf("have error %v, want a replay", err)
	}
	e.equal("replayed response", replay.Response, want)
}

func idempotencyReplay(e *env) {
	c := claim("request")
	_, found, err := e.st.DB.Replay(e.ctx, c)
	e.noError(err, "look for an answer")
	e.equal("answer before the request", found, false)
	e.noError(e.createFor(c, "a"), "create")

	before := e.position()
	e.wantReplay(e.createFor(c, "b"), c.Response())
	e.equal("changes by the repetition", e.kinds(before, ""), nil)
	r, found, err := e.st.DB.Replay(e.ctx, c)
	e.noError(err, "look for an answer")
	e.equal("answer after the request", found, true)
	e.equal("answer", r, c.Response())

	other := claim("request")
	other.Owner = "usr_bob cli"
	e.noError(e.createFor(other, "c"), "create as another owner")
}

func idempotencyReused(e *env) {
	e.noError(e.createFor(claim("request"), "a"), "create")
	e.wantError(e.createFor(claim("other request"), "b"), octavo.KeyReused)
	_, _, err := e.st.DB.Replay(e.ctx, claim("other request"))
	e.wantError(err, octavo.KeyReused)
}

func idempotencyInProgress(e *env) {
	c := claim("request")
	inside, finish := make(chan struct{}), make(chan struct{})
	done := make(chan error)
	go func() {
		done <- e.st.DB.Write(e.ctx, sqldb.Cause{Claim: c}, func(tx *sqldb.Tx) error {
			close(inside)
			<-finish
			_, err := e.st.Pages.Create(tx, page("a"))
			return err
		})
	}()
	<-inside
	err := e.createFor(c, "b")
	e.wantError(err, octavo.Conflict)
	if !errors.Is(err, sqldb.ErrInProgress) {
		e.Errorf("have error %v, want %v", err, sqldb.ErrInProgress)
	}
	close(finish)
	e.noError(<-done, "create")
	e.wantReplay(e.createFor(c, "b"), c.Response())
}

func idempotencyFailed(e *env) {
	c := claim("request")
	e.create(page("a"))
	e.wantError(e.createFor(c, "a"), octavo.SlugTaken, "/slug")
	_, found, err := e.st.DB.Replay(e.ctx, c)
	e.noError(err, "look for an answer")
	e.equal("answer to a failed write", found, false)
	e.noError(e.createFor(c, "b"), "try again")
}

func idempotencyOutcome(e *env) {
	c := claim("request")
	refused := sqldb.Response{Status: 409, Body: []byte("taken")}
	e.noError(e.st.DB.Outcome(e.ctx, c, refused), "keep an outcome")
	e.wantReplay(e.createFor(c, "a"), refused)
	e.noError(e.st.DB.Outcome(e.ctx, c, sqldb.Response{Status: 400}), "keep another outcome")
	e.wantReplay(e.createFor(c, "a"), refused)
	e.noError(e.st.DB.Outcome(e.ctx, nil, refused), "keep an outcome without a key")
}

func idempotencyExpired(e *env) {
	e.noError(e.createFor(claim("request"), "a"), "create")
	e.clock.move(sqldb.IdempotencyTTL)
	e.noError(e.createFor(claim("other request"), "b"), "use the key again after its time")
	e.wantError(e.createFor(claim("request"), "c"), octavo.KeyReused)
	e.clock.move(sqldb.IdempotencyTTL)
	_, err := e.st.Sweep(e.ctx, ann)
	e.noError(err, "sweep")
	e.noError(e.createFor(claim("request"), "c"), "use the key again after the sweep")
}
