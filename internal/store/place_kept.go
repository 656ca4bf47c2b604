package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
)

const (
	// keptInterval is how often a process that keeps files looks whether the
	// database still knows that, and has them where they were. With lookTimeout it
	// is well below the minute after which PostgreSQL gives up a machine.
	keptInterval = 5 * time.Second
	// keptPatience is how many looks in a row may find no place at all, as in a
	// database that is being brought back: a minute.
	keptPatience = 12
	// movedRetry is when an upload that came while files were moved may come again.
	movedRetry = 5 * time.Second
)

// KeepFiles tells other processes that this one keeps files in the place, until
// the store is closed: nobody moves them meanwhile, and no row that names a file
// is written here once the database names another place. After it has returned
// nil the place that the database names is to be read again. An embedded database
// has no other process that keeps files. It is to be called once; see
// [Store.FilesMoved].
func (s *Store) KeepFiles(ctx context.Context, at Place) error {
	if !s.Shared() {
		return nil
	}
	k := &keeper{s: s, at: at, first: make(chan error, 1)}
	if err := s.tail.spawn(k.run); err != nil {
		return err
	}
	select {
	case err := <-k.first:
		return s.tail.unlessClosed(err)
	case <-s.tail.ctx.Done():
		return context.Cause(s.tail.ctx)
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// keeper keeps files in a place.
type keeper struct {
	s       *Store
	at      Place
	first   chan error // what became of the first try
	begun   bool       // that one has succeeded
	looks   int        // since the connection was made
	missing int        // looks in a row that found no place
}

// run keeps files until the store is closed, or they are elsewhere.
func (k *keeper) run() {
	t := k.s.tail
	for failing := false; t.ctx.Err() == nil; {
		k.looks = 0
		err := t.db.keepFiles(t.ctx, k.look)
		if !k.begun {
			k.first <- err
			return
		}
		switch {
		case t.ctx.Err() != nil:
			return
		case errors.Is(err, errFilesMoved):
			k.s.moved <- err
			return
		case k.looks > 1: // it begins anew at once
			failing = false
			continue
		case !failing:
			t.log.Warn("the database does not know for a while that this server keeps files; trying on", "error", err)
		}
		failing = true
		pause(t.ctx, listenRest)
	}
}

// look is called with the place that the database names: once the files are kept
// by a connection, and each keptInterval then.
func (k *keeper) look(named Place, found bool) error {
	k.looks++
	if !k.begun { // who asked for it looks
		k.begun = true
		k.s.kept.Store(&k.at)
		k.first <- nil
		return nil
	}
	switch {
	case !found && k.missing < keptPatience:
		k.missing++
		return nil
	case !found:
		return fmt.Errorf("%w: the database names no place for files any more, so it is another one, or was brought back; start this server again once it is the right one", errFilesMoved)
	case named != k.at:
		return fmt.Errorf("%w: its database has its files in %s, with the mark %s, and not in %s, where the mark is %s; start it again with that place, and the database that it belongs to",
			errFilesMoved, named.Where, named.Mark, k.at.Where, k.at.Mark)
	}
	k.missing = 0
	return nil
}

// errFilesMoved says that a process no longer works on what it began with.
var errFilesMoved = errors.New("what this server keeps files for has changed, while it was cut off from the database or since that was brought back")

// FilesMoved returns a channel on which an error comes when the files that this
// process keeps were moved, or its database was replaced by another one or by a
// copy of it that has them elsewhere: it is to end then, since it would put files
// where nobody finds them, and remove those of others.
func (s *Store) FilesMoved() <-chan error { return s.moved }

// errElsewhere says that the database has its files elsewhere than this process.
var errElsewhere = errors.New("the files of this installation are in another place than this server's")

// keepsFile is to be called before a row is written that names a file. It is an
// *octavo.Error of the type Unavailable when the database has its files in another
// place than this process, and keeps others from moving them until the
// transaction ends.
func (tx *Tx) keepsFile() error {
	at := tx.s.kept.Load()
	if at == nil || tx.keeps {
		return nil
	}
	if err := tx.s.db.shareFiles(tx.ctx, tx.c); err != nil {
		return fmt.Errorf("keep files from being moved: %w", err)
	}
	var text string
	if _, err := tx.row([]any{&text}, namedPlace, filesPlace); err != nil {
		return fmt.Errorf("read the place of the files: %w", err)
	}
	if text != at.text() {
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The files of this installation are in another place than this server's.", RetryAfter: movedRetry}
	}
	tx.keeps = true
	return nil
}
