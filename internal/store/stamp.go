package store

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync/atomic"

	"github.com/octavo-docs/octavo"
)

// Stamp names a moment up to which the stored state of a page is known. It
// lets a reader keep what it made of a page and use it again without asking
// the database, see [Store.Holds].
type Stamp struct {
	page, visibility, epoch uint64
	snapshot                string // of a database that other processes write to
	ok                      bool
}

// stampSlots is how many counters pages share. Two pages on one counter cost
// a needless look at the database, nothing worse.
const stampSlots = 16 << 10

// stamps count the commits that change pages, while this process alone writes
// to its database. Each counter has in its lower half how many commits are
// under way, and in its upper half how many were begun.
type stamps struct {
	seed       maphash.Seed
	slots      [stampSlots]atomic.Uint64
	visibility atomic.Uint64 // of commits that show or hide pages which were there
	any        atomic.Uint64 // of commits that change or make pages
	epoch      atomic.Uint64 // of changes that somebody else made
}

const stampBegin, stampEnd = 1<<32 + 1, ^uint64(0)

func newStamps() *stamps { return &stamps{seed: maphash.MakeSeed()} }

func (s *stamps) slot(id octavo.ID) *atomic.Uint64 {
	return &s.slots[maphash.String(s.seed, string(id))%stampSlots]
}

// touched is what a transaction does to stored pages.
type touched struct {
	any   bool
	pages []octavo.ID // but for new ones, of which nobody can know anything; keys of deleted files too
	shown bool        // some of them appear or disappear for readers of published pages
}

// begin must be called before the commit becomes visible, and end afterwards,
// with the same argument.
func (s *stamps) begin(t touched) { s.add(t, stampBegin) }

func (s *stamps) end(t touched) { s.add(t, stampEnd) }

func (s *stamps) add(t touched, delta uint64) {
	for _, id := range t.pages {
		s.slot(id).Add(delta)
	}
	if t.shown {
		s.visibility.Add(delta)
	}
	if t.any {
		s.any.Add(delta)
	}
}

// outdate makes every stamp given so far one that does not hold.
func (s *stamps) outdate() {
	for i := range s.slots {
		s.slots[i].Add(1 << 32)
	}
	s.any.Add(1 << 32)
	s.epoch.Add(1)
}

// SameEpoch reports whether, since the stamp was given, nobody changed the
// database without the rules of this package. Otherwise what was known of
// pages is worth nothing, their versions included.
func (s *Store) SameEpoch(st Stamp) bool { return st.epoch == s.NoStamp().epoch }

// NoStamp returns a stamp that never holds, for what is read from now on.
func (s *Store) NoStamp() Stamp {
	if s.stamps == nil {
		return Stamp{}
	}
	return Stamp{epoch: s.stamps.epoch.Load()}
}

// Stamp returns the stamp for what is read of a page from now on, as aud sees
// it. It must be asked for before the page is read.
func (s *Store) Stamp(aud octavo.Audience, id octavo.ID) Stamp {
	st := s.NoStamp()
	if s.stamps == nil {
		return st
	}
	st.page = s.stamps.slot(id).Load()
	if aud.PublishedOnly {
		st.visibility = s.stamps.visibility.Load()
	}
	st.ok = uint32(st.page) == 0 && uint32(st.visibility) == 0
	return st
}

// StampFile is Stamp for what [Store.AssetByKey] finds under a key: where the
// bytes are and what they are sent as, which never changes while the asset is
// there.
func (s *Store) StampFile(key string) Stamp { return s.Stamp(octavo.Audience{}, octavo.ID(key)) }

// HoldsFile is Holds for what was found under a key.
func (s *Store) HoldsFile(key string, st Stamp) bool {
	return s.Holds(octavo.Audience{}, octavo.ID(key), st)
}

// Holds reports whether the page has not changed for aud since the stamp was
// given: what was read then is what would be read now. It is false where that
// cannot be told without the database: while the page is being changed, and
// always where other processes change pages too.
func (s *Store) Holds(aud octavo.Audience, id octavo.ID, st Stamp) bool {
	return st.ok && s.Stamp(aud, id) == st
}

// StampAll is Stamp for what is read of pages that are looked for. Two of them
// are the same exactly when no page has changed in between, see [Stamp.Is].
// Where other processes write too the database is asked for it.
func (s *Store) StampAll(ctx context.Context) (Stamp, error) {
	st := s.NoStamp()
	if s.stamps == nil {
		var err error
		if st.snapshot, err = s.snapshots.share(ctx, struct{}{}); err != nil {
			return st, fmt.Errorf("ask the database for its moment: %w", err)
		}
		st.ok = true
		return st, nil
	}
	st.page = s.stamps.any.Load()
	st.ok = uint32(st.page) == 0
	return st, nil
}

func (s *Store) lookAtSnapshot([]struct{}) (string, error) {
	text, err := s.db.snapshot(s.tail.ctx)
	return text, s.tail.unlessClosed(err)
}

// Is reports whether what was looked for when st was given is what would be
// found now.
func (st Stamp) Is(now Stamp) bool { return st.ok && st == now }
