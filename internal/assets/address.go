package assets

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
)

// URL returns the address of the bytes of an asset: a permanent one or, if
// addresses expire, one that stays the same for half of its lifetime.
func (s *Service) URL(a octavo.Asset) string {
	address := s.o.PublicURL + octavo.AssetPath(a.Key, a.Name)
	if s.o.Lifetime <= 0 {
		return address
	}
	expires := s.expires()
	return address + "?" + url.Values{"expires": {strconv.FormatInt(expires, 10)}, "signature": {s.sign(a.Key, expires)}}.Encode()
}

// expires is when new addresses expire.
func (s *Service) expires() int64 {
	step := int64(s.o.Lifetime / time.Second)
	return (s.o.Now().Unix()/step + 2) * step
}

// Term identifies the period in which addresses stay the same: "" if they never expire.
func (s *Service) Term() string {
	if s.o.Lifetime <= 0 {
		return ""
	}
	return strconv.FormatInt(s.expires(), 10)
}

func (s *Service) sign(key string, expires int64) string {
	m := hmac.New(sha256.New, s.o.Key)
	fmt.Fprintf(m, "%s\x00%d", key, expires)
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil)[:16])
}

// File is a readable asset. The caller closes it.
type File struct {
	blob.File
	Asset   octavo.Asset
	Expires time.Time // when the address expires; zero for never
}

// Open opens the bytes at an address; query is its query. An unknown address
// is NotFound. If addresses expire, an unsigned one is Forbidden and an
// expired one is Gone. If there is no asset, who returns the caller, since a
// pending file is shown to those who see it; nil means anonymous.
func (s *Service) Open(ctx context.Context, key, name string, query url.Values, who func() (Asker, error)) (*File, error) {
	var expires time.Time
	if s.o.Lifetime > 0 {
		at, err := strconv.ParseInt(query.Get("expires"), 10, 64)
		if err != nil || !hmac.Equal([]byte(query.Get("signature")), []byte(s.sign(key, at))) {
			return nil, octavo.Errorf(octavo.Forbidden, "This file has only signed addresses. Read its asset to get one.")
		}
		if expires = time.Unix(at, 0); !s.o.Now().Before(expires) {
			return nil, octavo.Errorf(octavo.Gone, "This address expired at %s. Read the asset for a new one.", expires.UTC().Format(time.RFC3339))
		}
	}
	for again := false; ; again = true {
		known, err := s.lookUp(ctx, key, name)
		if octavo.IsType(err, octavo.NotFound) && who != nil {
			known, err = s.lookUpPending(ctx, key, name, who)
		}
		if err != nil {
			return nil, err
		}
		file, err := s.o.Blobs.Open(ctx, known.Blob)
		switch {
		case err == nil:
			return &File{File: file, Asset: known.Asset, Expires: expires}, nil
		case errors.Is(err, blob.ErrNotFound) && !again:
			// It may have been deleted since, or lost bytes may have been replaced.
			s.addresses.drop(key)
		default:
			return nil, fmt.Errorf("open the bytes of asset %s: %w", known.ID, err)
		}
	}
}

// OpenAs opens the bytes of an asset that the audience sees, otherwise the
// error is NotFound.
func (s *Service) OpenAs(ctx context.Context, aud octavo.Audience, id octavo.ID) (*File, error) {
	found, err := s.o.Assets.FilesByID(ctx, aud, []octavo.ID{id})
	if err != nil {
		return nil, err
	}
	known, ok := found[id]
	if !ok {
		return nil, octavo.Errorf(octavo.NotFound, "No asset has the id %s.", id)
	}
	file, err := s.o.Blobs.Open(ctx, known.Blob)
	if err != nil {
		return nil, fmt.Errorf("open the bytes of asset %s: %w", id, err)
	}
	return &File{File: file, Asset: known.Asset}, nil
}

// OpenBlob opens the bytes under a key of the blob store. The error is
// fs.ErrNotExist if there are none.
func (s *Service) OpenBlob(ctx context.Context, key string) (io.ReadCloser, error) {
	file, err := s.o.Blobs.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		err = fmt.Errorf("%w: %w", fs.ErrNotExist, err)
	}
	return file, err
}

func (s *Service) lookUp(ctx context.Context, key, name string) (assetstore.File, error) {
	known, ok := s.addresses.get(s.o.DB.Stamps(), key)
	if !ok {
		stamp := s.o.DB.Stamps().File(key)
		var err error
		if known, err = s.o.Assets.ByKey(ctx, key); err != nil {
			return known, err
		}
		s.addresses.set(known, stamp)
	}
	return named(known, name)
}

func named(known assetstore.File, name string) (assetstore.File, error) {
	if known.Name != name {
		return known, octavo.Errorf(octavo.NotFound, "No file has this address.")
	}
	return known, nil
}
