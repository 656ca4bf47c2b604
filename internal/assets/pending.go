package assets

import (
	"context"
	"io"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Asker is the subject of a request. Without Write it changes only its own pending
// files: those that it uploaded for an unmerged proposal (decision 70).
type Asker struct {
	ID       string // the subject
	Audience octavo.Audience
	Propose  bool
	Write    bool
}

// AskerOf returns the subject of a verified credential.
func AskerOf(p octavo.Principal) Asker {
	return Asker{ID: p.ID, Audience: p.Audience(), Propose: p.Scopes.Allow(octavo.ScopePropose), Write: p.Scopes.Allow(octavo.ScopeWrite)}
}

// viewer is the asker if it may read proposals, otherwise nobody.
func (a Asker) viewer() assetstore.Viewer {
	if !a.Propose {
		return assetstore.Viewer{}
	}
	return assetstore.Viewer{ID: a.ID, PublishedOnly: a.Audience.PublishedOnly}
}

// own locks a pending file of the asker; nil means that it is an asset that the asker
// may change. Without Write the refusal does not reveal whether the asset exists.
// others also permits pending files of others to askers with Write who see them.
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

// settlePending is settle for a pending file. It does the same work if the bytes were
// stored, so that the time of an upload does not reveal whether others have equal ones.
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

// Within limits a pending upload to its uploader's remaining space: beyond
// that, reading fails with the Conflict of [Service.Create].
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
