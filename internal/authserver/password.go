package authserver

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"

	"github.com/octavo-docs/octavo/internal/auth"
)

const (
	saltBytes = 16
	hashBytes = 32
	// maxQueue is how many passwords wait for their turn to be checked.
	maxQueue = 4
)

// errBusy says that too many passwords wait to be checked.
var errBusy = errors.New("too many passwords are being checked")

// Cost is what checking a password takes: passes over so many KiB of memory
// (RFC 9106). One lane, since a sign-in must not occupy a second processor.
type Cost struct{ Memory, Passes uint32 }

// DefaultCost is twice the work of the least that OWASP recommends, and 32 MiB
// and a few hundredths of a second on a processor of 2020.
func DefaultCost() Cost { return Cost{Memory: 32 << 10, Passes: 2} }

// HashPassword returns what a password is checked against, in PHC form.
func HashPassword(random io.Reader, c Cost, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(random, salt); err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return phc(c, salt, argon2.IDKey([]byte(password), salt, c.Passes, c.Memory, 1, hashBytes)), nil
}

// phc writes what a password is checked against.
func phc(c Cost, salt, sum []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, c.Memory, c.Passes, b64.EncodeToString(salt), b64.EncodeToString(sum))
}

// matches reports whether the password is the one that stored was made of.
func matches(stored, password string) (bool, error) {
	var version int
	var c Cost
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("a stored password has an unknown form")
	}
	_, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=1", &version, &c.Memory, &c.Passes)
	salt, err1 := base64.RawStdEncoding.DecodeString(parts[4])
	want, err2 := base64.RawStdEncoding.DecodeString(parts[5])
	if err := errors.Join(err, err1, err2); err != nil || version != argon2.Version || c.Passes == 0 || len(want) == 0 {
		return false, fmt.Errorf("a stored password has an unknown form: %w", err)
	}
	have := argon2.IDKey([]byte(password), salt, c.Passes, c.Memory, 1, uint32(len(want)))
	return subtle.ConstantTimeCompare(have, want) == 1, nil
}

// passwords checks passwords one at a time, and rests after each for as long
// as it took: at most half of one processor goes into them. A few may wait;
// more are turned away.
type passwords struct {
	env    auth.Env
	cost   Cost
	decoy  string        // stands in for the password of somebody unknown
	queue  chan struct{} // has one for each that is checked or waits
	slot   chan struct{}
	hashed atomic.Int64 // how many were, for tests
}

func newPasswords(env auth.Env, c Cost) (*passwords, error) {
	random := make([]byte, saltBytes+hashBytes) // of no password: a start needs no memory for hashing
	if _, err := io.ReadFull(env.Random, random); err != nil {
		return nil, fmt.Errorf("make a decoy of a password: %w", err)
	}
	return &passwords{env: env, cost: c, decoy: phc(c, random[:saltBytes], random[saltBytes:]), queue: make(chan struct{}, 1+maxQueue), slot: make(chan struct{}, 1)}, nil
}

// check reports whether the password is right. Where stored is "", as for
// somebody unknown, it takes as long and says no. It fails with errBusy.
func (p *passwords) check(ctx context.Context, stored, password string) (ok bool, err error) {
	known := stored != ""
	if !known {
		stored = p.decoy
	}
	err = p.turn(ctx, func() error {
		ok, err = matches(stored, password)
		return err
	})
	return ok && known, err
}

// hash makes what a new password is checked against. It fails with errBusy.
func (p *passwords) hash(ctx context.Context, password string) (stored string, err error) {
	err = p.turn(ctx, func() error {
		stored, err = HashPassword(p.env.Random, p.cost, password)
		return err
	})
	return stored, err
}

// turn runs work when it is its turn.
func (p *passwords) turn(ctx context.Context, work func() error) error {
	select {
	case p.queue <- struct{}{}:
	default:
		return errBusy
	}
	defer func() { <-p.queue }()
	select {
	case p.slot <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	start := p.env.Now()
	p.hashed.Add(1)
	err := work()
	took := min(max(p.env.Now().Sub(start), 0), time.Second)
	time.AfterFunc(took, func() { <-p.slot })
	return err
}
