package assets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/octavo-docs/octavo/internal/store/assetstore"
)

// Moved records another location to which the files were moved. It refuses
// one with missing files, unless they are permanently lost.
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
		return fmt.Errorf("%d of the %d files that the database names are not %s: copy them there, or accept their loss with --files-lost", named-there, named, Where(f.Location))
	}
	next := have
	next.Location, next.Lost, next.Mark = f.Location, there == 0 && named > 0, ""
	return f.set(ctx, have, next)
}

// Restored gives a restored database a new files identifier, and copies the files that
// it needs; beside the database they are moved. It returns how many are missing, and
// the identifiers under which earlier files stay. If it is interrupted, call it again.
func (f Files) Restored(ctx context.Context, lost bool) (missing int, stay []string, err error) {
	have, err := f.Assets.Files(ctx)
	if err != nil || have.ID == "" && have.Old == "" {
		return 0, nil, err // it never had any
	}
	named, there, err := f.countAll(ctx, have)
	switch {
	case err != nil:
	case named == 0 && !strings.HasPrefix(f.Location, "s3://"): // the bucket option may be missing
		err = f.checkLocation(have)
	case named > 0 && there == 0 && !lost:
		err = f.none(have, "--restored")
	}
	if err != nil {
		return 0, nil, err
	}
	for _, id := range []string{have.ID, have.Old} { // Old if an earlier call was interrupted
		if id != "" && id != assetstore.OldRoot && !f.moves() {
			stay = append(stay, id)
		}
	}
	next := have
	next.Location, next.Lost = f.Location, there == 0 && named > 0
	if next.Old == assetstore.OldRoot {
		next.Move = f.moves()
	}
	if err := f.set(ctx, have, next); err != nil {
		return 0, nil, err
	}
	old := have.ID
	if have, err = f.bring(ctx); err != nil || old == "" {
		return named - there, stay, err // the identifier is new
	}
	next = have
	next.Old, next.Move, next.Mark = have.ID, f.moves(), ""
	if next.ID, err = assetstore.NewKey(f.Random); err == nil {
		err = f.set(ctx, have, next)
	}
	if err == nil {
		_, err = f.bring(ctx)
	}
	return named - there, stay, err
}

func (f Files) countAll(ctx context.Context, have assetstore.Files) (named, there int, err error) {
	if named, err = f.Assets.CountFiles(ctx); err == nil {
		there, err = f.count(ctx, have, math.MaxInt)
	}
	return named, min(named, there), err
}

// Bring moves files from their earlier place to their identifier, as
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
