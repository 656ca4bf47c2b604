package slugify

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestJoin(t *testing.T) {
	tests := []struct {
		parts string // parted by |
		want  string
		exact bool
	}{
		{"guide|install", "guide-install", true},
		{"Getting Started", "getting-started", true},
		{"a_b.c", "a-b-c", true},
		{"--a--b--", "a-b", true},
		{"C++|What's new?", "c-whats-new", true},
		{"Crème brûlée|Straße|Øre|Łódź", "creme-brulee-strasse-ore-lodz", true},
		{"cre\u0300me", "creme", true},
		{"Привет|Объект|Ελλάδα", "privet-obekt-ellada", true},
		{"ＦＵＬＬ①", "full1", true},
		{"介绍", "66a66f52", false},
		{"v2 介绍", "v2", true},
		{"guide|介绍", "guide-66a66f52", false},
		{"🎉", "", false},
		{"@@", "", false},
		{strings.Repeat("a", 200), strings.Repeat("a", 200), true},
		{strings.Repeat("a", 201), strings.Repeat("a", 191) + "-", false},
		{strings.Repeat("a", 190) + "-" + strings.Repeat("b", 20), strings.Repeat("a", 190) + "-", false},
	}
	s := NewMaker()
	for _, tt := range tests {
		have, exact := s.Join(strings.Split(tt.parts, "|"))
		if exact != tt.exact || exact && have != tt.want || !strings.HasPrefix(have, tt.want) {
			t.Errorf("join(%q): have %q, %v, want %q, %v", tt.parts, have, exact, tt.want, tt.exact)
		}
	}
}

func FuzzJoin(f *testing.F) {
	for _, seed := range []string{"a/b", "01-Ünïcode/日本", "🎉/ /-", "\x00/\xff", strings.Repeat("x/", 300)} {
		f.Add(seed)
	}
	s := NewMaker()
	f.Fuzz(func(t *testing.T, name string) {
		parts := strings.Split(name, "/")
		slug, _ := s.Join(parts)
		if msg := octavo.CheckSlug(slug); msg != "" || len(slug) > MaxLen {
			t.Errorf("join(%q): have %q, which %s", parts, slug, msg)
		}
		if again, exact := s.Join([]string{slug}); again != slug || !exact {
			t.Errorf("join(%q): have %q, want no change", slug, again)
		}
		if n := Numbered(slug, 12); octavo.CheckSlug(n) != "" || len(n) > MaxLen {
			t.Errorf("Numbered(%q, 12): have %q", slug, n)
		}
	})
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
		{Numbered(long, 2), long, true},
	}
	for _, tt := range tests {
		if have := HasNumber(tt.slug, tt.wanted); have != tt.want {
			t.Errorf("HasNumber(%q, %q): have %v", tt.slug, tt.wanted, have)
		}
	}
}
