package assets

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
)

// headSize is how much of a file is looked at to tell what it is, in bytes.
const headSize = 128 << 10

// Upload is bytes that were taken in and belong to no asset yet. It must be
// given to Create or to Discard.
type Upload struct {
	blob          assetstore.Blob
	name          string
	contentType   string
	width, height int
	at            time.Time // when it began
}

// Hash returns the SHA-256 of the bytes.
func (u *Upload) Hash() [32]byte { return u.blob.Hash }

// Blob returns where the bytes are, for what becomes no asset.
func (u *Upload) Blob() assetstore.Blob { return u.blob }

// Name returns the name of the file as it is kept.
func (u *Upload) Name() string { return u.name }

// ContentType returns the type of the bytes.
func (u *Upload) ContentType() string { return u.contentType }

// Receive takes in all that r gives. Memory does not grow with it. The client
// calls it name and claims a type, which may both be empty; what is kept of
// these is safe. No bytes without a name, which is what browsers send for a
// field that nobody filled in, are InvalidRequest at /file; errors of r are
// returned as they are, wrapped.
func (s *Service) Receive(ctx context.Context, r io.Reader, name, claimed string) (*Upload, error) {
	up := &Upload{at: s.o.Now()}
	key, err := assetstore.NewKey(s.o.Random)
	if err != nil {
		return nil, err
	}
	head := make([]byte, headSize)
	n, _, err := blob.Fill(r, head)
	if err != nil {
		return nil, fmt.Errorf("read the upload: %w", err)
	}
	if head = head[:n]; n == 0 && name == "" {
		return nil, octavo.Invalid("/file", "must not be empty if it has no name")
	}
	up.name = octavo.SafeName(name)
	up.contentType = contentType(head, claimed, up.name)
	up.width, up.height = imageSize(up.contentType, head)
	up.blob.Key = key
	// Where many are put already the store has it wait, which slow senders can make
	// as long as they like.
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	patience := time.AfterFunc(putWait, func() { giveUp(errBusy()) })
	defer patience.Stop()
	sum := blob.NewSummer(&begun{io.MultiReader(bytes.NewReader(head), r), patience})
	defer sum.Close()
	if err := s.o.Blobs.Put(ctx, key, sum); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("take in an upload: %w", err)
	}
	up.blob.Size, up.blob.Hash = sum.Size(), sum.SHA256()
	return up, nil
}

// putWait is how long an upload waits for its turn in the store of bytes.
const putWait = 30 * time.Second

func errBusy() error {
	return &octavo.Error{Type: octavo.Unavailable, Detail: "Too many files are being uploaded at once.", RetryAfter: putWait}
}

// begun ends the patience for a turn when that has come.
type begun struct {
	io.Reader
	patience *time.Timer
}

// Read implements io.Reader.
func (b *begun) Read(p []byte) (int, error) {
	b.patience.Stop()
	return b.Reader.Read(p)
}

// Discard removes the bytes of an upload that becomes no asset.
func (s *Service) Discard(ctx context.Context, up *Upload) { s.remove(ctx, up.blob.Key) }
