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

// headSize is how much of a file is examined for its type, in bytes.
const headSize = 128 << 10

// Upload has received bytes that belong to no asset yet. Pass it to Create
// or to Discard.
type Upload struct {
	blob          assetstore.Blob
	name          string
	contentType   string
	width, height int
	at            time.Time // when it started
}

// Hash returns the SHA-256 of the bytes.
func (u *Upload) Hash() [32]byte { return u.blob.Hash }

// Blob returns the location of the bytes, for uploads that do not become assets.
func (u *Upload) Blob() assetstore.Blob { return u.blob }

// Name returns the stored name of the file.
func (u *Upload) Name() string { return u.name }

// ContentType returns the type of the bytes.
func (u *Upload) ContentType() string { return u.contentType }

// Receive stores everything from r, in constant memory. name and claimed
// come from the client and may be empty; only safe forms are stored. No
// bytes without a name, which browsers send for an empty field, are
// InvalidRequest at /file. Errors of r are returned wrapped.
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
	// If many puts are running, the store makes it wait, which slow senders
	// could make arbitrarily long.
	ctx, giveUp := context.WithCancelCause(ctx)
	defer giveUp(nil)
	patience := time.AfterFunc(putWait, func() { giveUp(errBusy()) })
	defer patience.Stop()
	sum := blob.NewSummer(&begun{io.MultiReader(bytes.NewReader(head), r), patience})
	if err := s.o.Blobs.Put(ctx, key, sum); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return nil, fmt.Errorf("take in an upload: %w", err)
	}
	up.blob.Size, up.blob.Hash = sum.Size(), sum.SHA256()
	return up, nil
}

// putWait is how long an upload waits for its turn in the blob store.
const putWait = 30 * time.Second

func errBusy() error {
	return &octavo.Error{Type: octavo.Unavailable, Detail: "Too many files are being uploaded at once.", RetryAfter: putWait}
}

// begun ends the waiting time when the turn has come.
type begun struct {
	io.Reader
	patience *time.Timer
}

func (b *begun) Read(p []byte) (int, error) {
	b.patience.Stop()
	return b.Reader.Read(p)
}

// Discard removes the bytes of an upload that does not become an asset.
func (s *Service) Discard(ctx context.Context, up *Upload) {
	blob.Discard(ctx, s.o.Blobs, up.blob.Key, s.o.Log)
}
