package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
)

// placeSample is how many files of a place are looked up at once.
const placeSample = 500

// The rules that [Place.Check] holds files to, and what mends them.
const (
	ruleOwner   = "files lie in a place of this installation alone"
	mendOwner   = "give each installation a bucket, a prefix in it, or a data folder of its own; when the other one is gone, or keeps its files elsewhere now, remove its mark under " + OwnerName + "/"
	mendUnknown = "bring the database back that they belong to, or give them and this one places of their own; only when that one is gone for good, move them away"
	ruleMark    = "the place that the database names has its mark"
	mendMark    = "see that this is the place that the servers have, and not another one of the same name; where it is, stop all of them, and the next that starts leaves a new mark"
	mendNone    = "name the place that they are in, as other servers have it, mount the disk that they are on, or bring them back from a backup first; where they are lost for good, any one of them will do, of any content, under the name that octavo doctor tells, in a folder within one more that is named by its first two characters"
	mendPlace   = "name that place, with --blob-url where it is a bucket and without where it is a folder, or move the files from there, with what is under " + OwnerName + "/"
)

// RulePlace is the rule that is broken where files are looked for elsewhere.
const RulePlace = "files lie in the place that the database names"

// Place is where a process is about to keep the files of a database.
type Place struct {
	Store        *store.Store
	Blobs        blob.Store
	Installation octavo.ID
	Where        string // the place, for people
	Beside       bool   // it is the folder beside an embedded database
}

// Claim marks the place as that of the installation, which alone may keep files
// there from then on, and has the database name the mark, or that it is the
// folder beside it, so that no process keeps files anywhere else: a server
// removes what its own database does not know, and finds nothing of what another
// one has put elsewhere. It is to be called before anything is kept or swept.
// Copies of one installation are not told apart, but for copies of its files
// that a process comes to while another one keeps them elsewhere.
//
// It fails where another installation has left its mark, and where the database
// names another place, unless no other process keeps files and the mark of that
// one lies here, or all that the database names are here. Where it names none yet
// it takes this one, but for one without a mark that has files of which it knows
// none, and one that has none of its own.
func (p Place) Claim(ctx context.Context, random io.Reader) (err error) {
	marks, err := p.Blobs.Apart(OwnerName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, marks.Close()) }()
	named, _, err := p.Store.FilesPlace(ctx)
	if err != nil {
		return err
	}
	kept, err := p.settle(ctx, named, marks, random)
	if err != nil {
		// One that was started together with this process may have come here first,
		// and uses the place since then. Without such a one the refusal stands.
		now, _, failed := p.Store.FilesPlace(ctx)
		if failed == nil && now != named {
			kept, err = p.settle(ctx, now, marks, random)
		}
	}
	if err != nil {
		return err
	}
	if err := p.Store.KeepFiles(ctx, kept); err != nil {
		return err
	}
	// From here on nobody moves the files. Until here somebody may have.
	if named, _, err = p.Store.FilesPlace(ctx); err != nil {
		return err
	}
	ours, _, err := owners(ctx, marks, p.Installation)
	if err == nil && (named != kept || !p.is(named, ours)) {
		err = fmt.Errorf("the files of this database are in %s since a moment ago: give all of its servers that place", named.Where)
	}
	return err
}

// settle is bind, but where another installation has left its mark.
func (p Place) settle(ctx context.Context, named store.Place, marks blob.Store, random io.Reader) (store.Place, error) {
	ours, others, err := owners(ctx, marks, p.Installation)
	if err == nil && len(others) > 0 {
		err = taken(p.Installation, others)
	}
	if err != nil {
		return named, err
	}
	return p.bind(ctx, named, marks, ours, random)
}

// bind leaves a mark where none is, has the database name this place, if it may,
// and returns what it names. Files that come to another place, or one of another
// name, get a new mark there: the former place may be a copy with the same ones,
// and is not to be taken for this one later.
func (p Place) bind(ctx context.Context, named store.Place, marks blob.Store, ours []string, random io.Reader) (_ store.Place, err error) {
	var files int64
	here, moved := p.is(named, ours), false
	switch {
	case named == store.Place{}:
		err = p.checkNew(ctx, len(ours) > 0)
	case here && len(ours) == 0: // the folder beside an embedded database
		err = p.checkNew(ctx, false)
	case here && alike(named.Where, p.Where):
	case here:
		moved = true
		files, err = p.checkRenamed(ctx, named)
	default:
		moved = true
		files, err = p.checkMoved(ctx, named, len(ours) > 0)
	}
	if err != nil {
		return named, err
	}
	to := store.Place{Mark: store.Beside, Where: p.Where}
	if len(ours) == 0 || moved && !p.Beside {
		if to.Mark, err = putMark(ctx, marks, p.Installation, random); err != nil {
			return named, err
		}
	} else if to.Mark = named.Mark; !slices.Contains(ours, named.Mark) {
		to.Mark = slices.Min(ours)
	}
	if p.Beside {
		to.Mark = store.Beside
	}
	switch {
	case moved:
		now, err := p.Store.MoveFiles(ctx, named, to, files)
		if (err == nil || errors.Is(err, store.ErrFilesKept)) && now != to && !p.Beside {
			err = errors.Join(err, marks.Remove(ctx, to.Mark)) // the database does not name it
		}
		return now, p.unlessKept(named, err)
	case to.Mark == named.Mark && alike(to.Where, named.Where):
		return named, nil
	}
	return p.Store.BindFiles(ctx, named, to)
}

// alike reports whether two names are of one place, as far as names tell: a
// bucket may be reached at several addresses.
func alike(a, b string) bool { return withoutHost(a) == withoutHost(b) }

func withoutHost(where string) string {
	before, address, bucket := strings.Cut(where, "s3://")
	if !bucket {
		return where
	}
	_, path, _ := strings.Cut(address, "/")
	return before + path
}

// is reports whether the place is the one that a database names, by its marks.
func (p Place) is(named store.Place, marks []string) bool {
	return p.Beside && named.Mark == store.Beside || slices.Contains(marks, named.Mark)
}

// checkNew refuses the place for a database that names none, when it cannot be
// that of its files.
func (p Place) checkNew(ctx context.Context, marked bool) error {
	files, known, err := p.look(ctx)
	switch {
	case err != nil || known:
		return err
	case files && !marked:
		return errUnknown
	}
	for _, err := range p.Store.Blobs(ctx) {
		if err != nil {
			return err
		}
		return errNone
	}
	return nil
}

// lostMark says that all is where the database has it, but for the mark.
func (p Place) lostMark(named store.Place) string {
	return fmt.Sprintf("the mark %s of this database's files is gone from %s", named.Mark, p.Where)
}

// checkUnknown refuses files that have no mark and are not those of the
// database.
func (p Place) checkUnknown(ctx context.Context) error {
	files, known, err := p.look(ctx)
	if err == nil && files && !known {
		err = errUnknown
	}
	return err
}

// look reports whether there are any files, and whether the database knows one of
// them.
func (p Place) look(ctx context.Context) (files, known bool, err error) {
	var keys []string
	ask := func() error {
		k, err := p.Store.KnownBlobs(ctx, keys)
		keys, known = keys[:0], len(k) > 0
		return err
	}
	for info, err := range p.Blobs.All(ctx) {
		if err != nil {
			return false, false, fmt.Errorf("look for files: %w", err)
		}
		files = true
		if keys = append(keys, info.Key); len(keys) == placeSample {
			if err := ask(); err != nil || known {
				return true, known, err
			}
		}
	}
	if len(keys) > 0 {
		err = ask()
	}
	return files, known, err
}

var errNone = errors.New("this database has files, but none of them is there: " + mendNone)

var errUnknown = errors.New("there are files that this database does not know, and would remove: give it a place of its own, or bring the database back that they belong to; where its own were copied there, copy what is under " + OwnerName + "/ too; move the others away only when their database is gone for good")

// owners reads the marks that lie in the place.
func (p Place) owners(ctx context.Context) (ours []string, others []octavo.ID, err error) {
	marks, err := p.Blobs.Apart(OwnerName)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, marks.Close()) }()
	return owners(ctx, marks, p.Installation)
}

// Owned fails where another installation has left its mark. It leaves none.
func (p Place) Owned(ctx context.Context) error {
	_, others, err := p.owners(ctx)
	if err == nil && len(others) > 0 {
		err = taken(p.Installation, others)
	}
	return err
}

// Check looks for marks of other installations, and whether the place is the one
// that the database names. It changes nothing.
func (p Place) Check(ctx context.Context) (findings []storecheck.Finding, err error) {
	named, found, err := p.Store.FilesPlace(ctx)
	if err != nil {
		return nil, err
	}
	ours, others, err := p.owners(ctx)
	for _, other := range others {
		findings = append(findings, storecheck.Finding{Rule: ruleOwner, Subject: "files of installation " + string(other) + " lie there too", Mend: mendOwner})
	}
	if err != nil || len(others) > 0 {
		return findings, err
	}
	if len(ours) == 0 {
		check := p.checkUnknown
		if p.is(named, ours) {
			check = func(ctx context.Context) error { return p.checkNew(ctx, false) }
		}
		switch err := check(ctx); {
		case errors.Is(err, errUnknown):
			return append(findings, storecheck.Finding{Rule: ruleOwner, Subject: "files in " + p.Where + " of which this database knows none", Mend: mendUnknown}), nil
		case errors.Is(err, errNone):
			return append(findings, storecheck.Finding{Rule: ruleMark, Subject: "neither the mark nor any file of this database is in " + p.Where, Mend: mendNone}), nil
		case err != nil:
			return findings, err
		}
	}
	if !found || p.is(named, ours) {
		return findings, nil
	}
	files, here, unknown, err := p.count(ctx)
	switch {
	case err != nil:
	case alike(named.Where, p.Where): // what is missing is found by others
		findings = append(findings, storecheck.Finding{Rule: ruleMark, Subject: p.lostMark(named), Mend: mendMark})
	case here < files:
		findings = append(findings, storecheck.Finding{Rule: RulePlace, Subject: "the files of this database are in " + named.Where, Mend: mendPlace})
	case mostUnknown(here, unknown) && len(ours) == 0:
		findings = append(findings, storecheck.Finding{Rule: ruleOwner, Subject: fmt.Sprintf("%d files in %s that this database does not know", unknown, p.Where), Mend: mendUnknown})
	}
	return findings, err
}
