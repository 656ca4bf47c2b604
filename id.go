package octavo

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// ID is an identifier in TypeID form: a lower-case prefix for the kind of object, an
// underscore, and 26 characters of a UUIDv7 in Crockford's base 32. Identifiers of one
// kind sort by creation time.
type ID string

// Prefix is the kind of object of an ID.
type Prefix string

// The prefixes in use. They are part of stored data and must not change.
const (
	PrefixPage         Prefix = "page"
	PrefixAsset        Prefix = "asset"
	PrefixExport       Prefix = "exp"
	PrefixImport       Prefix = "imp"
	PrefixEvent        Prefix = "evt"
	PrefixKey          Prefix = "key"
	PrefixUser         Prefix = "usr"
	PrefixClient       Prefix = "cli"
	PrefixWebhook      Prefix = "hook"
	PrefixDelivery     Prefix = "dlv"
	PrefixRequest      Prefix = "req"
	PrefixToken        Prefix = "tok"
	PrefixInstallation Prefix = "ins"
	PrefixAudit        Prefix = "aud"
	PrefixSession      Prefix = "ses"
	PrefixGrant        Prefix = "grt"
	PrefixFeedback     Prefix = "fb"
	PrefixProposal     Prefix = "prop"
	PrefixChange       Prefix = "chg"
	PrefixReview       Prefix = "rev"
	PrefixComment      Prefix = "cmt"
	PrefixNotification Prefix = "note"
)

const (
	crockford = "0123456789abcdefghjkmnpqrstvwxyz"
	suffixLen = 26
)

// ValidIdentifier reports whether s matches the contract's Identifier pattern,
// ^[a-z]{2,}_[A-Za-z0-9]+$. The object need not exist.
func ValidIdentifier(s string) bool {
	i := 0
	for i < len(s) && s[i] >= 'a' && s[i] <= 'z' {
		i++
	}
	if i < 2 || i >= len(s)-1 || s[i] != '_' {
		return false
	}
	for _, c := range []byte(s[i+1:]) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return true
}

// Is reports whether id is well formed and has the given prefix.
func (id ID) Is(p Prefix) bool {
	return len(id) > len(p)+1 && string(id[:len(p)]) == string(p) && id[len(p)] == '_' && ValidIdentifier(string(id))
}

// Suffix returns the part after the prefix and its underscore.
func (id ID) Suffix() string {
	if len(id) < suffixLen {
		return string(id)
	}
	return string(id[len(id)-suffixLen:])
}

// IDSource makes identifiers that rise strictly within one source, even if the clock
// stands still or steps back. It is safe for concurrent use.
type IDSource struct {
	now    func() time.Time
	random io.Reader

	mu      sync.Mutex
	lastMS  int64
	counter uint16 // 12 bits: rand_a of RFC 9562 section 6.2 method 1
}

// NewIDSource returns a source with a clock and a reader of random bytes.
func NewIDSource(now func() time.Time, random io.Reader) *IDSource {
	return &IDSource{now: now, random: random}
}

// New returns a new identifier. It fails only if the random source does.
func (s *IDSource) New(p Prefix) (ID, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b [16]byte
	if _, err := io.ReadFull(s.random, b[6:]); err != nil {
		return "", fmt.Errorf("make a %s identifier: %w", p, err)
	}
	ms := s.now().UnixMilli()
	switch {
	case ms > s.lastMS:
		s.lastMS, s.counter = ms, uint16(b[6]&0x07)<<8|uint16(b[7]) // leaves half the range to count up in
	case s.counter < 0xfff:
		s.counter++
	default:
		s.lastMS++
		s.counter = 0
	}
	binary.BigEndian.PutUint64(b[:8], uint64(s.lastMS)<<16|0x7000|uint64(s.counter))
	b[8] = b[8]&0x3f | 0x80
	return ID(string(p) + "_" + encodeSuffix(b)), nil
}

// After returns id, or a later identifier if last, from a machine whose clock is ahead,
// would sort after it.
func (id ID) After(last ID) ID {
	if id > last {
		return id
	}
	ms := string(last[:len(last)-16]) // the prefix and the time
	head := strings.TrimRight(ms, "z")
	next := strings.IndexByte(crockford, head[len(head)-1]) + 1
	return ID(head[:len(head)-1]+crockford[next:next+1]+strings.Repeat("0", len(ms)-len(head))) + id[len(id)-16:]
}

// FirstID returns an identifier that sorts before all of its kind made from t on.
func FirstID(p Prefix, t time.Time) ID {
	var b [16]byte
	binary.BigEndian.PutUint64(b[:8], uint64(max(0, t.UnixMilli()))<<16)
	return ID(string(p) + "_" + encodeSuffix(b))
}

// encodeSuffix writes the 128 bits, most significant first, as 26 characters
// of five bits each; the first carries three.
func encodeSuffix(b [16]byte) string {
	hi, lo := binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])
	var out [suffixLen]byte
	for i := suffixLen - 1; i >= 0; i-- {
		out[i] = crockford[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out[:])
}
