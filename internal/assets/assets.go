// Package assets handles uploaded files: receiving, describing, serving and
// deleting them, and keeping rows and bytes consistent. Bytes are written
// first and rows second, and removed in the other order, so that no row ever
// lacks its bytes. [Service.Sweep] removes bytes without a row.
//
// The rules within a transaction are in assetstore, and the form of requests
// in httpapi. Pages find their assets only through the store. Start with
// [Service], then upload.go and files.go.
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

// Options configure the service.
type Options struct {
	DB     *sqldb.DB
	Assets *assetstore.Assets
	Blobs  blob.Store
	Random io.Reader
	Now    func() time.Time
	Log    *slog.Logger

	FilesID string // the identifier of Blobs, see [assetstore.Files]

	PublicURL string // prefix of addresses, without trailing slash

	// Lifetime, unless 0, makes addresses expire: each is signed with Key
	// and valid for at least this time, and at most twice as long.
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

// Reply makes the response to an upload from the new asset. It runs before
// the commit, so that the response can be stored for a repeated request.
type Reply func(octavo.Asset) sqldb.Response

// Description describes the asset of an upload.
type Description struct {
	Metadata octavo.AssetMetadata
	Source   string // path of the imported file, or ""
	Pending  bool   // waits for the merge of a proposal, see pending.go
}

// Create makes an asset from an upload. Its errors are those of an
// Idempotency-Key. In any case the upload cannot be used again.
func (s *Service) Create(ctx context.Context, cause sqldb.Cause, up *Upload, d Description, reply Reply) (octavo.Asset, error) {
	if s.o.Now().Sub(up.at) > sweepGrace/2 {
		s.Discard(ctx, up) // it might be swept before its row exists
		return octavo.Asset{}, &octavo.Error{Type: octavo.Unavailable, Detail: "The upload took too long.", RetryAfter: time.Second}
	}
	key, err := assetstore.NewKey(s.o.Random)
	if err != nil {
		return octavo.Asset{}, err
	}
	var asset octavo.Asset
	var kept bool
	cause = cause.Replying(func() sqldb.Response { return reply(asset) })
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

// settle removes the bytes of an upload whose asset, which find looks up,
// has equal earlier ones. If those are lost, as after a restore without all
// files, it replaces them by the new ones. Sweep handles the rest.
func (s *Service) settle(ctx context.Context, up *Upload, find func() (assetstore.File, error)) {
	replaced, err := s.replaceLost(ctx, up, find)
	switch {
	case err != nil:
		s.o.Log.WarnContext(ctx, "the existing equal bytes could not be checked; the next sweep removes those of the upload", "blob", up.blob.Key, "error", err)
	case !replaced:
		s.Discard(ctx, up)
	}
}

// replaceLost replaces the bytes of an asset by those of an upload, if they
// are missing or incomplete.
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
		blob.Discard(ctx, s.o.Blobs, known.Blob, s.o.Log)
	}
	return replaced, err
}

// refused reports whether the transaction of an error certainly left nothing
// behind, as with a full disk. After other errors it may have been
// committed, and its bytes are left to Sweep.
func refused(err error) bool {
	var e *octavo.Error
	var replay *sqldb.ReplayError
	return errors.As(err, &replay) || errors.As(err, &e) && (e.Type.Info().Status < 500 || e.Type == octavo.StorageFull)
}

// Get returns the asset if the asker sees it, otherwise a NotFound error.
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

// List returns one page of the assets that the asker sees and its own
// pending files, and whether more follow.
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

// Patch changes the metadata of an asset if match permits. Its errors are
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

// Delete deletes an asset permanently if match permits, and its bytes if no other asset
// has them. Its errors are NotFound, PreconditionFailed, Forbidden, see [Asker], and,
// unless forced, Conflict while pages or proposals refer to it.
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
			unused = cmp.Or(unused, spare) // so that timing does not reveal whether others have the bytes
		default:
			unused, err = s.o.Assets.Delete(tx, id, force, match)
		}
		return err
	})
	if err == nil && unused != "" {
		blob.Discard(ctx, s.o.Blobs, unused, s.o.Log)
	}
	return err
}
