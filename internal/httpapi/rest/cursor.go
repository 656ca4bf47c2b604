package rest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"hash"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	macSize   = 16
	maxCursor = 4096 // characters; our cursors are far shorter
)

// cursorCodec encodes a position in a list as an opaque text, and decodes it. The text
// is authenticated together with its list, so that a cursor that was altered or used
// with other filters is detected (decision 16).
type cursorCodec struct {
	macs *sync.Pool // of hash.Hash, keyed
}

func newCursorCodec(key []byte) cursorCodec {
	return cursorCodec{&sync.Pool{New: func() any { return hmac.New(sha256.New, key) }}}
}

func (c cursorCodec) mac(list, payload string) []byte {
	m := c.macs.Get().(hash.Hash)
	defer c.macs.Put(m)
	m.Reset()
	m.Write([]byte(list + "\x00" + payload))
	return m.Sum(nil)[:macSize]
}

// encode makes the cursor of a position in a list. Neither sort keys nor ids contain
// NUL, the separator.
func (c cursorCodec) encode(list string, m sqldb.Cursor) string {
	payload := m.Key + "\x00" + string(m.ID)
	return base64.RawURLEncoding.EncodeToString(append(c.mac(list, payload), payload...))
}

// Cursor makes the cursor of a position in a list.
func (r *Request) Cursor(list string, m sqldb.Cursor) string { return r.api.cursors.encode(list, m) }

// decode reads a cursor of that list.
func (c cursorCodec) decode(list, text string) (sqldb.Cursor, error) {
	bad := octavo.Invalid("cursor", "is not a cursor of this list; start again without one")
	if len(text) > maxCursor || strings.ContainsAny(text, "\r\n") { // the decoder would ignore line ends
		return sqldb.Cursor{}, bad
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) < macSize {
		return sqldb.Cursor{}, bad
	}
	payload := string(raw[macSize:])
	if !hmac.Equal(raw[:macSize], c.mac(list, payload)) {
		return sqldb.Cursor{}, bad
	}
	key, id, _ := strings.Cut(payload, "\x00")
	return sqldb.Cursor{Key: key, ID: octavo.ID(id)}, nil
}
