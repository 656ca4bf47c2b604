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

// ShelfName is the name under which a blob store keeps snapshots apart from
// the files of assets.
const ShelfName = "search"

// When processes write shared snapshots, and which ones are kept.
const (
	shelfEvery  = 10 * time.Minute   // minimum between two snapshots of an installation
	shelfLooks  = 5                  // how often a process checks in that time
	shelfFirst  = 5 * time.Second    // maximum from the start to the first check
	shelfEmpty  = time.Second        // to the next check, while there is no snapshot
	shelfKeep   = 2                  // snapshots of this version that are kept
	shelfGrace  = time.Hour          // for superseded ones, which may still be read
	shelfOthers = 7 * 24 * time.Hour // for those of other versions
	shelfAhead  = 1000               // changes that are rather read from the log than downloaded
)

// Shelf is where the processes of an installation share snapshots. A
// snapshot of one process saves the others from reading every page.
type Shelf struct {
	Blobs  blob.Store    // only for snapshots, see blob.Store.Apart
	Random io.Reader     // for names, and for the times of checks
	Every  time.Duration // between two snapshots; 0 means ten minutes
}

// shelved is a snapshot by its key: the version, the position of the log,
// and a unique part.
type shelved struct {
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

// shelfKey returns a key. unique has eight bytes.
func shelfKey(position int64, unique []byte) string {
	return fmt.Sprintf("%s%s%0*x%x", keyMark, search.Version(), keyPosition, position, unique)
}

// readKey parses a key.
func readKey(info blob.Info) (shelved, bool) {
	rest, ours := strings.CutPrefix(info.Key, keyMark)
	if !ours || len(rest) != keyVersion+keyPosition+keyUnique {
		return shelved{}, false
	}
	position, err := strconv.ParseInt(rest[keyVersion:keyVersion+keyPosition], 16, 64)
	return shelved{key: info.Key, position: position, modified: info.Modified, own: rest[:keyVersion] == search.Version()}, err == nil
}

// listShelf returns the shared snapshots, newest first.
func listShelf(ctx context.Context, blobs blob.Store) ([]shelved, error) {
	var all []shelved
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("list the search snapshots: %w", err)
		}
		if one, ok := readKey(info); ok {
			all = append(all, one)
		}
	}
	slices.SortFunc(all, func(a, b shelved) int {
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

// shelf is the state of a process for shared snapshots. It is for one
// goroutine.
type shelf struct {
	*Shelf
	service *Service
	newest  string          // key of the newest one that this process saw
	since   time.Time       // when it first saw that, by its own clock
	damaged map[string]bool // keys
	kept    int64           // position after which the log has every change
	reach   changelog.Reach // of the change log
	looks   time.Duration   // interval between checks
	first   time.Duration   // delay of the first check
}

// openShelf draws the times of checks, so that processes that start together
// do not all write.
func (s *Service) openShelf(ctx context.Context) *shelf {
	if s.Shelf == nil {
		return nil
	}
	h := &shelf{Shelf: s.Shelf, service: s, damaged: map[string]bool{}}
	phase, err := h.unique()
	if err != nil {
		s.Log.ErrorContext(ctx, "search snapshots are not shared", "error", err)
		return nil
	}
	every := cmp.Or(s.Shelf.Every, shelfEvery)
	share := time.Duration(phase[0]) + 1 // of 256
	h.looks = every/shelfLooks/2 + every/shelfLooks*share/512
	h.first = min(shelfFirst, every) * share / 256
	return h
}

// unique draws eight bytes.
func (h *shelf) unique() ([]byte, error) {
	drawn := make([]byte, keyUnique/2)
	if _, err := io.ReadFull(h.Random, drawn); err != nil {
		return nil, fmt.Errorf("draw a name: %w", err)
	}
	return drawn, nil
}

// usable returns the snapshots from which this program can continue, newest
// first: of its version, from the history of this database, and not older
// than the change log.
func (h *shelf) usable(ctx context.Context) (usable, all []shelved, err error) {
	all, err = listShelf(ctx, h.Blobs)
	if err != nil {
		return nil, nil, err
	}
	first, err := h.service.Store.Log.First(ctx)
	if err != nil {
		return nil, nil, err
	}
	h.kept = first
	reach, err := h.service.Store.Log.Reach(ctx) // after the list, so that no snapshot is newer
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

// load returns the newest usable snapshot, or the index of this process if
// that is hardly older. Problems are not errors, because the pages are in
// the store.
func (h *shelf) load(ctx context.Context, index *search.Index) *search.Index {
	if h == nil {
		return index
	}
	log := h.service.Log
	usable, all, err := h.usable(ctx)
	if err != nil {
		log.WarnContext(ctx, "the search index does not begin with a shared snapshot", "error", err)
		return index
	}
	if len(usable) == 0 && len(all) > 0 {
		log.InfoContext(ctx, "no shared search snapshot can be used: all are of other versions, too old, or of a later state than the database", "snapshots", len(all))
	}
	stats := index.Stats()
	empty := stats.Published+stats.Other == 0
	for _, one := range usable {
		if !empty && index.Position() >= h.kept && one.position-index.Position() < shelfAhead {
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
			log.InfoContext(ctx, "the search index begins with a shared snapshot", "snapshot", one.key, "position", one.position,
				"took", h.service.Now().Sub(begun).Round(time.Millisecond))
			return loaded
		}
	}
	return index
}

// keep checks from time to time whether a snapshot is due, until ctx ends.
func (h *shelf) keep(ctx context.Context, index *search.Index) {
	if h == nil || h.service.AwaitReady(ctx) != nil {
		return
	}
	for wait := h.first; ; wait = h.looks {
		sqldb.Pause(ctx, wait)
		for ctx.Err() == nil && index.Position() == 0 {
			sqldb.Pause(ctx, shelfEmpty) // so that the first snapshot of an installation is not late
		}
		if ctx.Err() != nil {
			return
		}
		if err := h.look(ctx, index); err != nil && ctx.Err() == nil {
			h.service.Log.WarnContext(ctx, "the search snapshot was not shared", "error", err)
		}
	}
}

// look writes a snapshot if the newest has been the same for long enough, by
// this process's own observation, so that clocks need not agree.
func (h *shelf) look(ctx context.Context, index *search.Index) error {
	usable, _, err := h.usable(ctx)
	if err != nil {
		return err
	}
	newest := shelved{}
	if len(usable) > 0 {
		newest = usable[0]
	}
	h.service.shared.Store(newest.position)
	now := h.service.Now()
	if newest.key != h.newest {
		h.newest, h.since = newest.key, now
	}
	if index.Position() <= newest.position || newest.key != "" && now.Sub(h.since).Abs() < cmp.Or(h.Every, shelfEvery) {
		return nil
	}
	if err := h.put(ctx, index); err != nil {
		return err
	}
	return h.tidy(ctx, h.service.Now())
}

// put writes a snapshot.
func (h *shelf) put(ctx context.Context, index *search.Index) error {
	unique, err := h.unique()
	if err != nil {
		return err
	}
	snapshot := index.Snapshot()
	begun := h.service.Now()
	key := shelfKey(snapshot.Position(), unique)
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

// tidy removes the snapshots that are no longer needed.
func (h *shelf) tidy(ctx context.Context, now time.Time) error {
	usable, all, err := h.usable(ctx)
	if err != nil {
		return err
	}
	stays := map[string]bool{}
	for _, one := range usable[:min(shelfKeep, len(usable))] {
		stays[one.key] = true
	}
	for _, one := range all {
		grace := shelfGrace
		if !one.own {
			grace = shelfOthers
		}
		if one.own && !h.reach.Has(one.position) {
			grace = 0 // the database was set back, and will reach that position again with other pages
		}
		if stays[one.key] || now.Sub(one.modified) < grace {
			continue
		}
		if err := h.Blobs.Remove(ctx, one.key); err != nil {
			return fmt.Errorf("remove an old search snapshot: %w", err)
		}
	}
	if _, err := h.Blobs.Sweep(ctx, now.Add(-shelfGrace)); err != nil {
		return fmt.Errorf("remove unfinished search snapshots: %w", err)
	}
	return nil
}
