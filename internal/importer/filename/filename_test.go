package filename

import (
	"strings"
	"testing"
)

func TestSplitNumber(t *testing.T) {
	tests := []struct {
		name string
		n    int64
		rest string
	}{
		{"01-intro", 1, "intro"},
		{"2.setup", 2, "setup"},
		{"3 - more", 3, "more"},
		{"10__x", 10, "x"},
		{"intro", -1, "intro"},
		{"2024-01-02-news", -1, "2024-01-02-news"},
		{"1.2-release", -1, "1.2-release"},
		{"404", -1, "404"},
		{"2023-updates", -1, "2023-updates"},
		{"1200-after", 1200, "after"},
		{"5-minute-guide", -1, "5-minute-guide"},
		{"2_factor_login", -1, "2_factor_login"},
		{"30-days", -1, "30-days"},
		{"05-minutes", 5, "minutes"},
		{"4.tips", 4, "tips"},
		{"5-minutiae", 5, "minutiae"},
		{"7-", -1, "7-"},
		{"7 ", -1, "7 "},
		{"3d", -1, "3d"},
		{"3 d", -1, "3 d"},
		{"12345678901-x", -1, "12345678901-x"},
		{"", -1, ""},
		{"-a", -1, "-a"},
	}
	for _, tt := range tests {
		n, rest, ok := SplitNumber(tt.name)
		if ok != (tt.n >= 0) || ok && n != tt.n || rest != tt.rest {
			t.Errorf("SplitNumber(%q): have %d, %q, %v, want %d, %q", tt.name, n, rest, ok, tt.n, tt.rest)
		}
	}
}

func TestPathParts(t *testing.T) {
	for file, want := range map[string]string{
		"01-a/02_b.md": "a|b", "app/(site)/a/page.mdx": "app|a|page", "(a)/(b).md": "(b)", "a (b)/(c) d/e.md": "a (b)|(c) d|e", "v1.2/x": "v1.2|x",
	} {
		if have := strings.Join(PathParts(file), "|"); have != want {
			t.Errorf("PathParts(%q): have %q, want %q", file, have, want)
		}
	}
}

func TestAddressParts(t *testing.T) {
	for address, want := range map[string]string{
		"/docs/intro/":          "docs|intro",
		"docs/intro.html#top":   "docs|intro",
		"/a/index.html?x=1":     "a",
		"/":                     "",
		"/index.html":           "",
		"//a//b":                "a|b",
		"/docs/v1.2/what's-new": "docs|v1.2|what's-new",
	} {
		if have := strings.Join(AddressParts(address), "|"); have != want {
			t.Errorf("AddressParts(%q): have %q, want %q", address, have, want)
		}
	}
}

func TestTitle(t *testing.T) {
	for file, want := range map[string]string{
		"02-getting_started.md": "Getting started",
		"Pop-out my_windows.md": "Pop-out my_windows",
		"a/01-guides/index.md":  "Guides",
		"README.md":             "README",
		"a/été.md":              "Été",
		"a/__.md":               "Untitled",
		"v1.2/README.md":        "V1.2",
	} {
		if have := Title(file); have != want {
			t.Errorf("Title(%q): have %q, want %q", file, have, want)
		}
	}
}
