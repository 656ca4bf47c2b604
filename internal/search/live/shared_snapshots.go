package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// SnapshotFolder is the prefix of the snapshots in a blob store. It keeps them apart
// from the files of assets.
const SnapshotFolder = "search"

// When a process writes a snapshot, and how long snapshots are kept.
const (
	snapshotInterval  = 10 * time.Minute   // least time between two snapshots of an installation
	snapshotChecks    = 5                  // checks of a process in that time
	firstCheck        = 5 * time.Second    // longest time from the start to the first check
	emptyCheck        = time.Second        // between checks of an empty installation
	keptSnapshots     = 2                  // snapshots of this version that are kept
	supersededGrace   = time.Hour          // a superseded snapshot may still be read
	otherVersionGrace = 7 * 24 * time.Hour // retention of snapshots of other versions
	maxReplay         = 1000               // changes that are replayed from the log rather than downloaded
)

// SharedSnapshots is where the processes of an installation share snapshots of the
// index. A process that loads one does not have to read every page.
type SharedSnapshots struct {
	Blobs  blob.Store    // holds only snapshots, see blob.Store.Apart
	Random io.Reader     // for keys, and for the times of checks
	Every  time.Duration // least time between two snapshots; 0 means ten minutes
}

// sharedSnapshot is a snapshot as its key describes it: the version of the index, the
// position in the change log, and a random part.
type sharedSnapshot struct {
	key      string
	position int64
	modified time.Time
	own      bool // of the version of this program
}

// Digits of the parts of a key.
const (
	keyMark     = "ix"
	keyVersion  = 12
	keyPosition = 16
	keyUnique   = 16
)

// snapshotKey returns the key of a snapshot. unique has eight bytes.
func snapshotKey(position int64, unique []byte) string {
	return fmt.Sprintf("%s%s%0*x%x", keyMark, search.Version(), keyPosition, position, unique)
}

// readKey parses a key.
func readKey(info blob.Info) (sharedSnapshot, bool) {
	rest, ours := strings.CutPrefix(info.Key, keyMark)
	if !ours || len(rest) != keyVersion+keyPosition+keyUnique {
		return sharedSnapshot{}, false
	}
	position, err := strconv.ParseInt(rest[keyVersion:keyVersion+keyPosition], 16, 64)
	return sharedSnapshot{key: info.Key, position: position, modified: info.Modified, own: rest[:keyVersion] == search.Version()}, err == nil
}

// listSnapshots returns the snapshots in a store, newest first.
func listSnapshots(ctx context.Context, blobs blob.Store) ([]sharedSnapshot, error) {
	var all []sharedSnapshot
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the search snapshots: %w", err)
		}
		if one, ok := readKey(info); ok {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b sharedSnapshot) int {
		return cmp.Or(cmp.Compare(b.position, a.position), b.modified.Compare(a.modified), cmp.Compare(a.key, b.key))
	})
	return all, nil
}

// fetch reads a snapshot.
func fetch(ctx context.Context, blobs blob.Store, key string, config search.Config) (index *search.Index, err error) {
	file, err := blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return search.Read(file, file.Size(), config)
}

// sharer reads and writes shared snapshots for one process. It is not safe for
// concurrent use.
type sharer struct {
	*SharedSnapshots
	service *Service
	newest  string          // key of the newest snapshot this process saw
	since   time.Time       // when it first saw it, by its own clock
	damaged map[string]bool // keys
	kept    int64           // the log had every change after this position
	reach   changelog.Reach // of the change log
	looks   time.Duration   // between two checks
	first   time.Duration   // before the first check
}

// newSharer returns nil if snapshots are not shared. The times of checks are random,
// so that processes that start together do not all write.
func (s *Service) newSharer(ctx context.Context) *sharer {
	if s.Snapshots == nil {
		return nil
	}
	h := &sharer{SharedSnapshots: s.Snapshots, service: s, damaged: map[string]bool{}}
	phase, err := h.unique()
	if err != nil {
		s.Log.ErrorContext(ctx, "search snapshots are not shared", "error", err)
		return nil
	}
	every := cmp.Or(s.Snapshots.Every, snapshotInterval)
	share := time.Duration(phase[0]) + 1 // of 256
	h.looks = every/snapshotChecks/2 + every/snapshotChecks*share/512
	h.first = min(firstCheck, every) * share / 256
	return h
}

// unique returns eight random bytes.
func (h *sharer) unique() ([]byte, error) {
	drawn := make([]byte, keyUnique/2)
	if _, err := io.ReadFull(h.Random, drawn); err != nil {
		return nil, fmt.Errorf("draw a name: %w", err)
	}
	return drawn, nil
}

// usable returns the snapshots that this program can load, newest first: those of its
// version, of the history of this database, and no older than the change log.
func (h *sharer) usable(ctx context.Context) (usable, all []sharedSnapshot, err error) {
	all, err = listSnapshots(ctx, h.Blobs)
	if err != nil {
		return nil, nil, err
	}
	first, err := h.service.Store.Log.First(ctx)
	if err != nil {
		return nil, nil, err
	}
	h.kept = first
	reach, err := h.service.Store.Log.Reach(ctx) // after the list: none of it is of the future
	if err != nil {
		return nil, nil, err
	}
	h.reach = reach
	for _, one := range all {
		if one.own && one.position >= first && reach.Has(one.position) && !h.damaged[one.key] {
			usable = append(usable, one)
		}
	}
	return usable, all, nil
}

// load returns the newest usable snapshot, or index if that is at most maxReplay
// changes behind. A snapshot that cannot be read is logged and skipped: the index can
// always be built from the pages.
func (h *sharer) load(ctx context.Context, index *search.Index) *search.Index {
	if h == nil {
		return index
	}
	log := h.service.Log
	usable, all, err := h.usable(ctx)
	if err != nil {
		log.WarnContext(ctx, "the search index does not start from a shared snapshot", "error", err)
		return index
	}
	if len(usable) == 0 && len(all) > 0 {
		log.InfoContext(ctx, "no shared search snapshot can be used: all are of other versions, too old, or of a later state than the database", "snapshots", len(all))
	}
	stats := index.Stats()
	empty := stats.Published+stats.Other == 0
	for _, one := range usable {
		if !empty && index.Position() >= h.kept && one.position-index.Position() < maxReplay {
			return index
		}
		begun := h.service.Now()
		loaded, err := fetch(ctx, h.Blobs, one.key, h.service.Index)
		switch {
		case err == nil && loaded.Position() != one.position:
			err = fmt.Errorf("%w: it is of position %d", search.ErrSnapshot, loaded.Position())
			fallthrough
		case errors.Is(err, search.ErrSnapshot):
			h.damaged[one.key] = true
			log.WarnContext(ctx, "a shared search snapshot is damaged", "snapshot", one.key, "error", err)
		case err != nil:
			log.WarnContext(ctx, "a shared search snapshot was not read", "snapshot", one.key, "error", err)
		default:
			log.InfoContext(ctx, "the search index starts from a shared snapshot", "snapshot", one.key, "position", one.position,
				"took", h.service.Now().Sub(begun).Round(time.Millisecond))
			return loaded
		}
	}
	return index
}

// keep writes a snapshot whenever one is due, until ctx ends.
func (h *sharer) keep(ctx context.Context, index *search.Index) {
	if h == nil || h.service.AwaitReady(ctx) != nil {
		return
	}
	for wait := h.first; ; wait = h.looks {
		sqldb.Pause(ctx, wait)
		for ctx.Err() == nil && index.Position() == 0 {
			sqldb.Pause(ctx, emptyCheck) // the first snapshot must not wait for the next check
		}
		if ctx.Err() != nil {
			return
		}
		if err := h.look(ctx, index); err != nil && ctx.Err() == nil {
			h.service.Log.WarnContext(ctx, "the search snapshot was not shared", "error", err)
		}
	}
}

// look writes a snapshot if the newest is old enough. The age is measured from when
// this process first saw it, so clocks need not agree.
func (h *sharer) look(ctx context.Context, index *search.Index) error {
	usable, _, err := h.usable(ctx)
	if err != nil {
		return err
	}
	newest := sharedSnapshot{}
	if len(usable) > 0 {
		newest = usable[0]
	}
	h.service.shared.Store(newest.position)
	now := h.service.Now()
	if newest.key != h.newest {
		h.newest, h.since = newest.key, now
	}
	if index.Position() <= newest.position || newest.key != "" && now.Sub(h.since).Abs() < cmp.Or(h.Every, snapshotInterval) {
		return nil
	}
	if err := h.put(ctx, index); err != nil {
		return err
	}
	return h.tidy(ctx, h.service.Now())
}

// put writes a snapshot.
func (h *sharer) put(ctx context.Context, index *search.Index) error {
	unique, err := h.unique()
	if err != nil {
		return err
	}
	snapshot := index.Snapshot()
	begun := h.service.Now()
	key := snapshotKey(snapshot.Position(), unique)
	r, w := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		w.CloseWithError(snapshot.Write(w)) //nolint:errcheck // never fails
	}()
	err = h.Blobs.Put(ctx, key, r)
	r.CloseWithError(io.ErrClosedPipe) //nolint:errcheck // never fails
	<-written
	if err != nil {
		return fmt.Errorf("write a search snapshot: %w", err)
	}
	h.newest, h.since = key, begun
	h.service.shared.Store(snapshot.Position())
	h.service.Log.InfoContext(ctx, "the search snapshot is shared", "snapshot", key, "position", snapshot.Position(),
		"took", h.service.Now().Sub(begun).Round(time.Millisecond))
	return nil
}

// tidy removes snapshots whose retention has ended.
func (h *sharer) tidy(ctx context.Context, now time.Time) error {
	usable, all, err := h.usable(ctx)
	if err != nil {
		return err
	}
	stays := map[string]bool{}
	for _, one := range usable[:min(keptSnapshots, len(usable))] {
		stays[one.key] = true
	}
	for _, one := range all {
		grace := supersededGrace
		if !one.own {
			grace = otherVersionGrace
		}
		if one.own && !h.reach.Has(one.position) {
			grace = 0 // the database was restored to an earlier state; the position will be reused
		}
		if stays[one.key] || now.Sub(one.modified) < grace {
			continue
		}
		if err := h.Blobs.Remove(ctx, one.key); err != nil {
			return fmt.Errorf("remove an old search snapshot: %w", err)
		}
	}
	if _, err := h.Blobs.Sweep(ctx, now.Add(-supersededGrace)); err != nil {
		return fmt.Errorf("remove unfinished search snapshots: %w", err)
	}
	return nil
}
