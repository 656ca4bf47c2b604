// Package blob stores bytes by key, in a folder or in an S3 bucket. The bytes of a key
// are written once and never change; an interrupted write leaves nothing under its key.
// Package blobtest tests what every kind of store must guarantee.
//
// It does not know what the bytes are, who may read them, or which of them are still
// needed. Start with [Store].
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"time"

	"github.com/octavo-docs/octavo"
)

// Store keeps bytes by key. It is safe for concurrent use, also by several
// processes. Errors that a caller can act on are *octavo.Error of the types
// StorageFull and Unavailable, or [ErrNotFound].
type Store interface {
	// Put stores the bytes of r under a key that was never used before. When it returns nil
	// they are on the disk.
	Put(ctx context.Context, key string, r io.Reader) error
	// Open reads the bytes of a key. The caller must close the file.
	Open(ctx context.Context, key string) (File, error)
	// Remove deletes the bytes of a key. It is no error if there are none.
	Remove(ctx context.Context, key string) error
	// All iterates over all blobs, in any order. It may or may not include those added or
	// removed meanwhile. An error ends the iteration.
	All(ctx context.Context) iter.Seq2[Info, error]
	// Sweep removes what interrupted writes left before a time, and returns the number of
	// files.
	Sweep(ctx context.Context, before time.Time) (int, error)
	// Apart returns a separate store in the same folder or bucket, by a name of 3 to 32
	// lower-case letters and digits. All and Sweep of either store do not see the other.
	// Close it before this one.
	Apart(name string) (Store, error)
	// Transfer copies the bytes of a key to the separate store named to. The source is the
	// separate store named from, or this store if from is "". With move it then removes the
	// source. It is no error if the key was transferred before.
	Transfer(ctx context.Context, key, from, to string, move bool) error
	// Close closes the store, which must not be used afterwards.
	Close() error
}

// File is an open blob.
type File interface {
	io.ReadSeekCloser
	Size() int64 // bytes
}

// Info describes a blob.
type Info struct {
	Key      string
	Size     int64
	Modified time.Time // by the clock of the store
}

// ErrNotFound means that a key has no bytes.
var ErrNotFound = errors.New("there are no bytes under this key")

// checkKey refuses keys that are unsafe as file names.
func checkKey(key string) error {
	valid := len(key) >= 8 && len(key) <= 64
	for _, c := range []byte(key) {
		valid = valid && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9')
	}
	if !valid {
		return fmt.Errorf("blob key %q: want 8 to 64 lower-case letters and digits", key)
	}
	return nil
}

// checkName refuses names that collide with others in the folder of a store.
func checkName(name string) error {
	valid := len(name) >= 3 && len(name) <= 32 && name != unfinished
	for _, c := range []byte(name) {
		valid = valid && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9')
	}
	if !valid {
		return fmt.Errorf("store %q: want 3 to 32 lower-case letters and digits, and not %q", name, unfinished)
	}
	return nil
}

// unavailable marks a temporary failure of a store.
func unavailable(err error) error {
	return &octavo.Error{Type: octavo.Unavailable, Detail: "The file store cannot be reached at the moment.", RetryAfter: time.Second, Err: err}
}

// ContextReader reads until its context ends.
type ContextReader struct {
	Context context.Context
	Reader  io.Reader
}

func (c ContextReader) Read(p []byte) (int, error) {
	if err := c.Context.Err(); err != nil {
		return 0, err
	}
	return c.Reader.Read(p)
}

// removeTimeout limits a removal that nobody waits for.
const removeTimeout = 30 * time.Second

// Discard removes what no row names, also when ctx has ended. If that fails, the sweep
// of orphans does it later.
func Discard(ctx context.Context, s Store, key string, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
	defer cancel()
	if err := s.Remove(ctx, key); err != nil {
		log.WarnContext(ctx, "orphaned bytes were not removed; the next sweep removes them", "blob", key, "error", err)
	}
}
