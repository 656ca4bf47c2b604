package sqldb

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync/atomic"

	"github.com/octavo-docs/octavo"
)

// Stamp names a moment up to which the stored state of a page is known. It
// lets a reader keep what it made of a page and use it again without asking
// the database, see [Stamps.Holds].
type Stamp struct {
	page, visibility, epoch uint64
	snapshot                string // of a database that other processes write to
	ok                      bool
}

// Is reports whether what was looked for when st was given is what would be
// found now.
func (st Stamp) Is(now Stamp) bool { return st.ok && st == now }

// Epoch rises when somebody changed the database without the rules of the store.
func (st Stamp) Epoch() uint64 { return st.epoch }

// stampSlots is how many counters pages share. Two pages on one counter cost
// a needless look at the database, nothing worse.
const stampSlots = 16 << 10

// Stamps count the commits that change pages, while this process alone writes
// to its database. Each counter has in its lower half how many commits are
// under way, and in its upper half how many were begun. Where other processes
// write too nothing is counted, and the database is asked.
type Stamps struct {
	counted    bool
	seed       maphash.Seed
	slots      []atomic.Uint64
	visibility atomic.Uint64 // of commits that show or hide pages which were there
	any        atomic.Uint64 // of commits that change or make pages
	epoch      atomic.Uint64 // of changes that somebody else made

	read      Conn
	life      *Life
	snapshots Looks[struct{}, string] // where nothing is counted
}

const stampBegin, stampEnd = 1<<32 + 1, ^uint64(0)

// countedStamps are those of a database that no other process writes to.
func countedStamps() *Stamps {
	return &Stamps{counted: true, seed: maphash.MakeSeed(), slots: make([]atomic.Uint64, stampSlots)}
}

// start has the stamps ask the database where they have to.
func (s *Stamps) start(read Conn, life *Life) {
	s.read, s.life = read, life
	s.snapshots.Start(s.lookAtSnapshot, life.Go, SharedLooks, ReadTimeout)
}

func (s *Stamps) slot(id octavo.ID) *atomic.Uint64 {
	return &s.slots[maphash.String(s.seed, string(id))%stampSlots]
}

// touched is what a transaction does to stored pages.
type touched struct {
	any   bool
	pages []octavo.ID // but for new ones, of which nobody can know anything; keys of deleted files too
	shown bool        // some of them appear or disappear for readers of published pages
}

// TouchPage notes that what was known of the page does not hold any more.
func (tx *Tx) TouchPage(kind octavo.EventType, id octavo.ID) {
	tx.pages.any = true
	switch kind {
	case octavo.PageCreated:
		tx.created = id
		return
	case octavo.PagePublished:
		if id == tx.created {
			return
		}
		tx.pages.shown = true
	case octavo.PageUpdated:
	default:
		tx.pages.shown = true
	}
	tx.pages.pages = append(tx.pages.pages, id)
}

// TouchFile notes that there is no file under the key any more.
func (tx *Tx) TouchFile(key string) {
	tx.pages.any = true
	tx.pages.pages = append(tx.pages.pages, octavo.ID(key))
}

// TouchSite notes that what was known of the site for readers as a whole does not
// hold any more, see [Stamps.All].
func (tx *Tx) TouchSite() { tx.pages.any = true }

// begin must be called before the commit becomes visible, and end afterwards,
// with the same argument.
func (s *Stamps) begin(t touched) { s.add(t, stampBegin) }
func (s *Stamps) end(t touched)   { s.add(t, stampEnd) }

func (s *Stamps) add(t touched, delta uint64) {
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
func (s *Stamps) outdate() {
	for i := range s.slots {
		s.slots[i].Add(1 << 32)
	}
	s.any.Add(1 << 32)
	s.epoch.Add(1)
}

// SameEpoch reports whether, since the stamp was given, nobody changed the
// database without the rules of the store. Otherwise what was known of pages is
// worth nothing, their versions included.
func (s *Stamps) SameEpoch(st Stamp) bool { return st.epoch == s.epoch.Load() }

// None returns a stamp that never holds, for what is read from now on.
func (s *Stamps) None() Stamp { return Stamp{epoch: s.epoch.Load()} }

// Page returns the stamp for what is read of a page from now on, as aud sees
// it. It must be asked for before the page is read.
func (s *Stamps) Page(aud octavo.Audience, id octavo.ID) Stamp {
	st := s.None()
	if !s.counted {
		return st
	}
	st.page = s.slot(id).Load()
	if aud.PublishedOnly {
		st.visibility = s.visibility.Load()
	}
	st.ok = uint32(st.page) == 0 && uint32(st.visibility) == 0
	return st
}

// Holds reports whether the page has not changed for aud since the stamp was
// given: what was read then is what would be read now. It is false where that
// cannot be told without the database: while the page is being changed, and
// always where other processes change pages too.
func (s *Stamps) Holds(aud octavo.Audience, id octavo.ID, st Stamp) bool {
	return st.ok && s.Page(aud, id) == st
}

// File is Page for the asset under a key: where its bytes are and what they are
// sent as, which never changes while the asset is there.
func (s *Stamps) File(key string) Stamp { return s.Page(octavo.Audience{}, octavo.ID(key)) }

// HoldsFile is Holds for what was found under a key.
func (s *Stamps) HoldsFile(key string, st Stamp) bool {
	return s.Holds(octavo.Audience{}, octavo.ID(key), st)
}

// All is Page for what is read of pages that are looked for. Two of them
// are the same exactly when no page has changed in between, see [Stamp.Is].
// Where other processes write too the database is asked for it.
func (s *Stamps) All(ctx context.Context) (Stamp, error) {
	st := s.None()
	if !s.counted {
		var err error
		if st.snapshot, err = s.snapshots.Share(ctx, struct{}{}); err != nil {
			return st, fmt.Errorf("ask the database for its moment: %w", err)
		}
		st.ok = true
		return st, nil
	}
	st.page = s.any.Load()
	st.ok = uint32(st.page) == 0
	return st, nil
}

// lookAtSnapshot asks PostgreSQL for the transactions that have ended by now. That
// grows with every transaction that changes something, whatever it is, and one
// that was answered is in it. A server which was set back or has taken over
// from another one was started at another time.
func (s *Stamps) lookAtSnapshot([]struct{}) (text string, err error) {
	_, err = s.read.Row(s.life.Context(), []any{&text}, "SELECT pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text")
	return text, s.life.Err(err)
}
