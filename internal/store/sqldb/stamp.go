package sqldb

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync/atomic"

	"github.com/octavo-docs/octavo"
)

// Stamp names a moment up to which the stored state of a page is known. A
// reader can keep what it made of a page, and use it again without asking
// the database: see [Stamps.Holds].
type Stamp struct {
	page, visibility, epoch uint64
	snapshot                string // of a database that other processes write to
	ok                      bool
}

// Is reports whether a query gives the same result now as when st was taken.
func (st Stamp) Is(now Stamp) bool { return st.ok && st == now }

// Epoch rises when another tool changes the database, bypassing the store.
func (st Stamp) Epoch() uint64 { return st.epoch }

// stampSlots is the number of counters that pages share. If two pages share
// one, that only costs needless queries.
const stampSlots = 16 << 10

// Stamps count the commits that change pages, while this process is the only
// writer. The lower half of each counter has the commits in progress, and
// the upper half the commits that were begun. If other processes write too,
// nothing is counted, and the database is asked.
type Stamps struct {
	counted    bool
	seed       maphash.Seed
	slots      []atomic.Uint64
	visibility atomic.Uint64 // commits that show or hide existing pages
	any        atomic.Uint64 // commits that change or create pages
	epoch      atomic.Uint64 // changes by other tools

	read      Conn
	life      *Life
	snapshots Looks[struct{}, string] // used if nothing is counted
}

const stampBegin, stampEnd = 1<<32 + 1, ^uint64(0)

// countedStamps are for a database with a single writing process.
func countedStamps() *Stamps {
	return &Stamps{counted: true, seed: maphash.MakeSeed(), slots: make([]atomic.Uint64, stampSlots)}
}

// start makes the stamps ask the database where they have to.
func (s *Stamps) start(read Conn, life *Life) {
	s.read, s.life = read, life
	s.snapshots.Start(s.lookAtSnapshot, life.Go, SharedLooks, ReadTimeout)
}

func (s *Stamps) slot(id octavo.ID) *atomic.Uint64 {
	return &s.slots[maphash.String(s.seed, string(id))%stampSlots]
}

// touched is the effect of a transaction on stored pages.
type touched struct {
	any   bool
	pages []octavo.ID // but for new ones, of which nobody can know anything; keys of deleted files too
	shown bool        // some of them appear or disappear for readers of published pages
}

// TouchPage marks cached data of the page as outdated.
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

// TouchFile marks that the file under the key no longer exists.
func (tx *Tx) TouchFile(key string) {
	tx.pages.any = true
	tx.pages.pages = append(tx.pages.pages, octavo.ID(key))
}

// TouchSite marks cached data of the whole reader site as outdated, see [Stamps.All].
func (tx *Tx) TouchSite() { tx.pages.any = true }

// begin must be called before the commit becomes visible, and end
// afterwards, with the same argument.
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

// outdate makes all existing stamps invalid.
func (s *Stamps) outdate() {
	for i := range s.slots {
		s.slots[i].Add(1 << 32)
	}
	s.any.Add(1 << 32)
	s.epoch.Add(1)
}

// SameEpoch reports whether no other tool has changed the database since the stamp was
// taken. Otherwise all cached data of pages is invalid, including their versions.
func (s *Stamps) SameEpoch(st Stamp) bool { return st.epoch == s.epoch.Load() }

// None returns a stamp that is never valid, for reads from now on.
func (s *Stamps) None() Stamp { return Stamp{epoch: s.epoch.Load()} }

// Page returns the stamp for later reads of a page, as aud sees it. Take it
// before the page is read.
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

// Holds reports whether the page has not changed for aud since the stamp was taken, so
// that a read would return the same. It is false if only the database can tell: while
// the page is being changed, and always if other processes change pages too.
func (s *Stamps) Holds(aud octavo.Audience, id octavo.ID, st Stamp) bool {
	return st.ok && s.Page(aud, id) == st
}

// File is Page for the asset under a key: where its bytes are and the
// headers they are sent with. These never change while the asset exists.
func (s *Stamps) File(key string) Stamp { return s.Page(octavo.Audience{}, octavo.ID(key)) }

// HoldsFile is Holds for the file under a key.
func (s *Stamps) HoldsFile(key string, st Stamp) bool {
	return s.Holds(octavo.Audience{}, octavo.ID(key), st)
}

// All is Page for queries over all pages. Two of these stamps are equal
// exactly if no page has changed in between, see [Stamp.Is]. If other
// processes write too, it asks the database.
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

// lookAtSnapshot asks PostgreSQL which transactions have ended. The answer grows with
// every transaction that changes anything, and includes every acknowledged one. It has
// the start time of the server too, which differs after a restore or failover.
func (s *Stamps) lookAtSnapshot([]struct{}) (text string, err error) {
	_, err = s.read.Row(s.life.Context(), []any{&text}, "SELECT pg_current_snapshot()::text || ' ' || pg_postmaster_start_time()::text")
	return text, s.life.Err(err)
}
