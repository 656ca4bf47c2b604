package importer

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/slugify"
)

func TestTitleOfName(t *testing.T) {
	for file, want := range map[string]string{
		"02-getting_started.md": "Getting started",
		"a/01-guides/index.md":  "Guides",
		"README.md":             "README",
		"a/été.md":              "Été",
		"a/__.md":               "Untitled",
		"v1.2/README.md":        "V1.2",
	} {
		if have := titleOfName(file); have != want {
			t.Errorf("titleOfName(%q): have %q, want %q", file, have, want)
		}
	}
}

func TestHasNumber(t *testing.T) {
	long := strings.Repeat("a", 200)
	tests := []struct {
		slug, wanted string
		want         bool
	}{
		{"intro-2", "intro", true},
		{"intro-12", "intro", true},
		{"intro", "intro", false},
		{"intro-two", "intro", false},
		{"other-2", "intro", false},
		{"2", "intro", false},
		{slugify.Numbered(long, 2), long, true},
	}
	for _, tt := range tests {
		if have := hasNumber(tt.slug, tt.wanted); have != tt.want {
			t.Errorf("hasNumber(%q, %q): have %v", tt.slug, tt.wanted, have)
		}
	}
}
