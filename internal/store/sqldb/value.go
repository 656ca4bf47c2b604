package sqldb

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// Millis is the stored form of a time, or nil.
func Millis(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	return new(t.UnixMilli())
}

// Moment returns the time of a stored value.
func Moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// OptMoment is Moment for an optional value.
func OptMoment(ms *int64) *time.Time {
	if ms == nil {
		return nil
	}
	return new(Moment(*ms))
}

// Plain makes foreign text storable: PostgreSQL accepts only UTF-8 without NUL.
func Plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// maxIndexed is the maximum of one text in an index, in bytes. PostgreSQL
// allows about 2,700 for a whole entry.
const maxIndexed = 1000

// Indexed is Plain for text of any length that must be found by equality:
// the end of a long one is replaced by a hash.
func Indexed(s string) string {
	s = Plain(s)
	if len(s) <= maxIndexed {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return strings.ToValidUTF8(s[:maxIndexed-2*len(sum)], "") + hex.EncodeToString(sum[:])
}

// ScanTime returns a Scan destination that reads a stored time into t; NULL
// is the zero time.
func ScanTime(t *time.Time) sql.Scanner { return (*scannedTime)(t) }

type scannedTime time.Time

// Scan implements sql.Scanner.
func (t *scannedTime) Scan(stored any) error {
	switch ms := stored.(type) {
	case nil:
		*t = scannedTime{}
	case int64:
		*t = scannedTime(Moment(ms))
	default:
		return fmt.Errorf("a time is stored as %T", stored)
	}
	return nil
}

// UnlessZero is the stored form of a time, or nil if it is zero.
func UnlessZero(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return Millis(&t)
}

// CeilMilli is the first stored moment that is not before t.
func CeilMilli(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

// Null is the stored form of an optional id.
func Null(id octavo.ID) *string {
	if id == "" {
		return nil
	}
	return new(string(id))
}
