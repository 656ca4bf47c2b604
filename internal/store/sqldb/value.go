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

// Millis is the stored form of a time; nil stands for none.
func Millis(t *time.Time) *int64 {
	if t == nil {
		return nil
	}
	return new(t.UnixMilli())
}

// Moment is the time of a stored value.
func Moment(ms int64) time.Time { return time.UnixMilli(ms).UTC() }

// OptMoment is moment for a value that may be absent.
func OptMoment(ms *int64) *time.Time {
	if ms == nil {
		return nil
	}
	return new(Moment(*ms))
}

// Plain makes text from outside storable: PostgreSQL takes no NUL and nothing
// but UTF-8.
func Plain(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// maxIndexed is the most bytes of one text in an index; PostgreSQL takes about
// 2,700 for a whole entry.
const maxIndexed = 1000

// Indexed is plain for text of any length that must be found again by
// equality: the end of a long one is replaced by a hash.
func Indexed(s string) string {
	s = Plain(s)
	if len(s) <= maxIndexed {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return strings.ToValidUTF8(s[:maxIndexed-2*len(sum)], "") + hex.EncodeToString(sum[:])
}

// ScanTime is what Scan is given to read a stored time into t; NULL is the zero
// time.
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

// UnlessZero is the stored form of a time that may be zero.
func UnlessZero(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return Millis(&t)
}

// CeilMilli is the first stored moment that is not before t.
func CeilMilli(t time.Time) int64 { return t.Add(time.Millisecond - 1).UnixMilli() }

// Null is the stored form of an id that may be absent.
func Null(id octavo.ID) *string {
	if id == "" {
		return nil
	}
	return new(string(id))
}
