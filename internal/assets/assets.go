// Package assets is the feature of uploaded files: taking their bytes in,
// describing, serving and deleting them, and keeping the rows of the store and
// the bytes of the blob store together. Bytes are written first and rows
// second, and removed in the other order, so that no row ever lacks its bytes.
// Bytes without a row are removed by [Service.Sweep].
//
// What must be true inside one transaction is the store's business, what a
// request looks like the HTTP layer's; pages know their assets by the store
// alone.
package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Options are what the service is built from.
type Options struct {
	DB     *sqldb.DB
	Assets *assetstore.Assets
	Blobs  blob.Store
	Random io.Reader
	Now    func() time.Time
	Log    *slog.Logger

	FilesID string // the identifier of Blobs, see [assetstore.Files]

	PublicURL string // addresses begin with it; without trailing slash

	// Lifetime, unless 0, makes addresses end: each is signed with Key and is
	// good for this time at least, and for twice as long at most.
	Lifetime time.Duration
	Key      []byte
}

// Service reads and changes assets. It is safe for concurrent use.
type Service struct {
	o         Options
	addresses *addresses
}

// New returns the assets of a store.
func New(o Options) *Service { return &Service{o, newAddresses()} }

// Reply makes the answer to an upload from the asset it made. It runs before
// the commit, so that the answer can be kept for a repeated request.
type Reply func(octavo.Asset) sqldb.Response

// Description describes an asset to be made of an upload.
type Description struct {
	Metadata octavo.AssetMetadata
	Source   string // path of the imported file, or ""
	Pending  bool   // it waits for the merge of a proposal, see pending.go
}

// Create makes an asset of an upload. Its errors are those of an
// Idempotency-Key. Whatever happens, the upload is used up.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, up *Upload, d Description, reply Reply) (octavo.Asset, error) {
	if s.o.Now().Sub(up.at) > sweepGrace/2 {
		s.Discard(ctx, up) // it might be swept before its row is there
		return octavo.Asset{}, &octavo.Error{Type: octavo.Unavailable, Detail: "The upload took too long.", RetryAfter: time.Second}
	}
	key, err := assetstore.NewKey(s.o.Random)
	if err != nil {
		return octavo.Asset{}, err
	}
	var asset octavo.Asset
	var kept bool
	if cause.Claim != nil {
		claim := *cause.Claim
		claim.Response = func() sqldb.Response { return reply(asset) }
		cause.Claim = &claim
	}
	err = s.o.DB.Write(ctx, cause, func(tx *sqldb.Tx) (err error) {
		create := s.o.Assets.Create
		if d.Pending {
			create = s.o.Assets.Pending.Create
		}
		asset, kept, err = create(tx, assetstore.NewAsset{
			Blob: up.blob, FilesID: s.o.FilesID, Key: key, Name: up.name, ContentType: up.contentType, Width: up.width, Height: up.height,
			Metadata: d.Metadata, Source: d.Source,
		})
		asset.URL = s.URL(asset)
		return err
	})
	switch {
	case err == nil && d.Pending:
		s.settlePending(ctx, cause.Actor.ID, up, asset.Key, kept)
	case err == nil && !kept:
		s.settle(ctx, up, func() (assetstore.File, error) { return s.o.Assets.ByKey(ctx, asset.Key) })
	case refused(err):
		s.Discard(ctx, up)
	}
	return asset, err
}

// settle removes the bytes of an upload, since its asset, which find looks up, has
// equal ones that were there before. Where those are lost, as after a restore without
// all files, it puts the new ones in their place. What it cannot tell is left to Sweep.
func (s *Service) settle(ctx context.Context, up *Upload, find func() (assetstore.File, error)) {
	replaced, err := s.replaceLost(ctx, up, find)
	switch {
	case err != nil:
		s.o.Log.WarnContext(ctx, "the existing equal bytes were not checked; those of the upload are removed later", "blob", up.blob.Key, "error", err)
	case !replaced:
		s.Discard(ctx, up)
	}
}

// replaceLost puts the bytes of an upload in the place of those of an asset,
// where these are not there in full.
func (s *Service) replaceLost(ctx context.Context, up *Upload, find func() (assetstore.File, error)) (replaced bool, err error) {
	known, err := find()
	if octavo.IsType(err, octavo.NotFound) {
		return false, nil // deleted since
	}
	if err != nil {
		return false, err
	}
	file, err := s.o.Blobs.Open(ctx, known.Blob)
	switch {
	case err == nil:
		whole := file.Size() == up.blob.Size
		if err := file.Close(); err != nil || whole {
			return false, err
		}
	case !errors.Is(err, blob.ErrNotFound):
		return false, fmt.Errorf("look at the bytes of asset %s: %w", known.ID, err)
	}
	err = s.o.DB.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		replaced, err = s.o.Assets.MoveBlob(tx, known.Blob, up.blob.Key)
		return err
	})
	if err == nil && replaced {
		s.o.Log.WarnContext(ctx, "the bytes of an asset were lost, and an upload restored them", "lost", known.Blob, "blob", up.blob.Key)
		s.remove(ctx, known.Blob)
	}
	return replaced, err
}

// refused reports whether an error says that the transaction surely left
// nothing behind, as one does that finds the disk full. After others it may
// have been committed all the same, and its bytes are left to Sweep.
func refused(err error) bool {
	var e *octavo.Error
	var replay *sqldb.ReplayError
	return errors.As(err, &replay) || errors.As(err, &e) && (e.Type.Info().Status < 500 || e.Type == octavo.StorageFull)
}

// Get returns the asset that the asker sees; else the error is NotFound.
func (s *Service) Get(ctx context.Context, a Asker, id octavo.ID) (octavo.Asset, error) {
	asset, err := s.o.Assets.Get(ctx, a.Audience, id)
	if octavo.IsType(err, octavo.NotFound) {
		var pending assetstore.PendingFile
		pending, err = s.o.Assets.Pending.Get(ctx, a.viewer(), id)
		asset = pending.Asset
	}
	asset.URL = s.URL(asset)
	return asset, err
}

// Query selects assets of a list.
type Query = assetstore.Query

// List returns one slice of the assets that the asker sees and of the pending files
// that it uploaded, and whether more follow.
func (s *Service) List(ctx context.Context, a Asker, q assetstore.Query) ([]octavo.Asset, bool, error) {
	q.Uploader = a.viewer().ID
	list, more, err := s.o.Assets.List(ctx, a.Audience, q)
	for i := range list {
		list[i].URL = s.URL(list[i])
	}
	return list, more, err
}

// Pages returns the pages that refer to an asset, see [assetstore.Assets.Pages].
func (s *Service) Pages(ctx context.Context, aud octavo.Audience, id, after octavo.ID, limit int) ([]octavo.PageSummary, bool, error) {
	return s.o.Assets.Pages(ctx, aud, id, after, limit)
}

// Patch changes the metadata of an asset that match permits. Its errors are
// NotFound, PreconditionFailed and Forbidden, see [Asker].
func (s *Service) Patch(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, patch octavo.AssetPatch, match sqldb.IfMatch) (octavo.Asset, error) {
	var asset octavo.Asset
	err := s.o.DB.Write(ctx, cause, func(tx *sqldb.Tx) error {
		pending, err := s.own(tx, a, id, false)
		switch {
		case err != nil:
		case pending != nil:
			asset, err = s.o.Assets.Pending.Update(tx, *pending, patch, match)
		default:
			asset, err = s.o.Assets.Update(tx, id, patch, match)
		}
		return err
	})
	asset.URL = s.URL(asset)
	return asset, err
}

// Delete deletes an asset that match permits for good, and its bytes when no
// other has them. Its errors are NotFound, PreconditionFailed, Forbidden, see [Asker],
// and, unless forced, Conflict while pages or proposals refer to it.
func (s *Service) Delete(ctx context.Context, cause sqldb.Cause, a Asker, id octavo.ID, force bool, match sqldb.IfMatch) error {
	spare, err := assetstore.NewKey(s.o.Random)
	if err != nil {
		return err
	}
	var unused string
	err = s.o.DB.Write(ctx, cause, func(tx *sqldb.Tx) error {
		pending, err := s.own(tx, a, id, true)
		switch {
		case err != nil:
		case pending != nil:
			unused, err = s.o.Assets.Pending.Delete(tx, a.viewer(), *pending, force, match)
			unused = cmp.Or(unused, spare) // that others have the bytes is not seen from the time this takes
		default:
			unused, err = s.o.Assets.Delete(tx, id, force, match)
		}
		return err
	})
	if err == nil && unused != "" {
		s.remove(ctx, unused)
	}
	return err
}

// remove removes bytes that no row has. When that fails they are left to Sweep.
func (s *Service) remove(ctx context.Context, key string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), removeTimeout)
	defer cancel()
	if err := s.o.Blobs.Remove(ctx, key); err != nil {
		s.o.Log.WarnContext(ctx, "orphaned bytes were not removed; they will be later", "blob", key, "error", err)
	}
}
