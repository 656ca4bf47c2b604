package live

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// SnapshotFile is the file of a snapshot in its folder.
const SnapshotFile = "index"

const lockFile = "lock" // held by the process that writes the snapshot

// When a snapshot is written. Writing should take a hundredth of the time at most.
const (
	saveFirst    = 10 * time.Second // after the start
	saveInterval = 5 * time.Minute  // minimum between two
	saveShare    = 100
	saveMost     = 6 * time.Hour
)

// snapshot is the file of an index. If there is none, or another process
// writes it, nothing is read or saved.
type snapshot struct {
	service *Service
	path    string       // "" for none
	lock    *flock.Flock // held
	saved   int64        // position of the log
}

// openSnapshot locks the snapshot for this process. Search works without one
// too, so problems with it are not errors.
func (s *Service) openSnapshot(ctx context.Context) *snapshot {
	none := &snapshot{service: s}
	if s.Folder == "" {
		return none
	}
	if err := os.MkdirAll(s.Folder, 0o700); err != nil {
		s.Log.WarnContext(ctx, "the search index is not saved on disk", "error", err)
		return none
	}
	lock := flock.New(filepath.Join(s.Folder, lockFile))
	switch held, err := lock.TryLock(); {
	case err != nil:
		s.Log.WarnContext(ctx, "the search index is not saved on disk", "error", err)
		return none
	case !held:
		s.Log.WarnContext(ctx, "the search index is not saved on disk: another process saves its own there", "folder", s.Folder)
		return none
	}
	return &snapshot{service: s, path: filepath.Join(s.Folder, SnapshotFile), lock: lock}
}

// close releases the snapshot.
func (s *snapshot) close() {
	if s.lock != nil {
		_ = s.lock.Unlock() // the end of the process would release it too
	}
}

// load reads the snapshot, or returns an empty index.
func (s *snapshot) load(ctx context.Context) *search.Index {
	if s.path == "" {
		return search.New(s.service.Index)
	}
	index, err := search.Load(s.path, s.service.Index)
	if errors.Is(err, fs.ErrNotExist) {
		return search.New(s.service.Index)
	}
	if err != nil {
		s.service.Log.WarnContext(ctx, "the search index is rebuilt", "error", err)
		return search.New(s.service.Index)
	}
	reach, err := s.service.Store.Log.Reach(ctx)
	if err == nil && !reach.Has(index.Position()) {
		s.service.Log.WarnContext(ctx, "the search index is rebuilt: it has changes that the database does not have", "position", index.Position(), "database", reach.Last)
		return search.New(s.service.Index)
	}
	s.saved = index.Position()
	return index
}

// keep saves the index from time to time, until ctx ends.
func (s *snapshot) keep(ctx context.Context, index *search.Index) {
	for wait := saveFirst; ctx.Err() == nil; {
		sqldb.Pause(ctx, wait)
		if ctx.Err() == nil && s.service.index.Load() != nil {
			wait = min(max(saveInterval, saveShare*s.save(ctx, index)), saveMost)
		}
	}
}

// save writes the index if it has changed, and returns how long that took. A
// failure is logged: the next start reads more from the store.
func (s *snapshot) save(ctx context.Context, index *search.Index) time.Duration {
	if s.path == "" || index.Position() == s.saved {
		return 0
	}
	begun := s.service.Now()
	position, err := index.Save(s.path)
	took := s.service.Now().Sub(begun)
	if err != nil {
		s.service.Log.WarnContext(ctx, "the search index was not saved", "error", err)
		return took
	}
	s.saved = position
	return took
}
