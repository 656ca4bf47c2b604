package font

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode"
)

// Style selects a face of a set; bits can be combined.
type Style uint8

const (
	Bold Style = 1 << iota
	Italic
	Mono

	styles = 8
)

// Source is a font file, opened on first use.
type Source struct {
	Name  string
	Bytes func() ([]byte, error)
	Signs bool // it has no letters, and makes no line higher
}

// Sources are the fonts of a Set: one per style, and fallbacks in order.
type Sources struct {
	Styles    [styles]Source
	Fallbacks []Source
	Folder    *Folder // the last fallback; nil is none
}

// Set chooses faces for text. It is not safe for concurrent use.
type Set struct {
	sources Sources
	faces   []*Face          // open faces in order of opening
	opened  map[string]*Face // by source name; nil if opening failed
	chosen  [styles]map[rune]*Face
	missing map[rune]struct{}
	err     error
	faults  []error // of fonts in the folder
}

// NewSet returns a set; fonts are opened on first use.
func NewSet(s Sources) *Set {
	return &Set{sources: s, opened: map[string]*Face{}, missing: map[rune]struct{}{}}
}

// Err returns the first error of opening a font.
func (s *Set) Err() error { return s.err }

// Faults returns the errors of the font folder, if it was used.
func (s *Set) Faults() []error {
	if err := s.sources.Folder.Err(); err != nil && len(s.missing) > 0 {
		return append(s.faults, err)
	}
	return s.faults
}

// Faces returns the open fonts.
func (s *Set) Faces() []*Face { return s.faces }

// Missing returns the characters without a glyph in any font, sorted.
func (s *Set) Missing() []rune {
	return slices.Sorted(maps.Keys(s.missing))
}

// Main returns the face of a style, nil if it cannot be opened.
func (s *Set) Main(style Style) *Face { return s.face(s.sources.Styles[style%styles]) }

// face opens a source once.
func (s *Set) face(source Source) *Face {
	if f, ok := s.opened[source.Name]; ok {
		return f
	}
	f, err := s.open(source)
	if err != nil && s.err == nil {
		s.err = err
	}
	s.opened[source.Name] = f
	return f
}

// found opens a font of the folder once. A failure does not fail the book.
func (s *Set) found(source Source) *Face {
	if f, ok := s.opened[source.Name]; ok {
		return f
	}
	f, err := s.open(source)
	if err != nil {
		s.faults = append(s.faults, err)
	}
	s.opened[source.Name] = f
	return f
}

func (s *Set) open(source Source) (*Face, error) {
	if source.Bytes == nil {
		return nil, fmt.Errorf("font %q has no file", source.Name)
	}
	data, err := source.Bytes()
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", source.Name, err)
	}
	f, err := open(source.Name, data)
	if f != nil {
		if source.Signs {
			if main := s.Main(0); main != nil {
				f.ascent, f.descent = main.ascent, main.descent
			}
		}
		f.index = len(s.faces)
		s.faces = append(s.faces, f)
	}
	return f, err
}

// Choose returns the first face with a glyph for a character. If there is none, it records the
// character as missing.
func (s *Set) Choose(r rune, style Style) *Face {
	style %= styles
	if f, ok := s.chosen[style][r]; ok {
		return f
	}
	f := s.choose(r, style)
	if s.chosen[style] == nil {
		s.chosen[style] = map[rune]*Face{}
	}
	s.chosen[style][r] = f
	return f
}

func (s *Set) choose(r rune, style Style) *Face {
	first := s.Main(style)
	if first == nil || first.has(r) {
		return first
	}
	if f := s.Main(style &^ Mono); f != nil && f.has(r) {
		return f
	}
	f := s.other(func(f *Face) bool { return f.has(r) }, r)
	if mono := s.Main(style | Mono); f == nil && mono != nil && mono.has(r) { // it has the most lines and blocks
		return mono
	}
	if f == nil {
		s.miss(r)
		return first
	}
	return f
}

// other returns the first fallback or folder font with the given characters for which has is
// true, or nil.
func (s *Set) other(has func(*Face) bool, text ...rune) *Face {
	for _, source := range s.sources.Fallbacks {
		if f := s.face(source); f != nil && has(f) {
			return f
		}
	}
	for _, source := range s.sources.Folder.With(text...) {
		if f := s.found(source); f != nil && has(f) {
			return f
		}
	}
	return nil
}

// miss records a missing character, unless it is invisible.
func (s *Set) miss(r rune) {
	if !unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z) && !unicode.Is(unicode.Variation_Selector, r) {
		s.missing[r] = struct{}{}
	}
}

// chooseFor returns the face for the first character of text, preferably one that also has the
// combining characters after it.
func (s *Set) chooseFor(text []rune, style Style) *Face {
	first := s.Choose(text[0], style)
	end := 1
	for end < len(text) && clings(text[end]) {
		end++
	}
	if first == nil || end == 1 || first.hasAll(text[:end]) {
		return first
	}
	return cmp.Or(s.other(func(f *Face) bool { return f.hasAll(text[:end]) }, text[:end]...), first)
}

// hasAll reports whether the face has a glyph for each visible character.
func (f *Face) hasAll(text []rune) bool {
	return !slices.ContainsFunc(text, func(r rune) bool { return !unseen(r) && !f.has(r) })
}

// unseen reports whether a character is invisible by itself.
func unseen(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Variation_Selector) }

// clings reports whether a character is combined with the previous one in any face.
func clings(r rune) bool {
	return r == 0x200c || r == 0x200d || unicode.Is(unicode.M, r) || 0xfe00 <= r && r <= 0xfe0f || isSkin(r)
}

// isSkin reports whether a character is a skin tone modifier, which may be omitted.
func isSkin(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }
