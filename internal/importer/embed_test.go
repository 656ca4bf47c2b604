package importer

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestEmbeddedNotes: a note shows those that it embeds, so the report names none.
func TestEmbeddedNotes(t *testing.T) {
	t.Parallel()
	report := mustRun(t, folder("a.md", "![[b]]\n\nx ![[b#H|text]]\n\n![[p.png]] ![[s.mp3]]\n\n|![[p.png\\|10]]|\n\n```\n![[b]]\n```\n", "b.md", "## H\n", "p.png", "p", "s.mp3", "s"), newMemory(), Options{Dialect: octavo.DialectObsidian})
	if have := strings.Join(reportOf(report), "; "); have != "" {
		t.Errorf("have %s, want no notes", have)
	}
}
