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

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
)

const (
	saltBytes = 16
	hashBytes = 32
	// maxQueue is how many password checks may wait.
	maxQueue = 4
)

// errBusy means that too many password checks are waiting.
var errBusy = errors.New("too many passwords are being checked")

// Cost is the cost of a hash: passes over Memory KiB (RFC 9106). It uses one lane, so that
// a sign-in does not occupy a second processor.
type Cost struct{ Memory, Passes uint32 }

func (c Cost) work() uint64 { return uint64(c.Memory) * uint64(c.Passes) }

// DefaultCost is the minimum: twice the work of OWASP's minimum. It needs 32 MiB and a few
// hundredths of a second on a processor of 2020.
func DefaultCost() Cost { return PassCost(octavo.MinPasses) }

func PassCost(passes int) Cost { return Cost{Memory: 32 << 10, Passes: uint32(passes)} }

// Calibrate returns the cost of a check that takes about target on this machine, and its
// actual duration.
func Calibrate(now func() time.Time, target time.Duration) (Cost, time.Duration) {
	return calibrate(target, func() time.Duration {
		start := now()
		DefaultCost().hash("", make([]byte, saltBytes), hashBytes)
		return now().Sub(start)
	})
}

// calibrate uses the fastest of a few tries at DefaultCost, since other load only makes
// them slower.
func calibrate(target time.Duration, try func() time.Duration) (Cost, time.Duration) {
	quickest := try()
	for range 4 {
		quickest = min(quickest, try())
	}
	c := DefaultCost()
	pass := max(quickest/time.Duration(c.Passes), time.Microsecond)
	c.Passes = uint32(min(max(target/pass, octavo.MinPasses), octavo.MaxPasses))
	return c, pass * time.Duration(c.Passes)
}

func (c Cost) hash(password string, salt []byte, size uint32) []byte {
	return argon2.IDKey([]byte(password), salt, c.Passes, c.Memory, 1, size)
}

// HashPassword returns the hash of a password in PHC form.
func HashPassword(random io.Reader, c Cost, password string) (string, error) {
	salt := make([]byte, saltBytes)
	if _, err := io.ReadFull(random, salt); err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return phc(c, salt, c.hash(password, salt, hashBytes)), nil
}

func phc(c Cost, salt, sum []byte) string {
	b64 := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=1$%s$%s", argon2.Version, c.Memory, c.Passes, b64.EncodeToString(salt), b64.EncodeToString(sum))
}

// kept is a stored hash.
type kept struct {
	cost      Cost
	salt, sum []byte
}

// parsePHC parses a hash in PHC form.
func parsePHC(stored string) (k kept, err error) {
	var version int
	parts := strings.Split(stored, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return kept{}, errors.New("a stored password has an unknown format")
	}
	_, err = fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=1", &version, &k.cost.Memory, &k.cost.Passes)
	var err1, err2 error
	k.salt, err1 = base64.RawStdEncoding.DecodeString(parts[4])
	k.sum, err2 = base64.RawStdEncoding.DecodeString(parts[5])
	if err := errors.Join(err, err1, err2); err != nil || version != argon2.Version || k.cost.work() == 0 || len(k.sum) == 0 {
		return kept{}, fmt.Errorf("a stored password has an unknown format: %w", err)
	}
	return k, nil
}

func (k kept) is(password string) bool {
	return subtle.ConstantTimeCompare(k.cost.hash(password, k.salt, uint32(len(k.sum))), k.sum) == 1
}

// passwords checks one password at a time, and pauses after each for as long as it took.
// So checks use at most half of one processor. A few may wait; more are refused.
type passwords struct {
	env   auth.Env
	cost  Cost          // of new hashes
	decoy string        // a hash for unknown people
	queue chan struct{} // one value for each running or waiting check
	slot  chan struct{}
	most  Cost         // the highest cost so far; only for the holder of the slot
	done  atomic.Int64 // in total, for tests
}

func newPasswords(env auth.Env, c Cost) (*passwords, error) {
	random := make([]byte, saltBytes+hashBytes) // of no password, so the start needs no memory for hashing
	if _, err := io.ReadFull(env.Random, random); err != nil {
		return nil, fmt.Errorf("make a decoy of a password: %w", err)
	}
	return &passwords{
		env: env, cost: c, most: c, decoy: phc(c, random[:saltBytes], random[saltBytes:]),
		queue: make(chan struct{}, 1+maxQueue), slot: make(chan struct{}, 1),
	}, nil
}

// check reports whether the password is right. stored is "" for an unknown person. It
// always takes as long as the most expensive hash seen so far. Otherwise hashes from
// before a change of the cost would reveal that their owners exist. It fails with errBusy.
func (p *passwords) check(ctx context.Context, stored, password string) (ok bool, err error) {
	known := stored != ""
	if !known {
		stored = p.decoy
	}
	k, err := parsePHC(stored)
	if err != nil {
		return false, err
	}
	err = p.turn(ctx, func() error {
		if k.cost.work() > p.most.work() {
			p.most = k.cost
		}
		ok = k.is(password)
		p.done.Add(int64(k.cost.Passes))
		if rest := p.most.work() - k.cost.work(); rest > 0 {
			more := Cost{Memory: p.most.Memory, Passes: uint32((rest + uint64(p.most.Memory) - 1) / uint64(p.most.Memory))}
			more.hash(password, k.salt, hashBytes)
			p.done.Add(int64(more.Passes))
		}
		return nil
	})
	return ok && known, err
}

// renew returns a new hash for a password, or "" if the stored one has the current cost or
// there is no time to hash.
func (p *passwords) renew(ctx context.Context, stored, password string) (string, error) {
	k, err := parsePHC(stored)
	if err != nil || k.cost == p.cost {
		return "", err
	}
	renewed, err := p.hash(ctx, password)
	if errors.Is(err, errBusy) {
		return "", nil // left to the next sign-in
	}
	return renewed, err
}

// hash returns the hash of a new password. It fails with errBusy.
func (p *passwords) hash(ctx context.Context, password string) (stored string, err error) {
	err = p.turn(ctx, func() error {
		stored, err = HashPassword(p.env.Random, p.cost, password)
		return err
	})
	return stored, err
}

// turn waits for the slot and runs work.
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
	err := work()
	took := min(max(p.env.Now().Sub(start), 0), time.Second)
	time.AfterFunc(took, func() { <-p.slot })
	return err
}
