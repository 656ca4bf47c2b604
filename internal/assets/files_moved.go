package assets

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/octavo-docs/octavo/internal/store/assetstore"
)

// Moved has the database name another location of its files, to which they were
// moved. It refuses one where some are missing, unless they are lost for good.
func (f Files) Moved(ctx context.Context, lost bool) error {
	have, err := f.Assets.Files(ctx)
	if err != nil {
		return err
	}
	named, there, err := f.countAll(ctx, have)
	if err != nil {
		return err
	}
	if there < named && !lost {
		return fmt.Errorf("%d of the %d files that the database names are not %s: bring them there, or give them up with --files-lost", named-there, named, Where(f.Location))
	}
	next := have
	next.Location, next.Lost = f.Location, there == 0 && named > 0
	return f.set(ctx, have, next)
}

// Restored gives a database that was brought back from a copy an identifier of
// files of its own, and copies what it needs of those of the original, which
// stay; beside the database they are moved. It returns how many are missing, and
// where those of the original stay. What is interrupted is to be called again.
func (f Files) Restored(ctx context.Context, lost bool) (missing int, original string, err error) {
	have, err := f.Assets.Files(ctx)
	if err != nil || have.ID == "" && have.Old == "" {
		return 0, "", err // it never had any
	}
	named, there, err := f.countAll(ctx, have)
	switch {
	case err != nil:
	case named == 0: // no file shows that the location is right
		err = f.checkLocation(have)
	case there == 0 && !lost:
		err = errNone
	}
	if err != nil {
		return 0, "", err
	}
	original = have.ID
	next := have
	next.Location, next.Lost = f.Location, there == 0 && named > 0
	if next.Old == assetstore.OldRoot {
		next.Move = f.Location == Beside
	}
	if err := f.set(ctx, have, next); err != nil {
		return 0, "", err
	}
	if have, err = f.bring(ctx); err != nil || original == "" {
		return named - there, "", err // the identifier is a new one
	}
	next = have
	next.Old, next.Move = have.ID, f.Location == Beside
	if next.ID, err = assetstore.NewFilesID(f.Random); err == nil {
		err = f.set(ctx, have, next)
	}
	if err == nil {
		_, err = f.bring(ctx)
	}
	if f.Location == Beside {
		original = ""
	}
	return named - there, original, err
}

func (f Files) countAll(ctx context.Context, have assetstore.Files) (named, there int, err error) {
	if named, err = f.Assets.CountFiles(ctx); err == nil {
		there, err = f.count(ctx, have, math.MaxInt)
	}
	return named, min(named, there), err
}

// Bring brings files that lie where they lay before under their identifier, which
// [Files.Keep] does too.
func (f Files) Bring(ctx context.Context) error {
	_, err := f.bring(ctx)
	return err
}

func (f Files) set(ctx context.Context, was, is assetstore.Files) error {
	now, err := f.Assets.SetFiles(ctx, was, is)
	if err == nil && (now.ID != is.ID || now.Location != is.Location) {
		err = errors.New("another process changes where the files are: stop all servers first")
	}
	return err
}
