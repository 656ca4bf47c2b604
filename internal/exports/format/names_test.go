package format

import (
	"strings"
	"testing"
)

// TestPlacesOfOneName takes one name so often that looking for a free one from
// the beginning each time would not come to an end.
func TestPlacesOfOneName(t *testing.T) {
	t.Parallel()
	at := newArchiveNames()
	const many = 200_000
	seen := make(map[string]bool, many)
	for range many {
		name := at.take("assets/picture.png")
		if seen[name] {
			t.Fatalf("%s is given twice", name)
		}
		seen[name] = true
	}
	if have := at.take("ASSETS/picture-2.png"); seen[have] || have != "ASSETS/picture-2-2.png" {
		t.Errorf("have %s, want ASSETS/picture-2-2.png", have)
	}
	// One file on a Mac, whose letters have one normal form.
	at.take("caf\u00e9.md")
	if have := at.take("cafe\u0301.md"); have != "cafe\u0301-2.md" {
		t.Errorf("a name of another normal form: have %q, want one with a number", have)
	}
}

// TestSafePlaces shows which names an archive never has, whatever a page or a
// file was called where it came from.
func TestSafePlaces(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"docs/01-start.md": true, "a b/ü.md": true, "名前.md": true, "a/b/c/d/e.md": true, "console.md": true, "com10.md": true, "a..b.md": true,
		"../x.md": false, "a/../../x.md": false, "a/./x.md": false, "/etc/passwd": false, "//server/x.md": false, "a//b.md": false, "a/": false, "": false, ".": false,
		`..\x.md`: false, `c:\x.md`: false, "c:x.md": false, "x.md:stream": false, "a\x00.md": false, "a\nb.md": false, "a\x7f.md": false,
		".git/config": false, "a/.htaccess": false, "x.": false, "x /y.md": false, "a*.md": false, "a?.md": false, `a"b.md`: false, "<a>.md": false, "a|b.md": false,
		"con": false, "NUL.md": false, "a/aux.tar.gz": false, "com1.md": false, "LPT9": false,
		strings.Repeat("x", maxPart): true, strings.Repeat("x", maxPart+1): false, strings.Repeat("x/", maxPath/2) + "y": false,
	} {
		if have := safeName(name); have != want {
			t.Errorf("safeName(%q): have %v, want %v", name, have, want)
		}
	}
}
