package assets

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

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
		return fmt.Errorf("%d of the %d files that the database names are not %s: copy them there, or accept their loss with --files-lost", named-there, named, Where(f.Location))
	}
	next := have
	next.Location, next.Lost, next.Mark = f.Location, there == 0 && named > 0, ""
	return f.set(ctx, have, next)
}

// Restored gives a database that was brought back from a copy an identifier of
// files of its own, and copies what it needs of those of before; beside the
// database they are moved. It returns how many are missing, and under which
// identifiers files of before stay. What is interrupted is to be called again.
func (f Files) Restored(ctx context.Context, lost bool) (missing int, stay []string, err error) {
	have, err := f.Assets.Files(ctx)
	if err != nil || have.ID == "" && have.Old == "" {
		return 0, nil, err // it never had any
	}
	named, there, err := f.countAll(ctx, have)
	switch {
	case err != nil:
	case named == 0 && !strings.HasPrefix(f.Location, "s3://"): // the bucket may be forgotten
		err = f.checkLocation(have)
	case named > 0 && there == 0 && !lost:
		err = f.none(have, "--restored")
	}
	if err != nil {
		return 0, nil, err
	}
	for _, id := range []string{have.ID, have.Old} { // Old where one before was interrupted
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
		return named - there, stay, err // the identifier is a new one
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
