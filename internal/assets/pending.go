package assets

import (
	"context"
	"io"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Asker is who asks for an asset. Without Write it changes nothing but pending files of
// its own: those that it uploaded for a proposal which is not merged (decision 70).
type Asker struct {
	ID       string // the subject
	Audience octavo.Audience
	Propose  bool
	Write    bool
}

// AskerOf returns who a verified credential speaks for.
func AskerOf(p octavo.Principal) Asker {
	return Asker{ID: p.ID, Audience: p.Audience(), Propose: p.Scopes.Allow(octavo.ScopePropose), Write: p.Scopes.Allow(octavo.ScopeWrite)}
}

// viewer is the asker where it may read proposals, and else nobody.
func (a Asker) viewer() assetstore.Viewer {
	if !a.Propose {
		return assetstore.Viewer{}
	}
	return assetstore.Viewer{ID: a.ID, PublishedOnly: a.Audience.PublishedOnly}
}

// own locks a pending file of the asker; nil says that the asset is another one, which
// the asker may change. Without Write the refusal is the same for what is there and what
// is not. others permits pending files of others to whoever has Write and sees them.
func (s *Service) own(tx *sqldb.Tx, a Asker, id octavo.ID, others bool) (*assetstore.PendingFile, error) {
	pending, err := s.o.Assets.Pending.Lock(tx, a.viewer(), id)
	missing := octavo.IsType(err, octavo.NotFound)
	switch {
	case err != nil && !missing:
		return nil, err
	case !missing && (pending.Uploader == sqldb.Plain(a.ID) || a.Write && others):
		return &pending, nil
	case !a.Write:
		return nil, octavo.Errorf(octavo.Forbidden, "This needs the scope %s.", octavo.ScopeWrite)
	case !missing:
		return nil, octavo.Errorf(octavo.Forbidden, "Only its uploader can change the metadata of a pending file.")
	}
	return nil, nil //nolint:nilnil // no pending file
}

// lookUpPending is lookUp for a pending file that the asker sees.
func (s *Service) lookUpPending(ctx context.Context, key, name string, who func() (Asker, error)) (assetstore.File, error) {
	a, err := who()
	if err != nil {
		return assetstore.File{}, err
	}
	known, err := s.o.Assets.Pending.ByKey(ctx, a.viewer(), key)
	if err != nil {
		return known, err
	}
	return named(known, name)
}

// settlePending is settle for a pending file. It does as much where the bytes were kept:
// whether others have equal ones is not seen from the time that an upload takes.
func (s *Service) settlePending(ctx context.Context, uploader string, up *Upload, key string, kept bool) {
	if kept {
		spare, err := assetstore.NewKey(s.o.Random)
		if err != nil {
			return // nothing is to be removed
		}
		up = &Upload{blob: assetstore.Blob{Key: spare, Size: up.blob.Size}}
	}
	s.settle(ctx, up, func() (assetstore.File, error) {
		return s.o.Assets.Pending.ByKey(ctx, assetstore.Viewer{ID: uploader, PublishedOnly: true}, key)
	})
}

// Within bounds an upload that will be pending to what is left to its uploader: beyond
// that reading it fails with the Conflict that [Service.Create] would end with.
func (s *Service) Within(ctx context.Context, r io.Reader, uploader string) (io.Reader, error) {
	size, err := s.o.Assets.Pending.Size(ctx, uploader)
	if err != nil {
		return nil, err
	}
	return &within{r, octavo.MaxPendingFiles - size}, nil
}

type within struct {
	io.Reader
	left int64
}

// Read implements io.Reader.
func (w *within) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if w.left -= int64(n); w.left < 0 {
		return 0, assetstore.ErrPendingFull()
	}
	return n, err
}
