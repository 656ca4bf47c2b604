package assets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// OwnerName is what the marks of installations lie under, apart from files.
const OwnerName = "owner"

const (
	// markBytes is how many random bytes tell the marks apart that processes of
	// one installation leave at the same moment.
	markBytes = 8
	// markSample is how many files of a place without a mark are looked up.
	markSample = 500
)

// The rule that CheckOwner holds files to, and what mends it.
const (
	ruleOwner = "files lie in a place of this installation alone"
	mendOwner = "give each installation a bucket, or a prefix in it, of its own; when the other one is gone, remove its mark under " + OwnerName + "/"
)

// Claim marks a blob store as that of an installation, which alone may keep
// files there from then on: a server removes what its own database does not
// know. It fails where another installation has left its mark, and, where there
// is no mark yet, when the database knows none of the files that are there, or
// when none is there and it has some. It is to be called before anything is
// kept or swept. Copies of one installation are not told apart.
func Claim(ctx context.Context, st *store.Store, blobs blob.Store, installation octavo.ID, random io.Reader) (err error) {
	marks, err := blobs.Apart(OwnerName)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, marks.Close()) }()
	ours, others, err := owners(ctx, marks, installation)
	if err != nil {
		return err
	}
	if len(others) > 0 {
		return taken(installation, others)
	}
	if ours {
		return nil
	}
	if err := checkUnmarked(ctx, st, blobs); err != nil {
		return err
	}
	unique := make([]byte, markBytes)
	if _, err := io.ReadFull(random, unique); err != nil {
		return fmt.Errorf("name the mark of the installation: %w", err)
	}
	mark := fmt.Sprintf("%s%x", installation.Suffix(), unique)
	text := fmt.Sprintf("The files here are those of the Octavo installation %s alone.\n", installation)
	if err := marks.Put(ctx, mark, strings.NewReader(text)); err != nil {
		return fmt.Errorf("mark the files as those of this installation: %w", err)
	}
	// Of two installations that come at the same moment one at least sees the
	// other here. Its mark stays: others of its processes may have relied on it.
	if _, others, err = owners(ctx, marks, installation); err == nil && len(others) > 0 {
		err = taken(installation, others)
	}
	return err
}

// owners reads whose marks there are.
func owners(ctx context.Context, marks blob.Store, installation octavo.ID) (ours bool, others []octavo.ID, err error) {
	for mark, err := range marks.All(ctx) {
		if err != nil {
			return false, nil, fmt.Errorf("read whose files these are: %w", err)
		}
		suffix := mark.Key[:max(0, len(mark.Key)-2*markBytes)]
		if suffix == installation.Suffix() {
			ours = true
			continue
		}
		others = append(others, octavo.ID(octavo.PrefixInstallation)+"_"+octavo.ID(suffix))
	}
	return ours, others, nil
}

func taken(installation octavo.ID, others []octavo.ID) error {
	return fmt.Errorf("the files there are those of another installation, %s, and not of this database's, %s: give each a bucket, or a prefix in it, of its own; only when the other one is gone for good, remove its mark under %s/",
		others[0], installation, OwnerName)
}

// checkUnmarked refuses a place without a mark that cannot be that of the
// database.
func checkUnmarked(ctx context.Context, st *store.Store, blobs blob.Store) error {
	var keys []string
	for info, err := range blobs.All(ctx) {
		if err != nil {
			return fmt.Errorf("look for files: %w", err)
		}
		if keys = append(keys, info.Key); len(keys) == markSample {
			break
		}
	}
	if len(keys) > 0 {
		known, err := st.KnownBlobs(ctx, keys)
		if err == nil && len(known) == 0 {
			err = errors.New("there are files that this database does not know, and would remove: give it a bucket, or a prefix in it, of its own, or bring the database back that they belong to")
		}
		return err
	}
	for _, err := range st.Blobs(ctx) {
		if err != nil {
			return err
		}
		return errors.New("this database has files, but none of them is there: name the place that they are in, as other servers have it, or bring them back from a backup first")
	}
	return nil
}

// CheckOwner looks for marks of other installations. It changes nothing.
func CheckOwner(ctx context.Context, blobs blob.Store, installation octavo.ID) (findings []store.Finding, err error) {
	marks, err := blobs.Apart(OwnerName)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, marks.Close()) }()
	_, others, err := owners(ctx, marks, installation)
	for _, other := range others {
		findings = append(findings, store.Finding{Rule: ruleOwner, Subject: "files of installation " + string(other) + " lie there too", Mend: mendOwner})
	}
	return findings, err
}
