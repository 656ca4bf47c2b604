package sqldb

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
)

// IdempotencyTTL is how long the response to a request with an
// Idempotency-Key is kept (decision 18).
const IdempotencyTTL = 24 * time.Hour

// Claim ties a mutation to an Idempotency-Key (decision 18). Response is called after
// the mutation and before the commit. Its result is stored in the same transaction.
type Claim struct {
	Owner    string // subject and client
	Key      string
	Hash     [32]byte // of the request
	Response func() Response
}

// Response is stored for a repeated request.
type Response struct {
	Status int
	Header map[string]string
	Body   []byte
}

// ReplayError is returned by Write, which then changes nothing, if the
// claim's key was already used for the same request. Another request with
// the key gets an *octavo.Error of type KeyReused. If the first request is
// still in progress, the error is a Conflict.
type ReplayError struct{ Response Response }

func (e *ReplayError) Error() string { return "the request was answered before" }

type claims struct {
	mu      sync.Mutex
	running map[[2]string]bool
}

// begin marks the claim's request as in progress until end is called.
func (c *claims) begin(claim *Claim) (end func(), err error) {
	if claim == nil {
		return func() {}, nil
	}
	name := [2]string{claim.Owner, claim.Key}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[name] {
		return nil, errInProgress()
	}
	c.running[name] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.running, name)
	}, nil
}

// ErrInProgress is the cause of the Conflict that a claim gets while the first request
// with its key is in progress. It must not be stored as an outcome.
var ErrInProgress = errors.New("the first request is in progress")

func errInProgress() error {
	return &octavo.Error{
		Type: octavo.Conflict, Detail: "A request with this Idempotency-Key is still in progress.",
		RetryAfter: time.Second, Err: ErrInProgress,
	}
}

// Replay returns the stored response to the claim's request, if there is
// one. A key that was used for another request is a KeyReused error.
func (db *DB) Replay(ctx context.Context, claim *Claim) (Response, bool, error) {
	if claim == nil {
		return Response{}, false, nil
	}
	return kept(ctx, db.read, claim, db.Now())
}

func kept(ctx context.Context, c Conn, claim *Claim, now time.Time) (Response, bool, error) {
	var (
		hash   []byte
		header string
		r      Response
	)
	found, err := c.Row(ctx, []any{&hash, &r.Status, &header, &r.Body},
		`SELECT hash, status, header, body FROM idempotency WHERE owner = $1 AND key = $2 AND created_at > $3`,
		Indexed(claim.Owner), Indexed(claim.Key), now.Add(-IdempotencyTTL).UnixMilli())
	switch {
	case err != nil:
		return Response{}, false, fmt.Errorf("look up an idempotency key: %w", err)
	case !found:
		return Response{}, false, nil
	case string(hash) != string(claim.Hash[:]):
		return Response{}, false, octavo.Errorf(octavo.KeyReused, "The Idempotency-Key was used before, for a request with other content.")
	}
	err = json.Unmarshal([]byte(header), &r.Header)
	return r, true, octavo.Wrapf(err, "read the header kept for an idempotency key")
}

// begin ensures that the claim's request takes effect once.
func (tx *Tx) begin(claim *Claim) error {
	if claim == nil {
		return nil
	}
	free, err := tx.db.driver.tryLockName(tx.ctx, tx.c, claim.Owner+"\x00"+claim.Key)
	if err != nil {
		return fmt.Errorf("lock an idempotency key: %w", err)
	}
	if !free {
		return errInProgress()
	}
	response, found, err := kept(tx.ctx, tx.c, claim, tx.now)
	if err == nil && found {
		err = &ReplayError{response}
	}
	return err
}

func (tx *Tx) answer(claim *Claim) error {
	if claim == nil || claim.Response == nil {
		return nil
	}
	kept, err := tx.keep(claim, claim.Response())
	if err == nil && !kept {
		err = errInProgress() // another request came in between
	}
	return err
}

func (tx *Tx) keep(claim *Claim, r Response) (kept bool, err error) {
	header, err := json.Marshal(r.Header)
	if err != nil {
		return false, fmt.Errorf("keep the header for an idempotency key: %w", err)
	}
	body := r.Body
	if body == nil {
		body = []byte{}
	}
	n, err := tx.Exec(`INSERT INTO idempotency (owner, key, hash, status, header, body, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (owner, key) DO UPDATE SET hash = excluded.hash, status = excluded.status,
			header = excluded.header, body = excluded.body, created_at = excluded.created_at
		WHERE idempotency.created_at <= $8`,
		Indexed(claim.Owner), Indexed(claim.Key), claim.Hash[:], r.Status, string(header), body, tx.now.UnixMilli(),
		tx.now.Add(-IdempotencyTTL).UnixMilli())
	return n > 0, octavo.Wrapf(err, "keep the answer for an idempotency key")
}

// Outcome stores the outcome of a request that changed nothing, so that a
// repeated request gets the same response.
func (db *DB) Outcome(ctx context.Context, claim *Claim, r Response) error {
	if claim == nil {
		return nil
	}
	return db.write(ctx, Cause{}, func(tx *Tx) error {
		_, err := tx.keep(claim, r)
		return err
	})
}

// ForgetAnswers removes stored responses that contain text.
func (tx *Tx) ForgetAnswers(text string) error {
	type answer struct{ owner, key string }
	var list []answer
	err := tx.Query(func(row Scanner) error {
		var a answer
		var body []byte
		err := row.Scan(&a.owner, &a.key, &body)
		if bytes.Contains(body, []byte(text)) {
			list = append(list, a)
		}
		return err
	}, `SELECT owner, key, body FROM idempotency`)
	for _, a := range list {
		if err == nil {
			_, err = tx.Exec(`DELETE FROM idempotency WHERE owner = $1 AND key = $2`, a.owner, a.key)
		}
	}
	return octavo.Wrapf(err, "forget the answers with %s", text)
}

// SweepClaims removes responses older than IdempotencyTTL.
func (db *DB) SweepClaims(ctx context.Context) error {
	return db.write(ctx, Cause{}, func(tx *Tx) error {
		_, err := tx.Exec(`DELETE FROM idempotency WHERE created_at <= $1`, tx.now.Add(-IdempotencyTTL).UnixMilli())
		return octavo.Wrapf(err, "remove old idempotency keys")
	})
}
