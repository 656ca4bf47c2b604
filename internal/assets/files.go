package assets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
)

// Beside is the location of files in the data folder of an embedded
// database, with which they may be moved.
const Beside = "beside the database"

// transfers is how many files are moved or copied at once.
const transfers = 8

// Files are the files of an installation: under an identifier, in a folder
// or bucket that others may use too.
type Files struct {
	Assets   *assetstore.Assets
	Root     blob.Store // the folder or bucket
	Location string     // of Root, as in the database; "" if any is allowed
	Shared   bool       // other databases may have files in Root, at any location
	Random   io.Reader
	Now      func() time.Time
}

// ErrElsewhere is returned if the database has its files at another location.
var ErrElsewhere = errors.New("give the location that the database names, with --blob-url if it is a bucket; if the files were moved, run octavo migrate --files-moved with the new location")

// none is the error if no file exists, with advice; flag goes with --files-lost.
func (f Files) none(have assetstore.Files, flag string) error {
	were, taken := cmp.Or(have.Location, f.Location), ""
	if have.Old == assetstore.OldRoot {
		taken = "copy them back from the identifier of another database, if that is a copy of this one, or its original, and was upgraded first; "
	}
	return fmt.Errorf("the database names files %s, but none of them is %s: check that this is the right bucket or that the disk is mounted, or restore them; "+
		"%sif all are permanently lost, run octavo migrate %s --files-lost", Where(were), Where(f.Location), taken, flag)
}

func (f Files) checkLocation(have assetstore.Files) error {
	if have.Location == "" || f.Location == "" || have.Location == f.Location {
		return nil
	}
	return fmt.Errorf("the files of this database are %s, not %s: %w", Where(have.Location), Where(f.Location), ErrElsewhere)
}

// Where describes a location in a sentence.
func Where(location string) string {
	if location == Beside {
		return location
	}
	return "at " + location
}

// Read returns the files for a process that changes none of them. Its Close
// also closes Root; after an error Root stays open.
func (f Files) Read(ctx context.Context) (blob.Store, error) {
	have, err := f.Assets.Files(ctx)
	if err == nil {
		err = f.checkLocation(have)
	}
	if err != nil {
		return nil, err
	}
	return f.open(have)
}

// Keep returns the files for a process that adds and removes some, like
// Read. It records identifier and location if the database has none, and
// moves files from their earlier place.
func (f Files) Keep(ctx context.Context) (blobs blob.Store, err error) {
	have, err := f.bring(ctx)
	if err == nil {
		blobs, err = f.open(have)
	}
	if err == nil && f.Location != "" {
		err = f.tryToWrite(ctx, blobs)
	}
	if err == nil && filepath.IsAbs(f.Location) {
		err = f.checkMark(ctx, have, blobs)
	}
	return blobs, err
}

// checkMark refuses another folder at the same path, as in a container that shares
// none: it lacks the file with the recorded key, which the first process creates.
func (f Files) checkMark(ctx context.Context, have assetstore.Files, blobs blob.Store) error {
	if have.Mark == "" {
		key, err := assetstore.NewKey(f.Random)
		if err == nil {
			err = blobs.Put(ctx, key, strings.NewReader("This file distinguishes the folder from others at the same path.\n"))
		}
		if err != nil {
			return fmt.Errorf("mark the folder of files: %w", err)
		}
		next := have
		next.Mark = key
		if have, err = f.Assets.SetFiles(ctx, have, next); err != nil {
			return err
		}
		if have.Mark != key { // another process was first
			if err := blobs.Remove(ctx, key); err != nil {
				return fmt.Errorf("remove a mark that is not needed: %w", err)
			}
		}
	}
	mark, err := blobs.Open(ctx, have.Mark)
	if errors.Is(err, blob.ErrNotFound) {
		return fmt.Errorf("the folder of files is not the one that other processes use: it lacks the file %s under %s; mount the same disk, or run octavo migrate --files-moved if the files were moved without it", have.Mark, have.ID)
	}
	if err != nil {
		return fmt.Errorf("look for the mark of the folder of files: %w", err)
	}
	return mark.Close()
}

// moves reports whether files are moved from an earlier identifier, and not copied.
func (f Files) moves() bool { return f.Location == Beside && !f.Shared }

// tryToWrite detects a read-only disk or bucket key at the start.
func (f Files) tryToWrite(ctx context.Context, blobs blob.Store) error {
	key, err := assetstore.NewKey(f.Random)
	if err == nil {
		err = blobs.Put(ctx, key, strings.NewReader("tried"))
	}
	if err == nil {
		err = blobs.Remove(ctx, key)
	}
	return err
}

// bring records identifier and location in the database, and moves files
// from their earlier place to the identifier.
func (f Files) bring(ctx context.Context) (have assetstore.Files, err error) {
	if have, err = f.name(ctx); err != nil || f.Location == "" {
		return have, err
	}
	if have, err = f.checkThere(ctx, have); err != nil {
		return have, err
	}
	return f.transfer(ctx, have)
}

// name records identifier and location in the database, and returns both:
// the same for all processes.
func (f Files) name(ctx context.Context) (have assetstore.Files, err error) {
	if have, err = f.Assets.Files(ctx); err == nil {
		err = f.checkLocation(have)
	}
	for err == nil && (have.ID == "" || have.Location == "" && f.Location != "") {
		next := have
		if next.Location == "" {
			next.Location = f.Location
		}
		if next.ID == "" {
			if next.ID, err = assetstore.NewKey(f.Random); err != nil {
				return have, err
			}
		}
		if have, err = f.Assets.SetFiles(ctx, have, next); err == nil {
			err = f.checkLocation(have)
		}
	}
	return have, err
}

// checkThere refuses a location with none of the files that the database
// names. Files that were given up do not count once others exist.
func (f Files) checkThere(ctx context.Context, have assetstore.Files) (assetstore.Files, error) {
	named, err := f.Assets.CountFiles(ctx)
	if err != nil || named == 0 {
		return have, err
	}
	there, err := f.count(ctx, have, 1)
	switch {
	case err != nil || (there == 0) == have.Lost:
		return have, err
	case there == 0:
		return have, f.none(have, "--files-moved")
	}
	next := have
	next.Lost = false
	return f.Assets.SetFiles(ctx, have, next)
}

// count returns how many of the named files exist, stopping at enough.
func (f Files) count(ctx context.Context, have assetstore.Files, enough int) (int, error) {
	there := map[string]bool{}
	for _, id := range []string{have.ID, have.Old} {
		if id == "" {
			continue
		}
		err := f.eachNamed(ctx, id, func(keys []string) bool {
			for _, key := range keys {
				there[key] = true
			}
			return len(there) < enough
		})
		if err != nil || len(there) >= enough {
			return len(there), err
		}
	}
	return len(there), nil
}

// eachNamed calls do with batches of the files under an identifier, or
// [assetstore.OldRoot], that the database names, until it returns false.
func (f Files) eachNamed(ctx context.Context, id string, do func(keys []string) bool) (err error) {
	blobs, closeBlobs, err := f.under(id)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeBlobs()) }()
	var batch []string
	flush := func() (bool, error) {
		known, err := f.Assets.KnownBlobs(ctx, batch)
		batch = batch[:0]
		return err == nil && do(slices.Collect(maps.Keys(known))), err
	}
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return fmt.Errorf("list the files: %w", err)
		}
		if batch = append(batch, info.Key); len(batch) == sweepBatch {
			if more, err := flush(); !more {
				return err
			}
		}
	}
	if len(batch) > 0 {
		_, err = flush()
	}
	return err
}

func (f Files) under(id string) (blobs blob.Store, closeBlobs func() error, err error) {
	if id == assetstore.OldRoot {
		return f.Root, func() error { return nil }, nil
	}
	if blobs, err = f.Root.Apart(id); err != nil {
		return nil, nil, err
	}
	return blobs, blobs.Close, nil
}

// transfer moves or copies the named files from their earlier place. The
// next call completes an interrupted one, and several may run at once.
func (f Files) transfer(ctx context.Context, have assetstore.Files) (assetstore.Files, error) {
	if have.Old == "" {
		return have, nil
	}
	have.Move = have.Move && !f.Shared
	for again := true; again; again = again && have.Move { // moved files may hide others from a listing
		again = false
		var failed error
		err := f.eachNamed(ctx, have.Old, func(keys []string) bool {
			again = again || len(keys) > 0
			failed = f.transferEach(ctx, have, keys)
			return failed == nil
		})
		if err := errors.Join(err, failed); err != nil {
			return have, fmt.Errorf("bring the files under their identifier: %w", err)
		}
	}
	if have.Move && have.Old == assetstore.OldRoot {
		if err := f.tidyOldRoot(ctx); err != nil {
			return have, err
		}
	}
	next := have
	next.Old, next.Move = "", false
	return f.Assets.SetFiles(ctx, have, next)
}

func (f Files) transferEach(ctx context.Context, have assetstore.Files, keys []string) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(transfers)
	for _, key := range keys {
		group.Go(func() error {
			err := f.Root.Transfer(ctx, key, strings.TrimPrefix(have.Old, assetstore.OldRoot), have.ID, have.Move)
			if errors.Is(err, blob.ErrNotFound) {
				return nil // deleted meanwhile
			}
			return err
		})
	}
	return group.Wait()
}

// tidyOldRoot removes what an earlier version stored beside its files: ownership marks,
// search snapshots, and incomplete uploads. It checks the length of keys, since other
// names may be prefixes of other installations in the bucket.
func (f Files) tidyOldRoot(ctx context.Context) error {
	for name, length := range map[string]int{"owner": 42, "search": 46} {
		apart, err := f.Root.Apart(name)
		if err != nil {
			return err
		}
		for info, listed := range apart.All(ctx) {
			if err = errors.Join(err, listed); err == nil && len(info.Key) == length {
				err = apart.Remove(ctx, info.Key)
			}
		}
		if err := errors.Join(err, apart.Close()); err != nil {
			return fmt.Errorf("remove what a version before had under %s/: %w", name, err)
		}
	}
	_, err := f.Root.Sweep(ctx, f.Now().Add(-sweepGrace))
	return err
}

// open opens the files, including those at their earlier place.
func (f Files) open(have assetstore.Files) (blob.Store, error) {
	id := have.ID
	if id == "" {
		id = "none" // nothing was stored yet
	}
	blobs, err := f.Root.Apart(id)
	if err != nil {
		return nil, err
	}
	o := opened{Store: blobs, close: func() error { return errors.Join(blobs.Close(), f.Root.Close()) }}
	if have.Old != "" {
		old, closeOld, err := f.under(have.Old)
		if err != nil {
			return nil, errors.Join(err, blobs.Close())
		}
		o.old, o.close = old, func() error { return errors.Join(closeOld(), blobs.Close(), f.Root.Close()) }
	}
	return o, nil
}

// opened are files, of which some may be at their earlier place.
type opened struct {
	blob.Store
	old   blob.Store // nil if none are
	close func() error
}

// Open implements blob.Store.
func (o opened) Open(ctx context.Context, key string) (blob.File, error) {
	file, err := o.Store.Open(ctx, key)
	if o.old == nil || !errors.Is(err, blob.ErrNotFound) {
		return file, err
	}
	if file, err = o.old.Open(ctx, key); errors.Is(err, blob.ErrNotFound) {
		return o.Store.Open(ctx, key) // moved meanwhile
	}
	return file, err
}

// Close implements blob.Store.
func (o opened) Close() error { return o.close() }
