package assets

import (
	"context"
	"errors"
	"fmt"

	"github.com/octavo-docs/octavo/internal/store"
)

// keptError is [store.ErrFilesKept], told by what is to be done about it.
type keptError string

func (e keptError) Error() string { return string(e) }

func (keptError) Unwrap() error { return store.ErrFilesKept }

// unlessKept is an error that says what keeps files from being moved.
func (p Place) unlessKept(named store.Place, err error) error {
	if !errors.Is(err, store.ErrFilesKept) {
		return err
	}
	return keptError(fmt.Sprintf("the files of this database are in %s, where a server that runs keeps them: %s, or stop all of its servers first", named.Where, giveThat))
}

// giveThat is what to do with a place that was named otherwise before.
const giveThat = "name that place, with --blob-url where it is a bucket and by the same path of --data where it is a folder"

// checkMoved refuses the place for a database that names another one, unless
// all of its files are here and no process keeps any there. It returns how many
// there are.
func (p Place) checkMoved(ctx context.Context, named store.Place, marked bool) (files int64, err error) {
	files, here, unknown, err := p.count(ctx)
	switch {
	case err != nil:
		return files, err
	case here < files && alike(named.Where, p.Where):
		return files, fmt.Errorf("%s is where the files of this database were, but their mark %s is not there, nor are %d of %d files: see that this is the same one, as its servers share it, and that its disk is mounted; bring back what was there, with what is under %s/, or, when that is lost for good, the mark alone",
			p.Where, named.Mark, files-here, files, OwnerName)
	case here < files:
		mark := ", or delete the assets of those that are lost, with a server that has that place"
		if named.Mark != store.Beside {
			mark = fmt.Sprintf(", or, when that is lost for good, the mark %s under %s/", named.Mark, OwnerName)
		}
		return files, fmt.Errorf("the files of this database are in %s, and %d of %d are not here: %s; where they were moved here, bring the rest%s", named.Where, files-here, files, giveThat, mark)
	case mostUnknown(here, unknown) && !marked:
		return files, errUnknown
	}
	_, err = p.Store.MoveFiles(ctx, named, named, files) // before a mark is left
	if errors.Is(err, store.ErrFilesKept) && alike(named.Where, p.Where) {
		return files, keptError(fmt.Sprintf("%s, while a server that runs keeps files under that name: %s", p.lostMark(named), mendMark))
	}
	return files, p.unlessKept(named, err)
}

// mostUnknown reports whether the files of a place without a mark are taken for
// those of others: a copy has some, too, that were removed meanwhile.
func mostUnknown(here, unknown int64) bool { return unknown > 0 && unknown >= here }

// checkRenamed refuses another name for the place that the database names while
// a process keeps files there: they may be a copy that others do not write to. It
// returns how many files the database names.
func (p Place) checkRenamed(ctx context.Context, named store.Place) (files int64, err error) {
	if files, err = p.Store.CountFiles(ctx); err == nil {
		_, err = p.Store.MoveFiles(ctx, named, named, files)
	}
	if errors.Is(err, store.ErrFilesKept) {
		err = keptError(fmt.Sprintf("the files of this database are in %s, where a server that runs keeps them, and here is their mark too: where it is the same place, give it the same name everywhere; where it is a copy, %s, or stop all servers first", named.Where, giveThat))
	}
	return files, err
}

// count returns how many files the database names, how many of them are here,
// and how many others are.
func (p Place) count(ctx context.Context) (files, here, unknown int64, err error) {
	if files, err = p.Store.CountFiles(ctx); err != nil {
		return 0, 0, 0, err
	}
	var keys []string
	look := func() error {
		n, err := p.Store.CountFilesAmong(ctx, keys)
		here, unknown = here+n, unknown+int64(len(keys))-n
		keys = keys[:0]
		return err
	}
	for info, err := range p.Blobs.All(ctx) {
		if err != nil {
			return 0, 0, 0, fmt.Errorf("look for files: %w", err)
		}
		if keys = append(keys, info.Key); len(keys) == placeSample {
			if err := look(); err != nil {
				return 0, 0, 0, err
			}
		}
	}
	if len(keys) > 0 {
		err = look()
	}
	return files, here, unknown, err
}
