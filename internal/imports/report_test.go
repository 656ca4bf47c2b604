package imports

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer"
)

// TestLinesNotReached: an import that was cancelled or refused in the middle
// tells of the files that it has not come to.
func TestLinesNotReached(t *testing.T) {
	t.Parallel()
	sum := &octavo.ImportReport{}
	lines, err := encode(reportLines(importer.Report{{Path: "a.png"}, {Path: "b.md", Action: importer.Created}}, nil, sum), sum)
	if err != nil || len(lines) != 2 || sum.Sums.Skipped != 1 || sum.Sums.Created != 1 {
		t.Errorf("have %s, %+v, %v", lines, sum.Sums, err)
	}
}
