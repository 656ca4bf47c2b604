package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// placeSample is how many files of a place are looked up at once.
const placeSample = 500

// The rules that [Place.Check] holds files to, and what mends them.
const (
	ruleOwner = "files lie in a place of this installation alone"
	mendOwner = "give each installation a bucket, or a prefix in it, of its own; when the other one is gone, remove its mark under " + OwnerName + "/"
	rulePlace = "files lie in the place that the database names"
	mendPlace = "name that place, with --blob-url where it is a bucket and without where it is a folder, or move the files from there, with what is under " + OwnerName + "/"
)

// Place is where a process is about to keep the files of a database.
type Place struct {
	Store        *store.Store
	Blobs        blob.Store
	Installation octavo.ID
	Where        string // the place, for people
	Beside       bool   // it is the folder beside an embedded database
}

// Claim marks the place as that of the installation, which alone may keep files
// there from then on, and has the database name the mark, so that no process
// keeps files anywhere else: a server removes what its own database does not
// know, and finds nothing of what another one has put elsewhere. A folder beside
// an embedded database needs no mark. It is to be called before anything is
// kept or swept. Copies of one installation are not told apart.
//
// It fails where another installation has left its mark, and where the database
// names another place, unless the mark of that one lies here, or no other
// process keeps files and all that the database names are here. Where it names
// none yet it takes this one, but for one without a mark that has files of which
// it knows none, and one that has none of its own.
func (p Place) Claim(ctx context.Context, random io.Reader) (err error) {
	named, found, err := p.Store.FilesPlace(ctx)
	if err != nil || found && p.Beside && named.Mark == store.Beside {
		return err
	}
	if p.Beside && !found { // it gets no folder for marks
		if err := p.checkNew(ctx, true); err != nil {
			return err
		}
		named, err = p.Store.BindFiles(ctx, named, store.Place{Mark: store.Beside, Where: p.Where})
		return p.unlessElsewhere(named, named.Mark == store.Beside, err)
	}
	marks, err := p.Blobs.Apart(OwnerName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, marks.Close()) }()
	ours, others, err := owners(ctx, marks, p.Installation)
	if err == nil && len(others) > 0 {
		err = taken(p.Installation, others)
	}
	if err != nil {
		return err
	}
	if named, err = p.bind(ctx, named, marks, ours, random); err != nil {
		return err
	}
	if err := p.Store.KeepFiles(ctx, named.Mark); err != nil {
		return err
	}
	// From here on nobody moves the files. Until here somebody may have.
	if named, _, err = p.Store.FilesPlace(ctx); err != nil {
		return err
	}
	ours, _, err = owners(ctx, marks, p.Installation)
	return p.unlessElsewhere(named, p.is(named, ours), err)
}

// bind has the database name this place, if it may, and returns what it names.
func (p Place) bind(ctx context.Context, named store.Place, marks blob.Store, ours []string, random io.Reader) (store.Place, error) {
	to := store.Place{Mark: store.Beside, Where: p.Where}
	moved, files := false, int64(0)
	switch {
	case named == store.Place{}:
		if err := p.checkNew(ctx, len(ours) > 0); err != nil {
			return named, err
		}
	case p.is(named, ours):
		if to.Mark = named.Mark; p.Beside {
			to.Mark = store.Beside
		}
		if to == named {
			return named, nil
		}
		return p.Store.BindFiles(ctx, named, to)
	default:
		var err error
		if files, err = p.checkMoved(ctx, named, len(ours) > 0); err != nil {
			return named, err
		}
		moved = true
	}
	if !p.Beside {
		if len(ours) == 0 {
			mark, err := putMark(ctx, marks, p.Installation, random)
			if err != nil {
				return named, err
			}
			ours = []string{mark}
		}
		to.Mark = slices.Min(ours)
	}
	if !moved {
		return p.Store.BindFiles(ctx, named, to)
	}
	now, err := p.Store.MoveFiles(ctx, named, to, files)
	return now, p.unlessKept(named, err)
}

// is reports whether the place is the one that a database names, by its marks.
func (p Place) is(named store.Place, marks []string) bool {
	return p.Beside && named.Mark == store.Beside || slices.Contains(marks, named.Mark)
}

// unlessElsewhere is an error, or that the database names another place.
func (p Place) unlessElsewhere(named store.Place, here bool, err error) error {
	if err == nil && !here {
		err = fmt.Errorf("the files of this database are in %s since a moment ago: give all of its servers that place", named.Where)
	}
	return err
}

// unlessKept is an error that says what keeps files from being moved.
func (p Place) unlessKept(named store.Place, err error) error {
	if errors.Is(err, store.ErrFilesKept) {
		return fmt.Errorf("the files of this database are in %s, where a server that runs keeps them: %s, or stop all of its servers first", named.Where, giveThat)
	}
	return err
}

// giveThat is what to do with a place that was named otherwise before.
const giveThat = "name that place, with --blob-url where it is a bucket and without where it is a folder"

// checkNew refuses the place for a database that names none, when it cannot be
// that of its files.
func (p Place) checkNew(ctx context.Context, marked bool) error {
	var keys []string
	for info, err := range p.Blobs.All(ctx) {
		if err != nil {
			return fmt.Errorf("look for files: %w", err)
		}
		if keys = append(keys, info.Key); len(keys) == placeSample {
			break
		}
	}
	if len(keys) > 0 {
		known, err := p.Store.KnownBlobs(ctx, keys)
		if err != nil || len(known) > 0 {
			return err
		}
		if !marked {
			return errUnknown
		}
	}
	for _, err := range p.Store.Blobs(ctx) {
		if err != nil {
			return err
		}
		return errors.New("this database has files, but none of them is there: name the place that they are in, as other servers have it, or bring them back from a backup first; any one of them will do, under its name, where the rest are lost for good")
	}
	return nil
}

var errUnknown = errors.New("there are files that this database does not know, and would remove: give it a bucket, or a prefix in it, of its own, or bring the database back that they belong to")

// checkMoved refuses the place for a database that names another one, unless
// all of its files are here and no process keeps any there. It returns how many
// there are.
func (p Place) checkMoved(ctx context.Context, named store.Place, marked bool) (files int64, err error) {
	files, here, unknown, err := p.count(ctx)
	switch {
	case err != nil:
		return files, err
	case here < files:
		mark := ", or delete the assets of those that are lost, with a server that has that place"
		if named.Mark != store.Beside {
			mark = fmt.Sprintf(", or, when that is lost for good, the mark %s under %s/", named.Mark, OwnerName)
		}
		return files, fmt.Errorf("the files of this database are in %s, and %d of %d are not here: %s; where they were moved here, bring the rest%s", named.Where, files-here, files, giveThat, mark)
	case files == 0 && unknown && !marked && !p.Beside:
		return files, errUnknown
	}
	_, err = p.Store.MoveFiles(ctx, named, named, files) // before a mark is left
	return files, p.unlessKept(named, err)
}

// count returns how many files the database names, how many of them are here,
// and whether there are others.
func (p Place) count(ctx context.Context) (files, here int64, unknown bool, err error) {
	if files, err = p.Store.CountFiles(ctx); err != nil {
		return 0, 0, false, err
	}
	var keys []string
	look := func() error {
		n, err := p.Store.CountFilesAmong(ctx, keys)
		here, unknown = here+n, unknown || n < int64(len(keys))
		keys = keys[:0]
		return err
	}
	for info, err := range p.Blobs.All(ctx) {
		if err != nil {
			return 0, 0, false, fmt.Errorf("look for files: %w", err)
		}
		if keys = append(keys, info.Key); len(keys) == placeSample {
			if err := look(); err != nil {
				return 0, 0, false, err
			}
		}
	}
	if len(keys) > 0 {
		err = look()
	}
	return files, here, unknown, err
}

// Check looks for marks of other installations, and whether the place is the one
// that the database names. It changes nothing.
func (p Place) Check(ctx context.Context) (findings []store.Finding, err error) {
	named, found, err := p.Store.FilesPlace(ctx)
	if err != nil || p.Beside && (!found || named.Mark == store.Beside) {
		return nil, err
	}
	marks, err := p.Blobs.Apart(OwnerName)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, marks.Close()) }()
	ours, others, err := owners(ctx, marks, p.Installation)
	for _, other := range others {
		findings = append(findings, store.Finding{Rule: ruleOwner, Subject: "files of installation " + string(other) + " lie there too", Mend: mendOwner})
	}
	if err != nil || !found || p.is(named, ours) {
		return findings, err
	}
	files, here, _, err := p.count(ctx)
	if err == nil && here < files {
		findings = append(findings, store.Finding{Rule: rulePlace, Subject: "the files of this database are in " + named.Where, Mend: mendPlace})
	}
	return findings, err
}
