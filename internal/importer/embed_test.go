package importer

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestEmbeddedNotes: embeds of Obsidian become links, with a note. Pictures and sounds are
// not pages.
func TestEmbeddedNotes(t *testing.T) {
	t.Parallel()
	report := mustRun(t, folder("a.md", "![[b]]\n\nx ![[b#H|text]]\n\n![[p.png]] ![[s.mp3]]\n\n|![[p.png\\|10]]|\n\n```\n![[b]]\n```\n", "b.md", "## H\n", "p.png", "p", "s.mp3", "s"), newMemory(), Options{Dialect: octavo.DialectObsidian})
	have := strings.Join(reportOf(report), "; ")
	want := "a.md:1: shows another page in its place there, to which there is a link here: ![[b]]; a.md:3: shows another page in its place there, to which there is a link here: ![[b#H|text]]"
	if have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}
