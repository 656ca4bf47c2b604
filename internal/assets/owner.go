package assets

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
)

// OwnerName is what the marks of installations lie under, apart from files.
const OwnerName = "owner"

// markBytes is how many random bytes tell the marks apart that processes of one
// installation leave at the same moment.
const markBytes = 8

// owners reads the marks of an installation, and which others have left some.
func owners(ctx context.Context, marks blob.Store, installation octavo.ID) (ours []string, others []octavo.ID, err error) {
	for mark, err := range marks.All(ctx) {
		if err != nil {
			return nil, nil, fmt.Errorf("read whose files these are: %w", err)
		}
		suffix := mark.Key[:max(0, len(mark.Key)-2*markBytes)]
		if len(suffix) != len(installation.Suffix()) {
			return nil, nil, fmt.Errorf("%s under %s/ is not the mark of an installation, which alone may lie there: give what it belongs to a place of its own, then move it away", mark.Key, OwnerName)
		}
		if suffix == installation.Suffix() {
			ours = append(ours, mark.Key)
			continue
		}
		others = append(others, octavo.ID(octavo.PrefixInstallation)+"_"+octavo.ID(suffix))
	}
	return ours, others, nil
}

func taken(installation octavo.ID, others []octavo.ID) error {
	return fmt.Errorf("the files there are those of another installation, %s, and not of this database's, %s: give each a bucket, a prefix in it, or a data folder of its own; where this database is not that of the files, bring the right one back; only when the other one is gone for good, or keeps its files elsewhere now, remove its mark under %s/",
		others[0], installation, OwnerName)
}

// putMark leaves a new mark and returns its name.
func putMark(ctx context.Context, marks blob.Store, installation octavo.ID, random io.Reader) (string, error) {
	unique := make([]byte, markBytes)
	if _, err := io.ReadFull(random, unique); err != nil {
		return "", fmt.Errorf("name the mark of the installation: %w", err)
	}
	mark := fmt.Sprintf("%s%x", installation.Suffix(), unique)
	text := fmt.Sprintf("The files here are those of the Octavo installation %s alone.\n", installation)
	if err := marks.Put(ctx, mark, strings.NewReader(text)); err != nil {
		return "", fmt.Errorf("mark the files as those of this installation: %w", err)
	}
	// Of two installations that come at the same moment one at least sees the
	// other here. Its mark stays: others of its processes may have relied on it.
	_, others, err := owners(ctx, marks, installation)
	if err == nil && len(others) > 0 {
		err = taken(installation, others)
	}
	return mark, err
}
