package title

import (
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

// TestShown holds which block already shows a title.
func TestShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		want    int
	}{
		{"# B\n\na", 0}, {"&nbsp;\n\n# B", 1}, {"![](a.png)\n\n# B", 1}, {"c\n\n# B", -1}, {"c\n\n# A", 1}, {"## B", -1}, {"## A", 0}, {"## a", 0}, {"c", -1},
	} {
		if _, have := Shown(document.Parse(c.content, document.Options{}), "A"); have != c.want {
			t.Errorf("%q: have %d, want %d", c.content, have, c.want)
		}
	}
}
