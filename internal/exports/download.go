package exports

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
)

// address returns the download address of a result. It stays the same, and
// expires with the download.
func (s *Service) address(x exportstore.Export, version string) string {
	expires := x.ExpiresAt.UnixMilli()
	return s.PublicURL + "/" + version + "/exports/" + string(x.ID) + "/download?" +
		url.Values{"expires": {strconv.FormatInt(expires, 10)}, "signature": {s.sign(x.ID, expires)}}.Encode()
}

func (s *Service) sign(id octavo.ID, expires int64) string {
	m := hmac.New(sha256.New, s.Key)
	fmt.Fprintf(m, "%s\x00%d", id, expires)
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil)[:16])
}

// Download is a readable result. The caller closes it.
type Download struct {
	blob.File
	Name      string
	MediaType string
	SHA256    string
	EndedAt   time.Time // when the result was made
	ExpiresAt time.Time
}

// Open opens the result at an address; query is its query. An unsigned address is
// Forbidden, an expired one Gone, and one whose export was removed NotFound.
func (s *Service) Open(ctx context.Context, id octavo.ID, query url.Values) (*Download, error) {
	expires, err := strconv.ParseInt(query.Get("expires"), 10, 64)
	if err != nil || !hmac.Equal([]byte(query.Get("signature")), []byte(s.sign(id, expires))) {
		return nil, octavo.Errorf(octavo.Forbidden, "Results of exports have signed addresses. Read the export to get its address.")
	}
	if at := time.UnixMilli(expires).UTC(); !s.Now().Before(at) {
		return nil, octavo.Errorf(octavo.Gone, "This download ended at %s.", at.Format(time.RFC3339))
	}
	x, err := s.Exports.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	format := s.Formats[x.Format]
	if x.Status != octavo.ExportReady || x.Blob == "" || format == nil {
		return nil, octavo.Errorf(octavo.NotFound, "Export %q has no result.", id)
	}
	file, err := s.Blobs.Open(ctx, x.Blob)
	if err != nil {
		if _, gone := s.Exports.Get(ctx, id); errors.Is(err, blob.ErrNotFound) && gone != nil {
			return nil, gone // it was removed since
		}
		return nil, fmt.Errorf("open the result of export %s: %w", id, err)
	}
	suffix, media := format.File()
	return &Download{File: file, Name: string(id) + suffix, MediaType: media, SHA256: x.SHA256, EndedAt: x.EndedAt, ExpiresAt: x.ExpiresAt}, nil
}
