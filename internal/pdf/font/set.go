package font

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"unicode"
)

// Style tells which of the faces of a set is meant; its bits can be combined.
type Style uint8

// The bits of a Style.
const (
	Bold Style = 1 << iota
	Italic
	Mono

	styles = 8
)

// Source is a font file that is opened when it is needed first.
type Source struct {
	Name  string
	Bytes func() ([]byte, error)
}

// Sources are the fonts of a Set: one for each style, and others in the order
// in which they are asked for characters that those do not have.
type Sources struct {
	Styles    [styles]Source
	Fallbacks []Source
	Folder    *Folder // asked after all others; nil is none
}

// Set chooses faces for text. It is not safe for use by several goroutines.
type Set struct {
	sources Sources
	faces   []*Face          // those that are open, in order of opening
	opened  map[string]*Face // by the name of the source; nil where it cannot be opened
	chosen  [styles]map[rune]*Face
	missing map[rune]struct{}
	err     error
	faults  []error // of fonts in the folder
}

// NewSet returns a set of fonts, none of them open.
func NewSet(s Sources) *Set {
	return &Set{sources: s, opened: map[string]*Face{}, missing: map[rune]struct{}{}}
}

// Err returns the first error of opening a font.
func (s *Set) Err() error { return s.err }

// Faults returns what went wrong with the folder of fonts, if it was needed.
func (s *Set) Faults() []error {
	if err := s.sources.Folder.Err(); err != nil && len(s.missing) > 0 {
		return append(s.faults, err)
	}
	return s.faults
}

// Faces returns the fonts that are open.
func (s *Set) Faces() []*Face { return s.faces }

// Missing returns the characters for which no font had a glyph, in order.
func (s *Set) Missing() []rune {
	return slices.Sorted(maps.Keys(s.missing))
}

// Main returns the face of a style, nil when it cannot be opened.
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

// found opens a font of the folder once. Without it the book is made all the same.
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
		f.index = len(s.faces)
		s.faces = append(s.faces, f)
	}
	return f, err
}

// Choose returns the first face that has a glyph for a character. Without one
// the character is remembered as missing.
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
	if f == nil {
		s.miss(r)
		return first
	}
	return f
}

// other returns the first fallback, or font of the folder that has some characters,
// which has what is asked for; nil is none.
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

// miss remembers that no font has a glyph for a character, unless it shows
// nothing anyway.
func (s *Set) miss(r rune) {
	if !unicode.In(r, unicode.Cf, unicode.Cc, unicode.Z) && !unicode.Is(unicode.Variation_Selector, r) {
		s.missing[r] = struct{}{}
	}
}

// chooseFor returns the face of the character that text begins with: one that
// also has what clings to it, if there is one.
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

// hasAll reports whether the face has a glyph for each character that shows
// anything.
func (f *Face) hasAll(text []rune) bool {
	return !slices.ContainsFunc(text, func(r rune) bool { return !unseen(r) && !f.has(r) })
}

// unseen reports whether a character shows nothing by itself.
func unseen(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Variation_Selector) }

// clings reports whether a character is shown with the one before it, whatever
// face has that.
func clings(r rune) bool {
	return r == 0x200c || r == 0x200d || unicode.Is(unicode.M, r) || 0xfe00 <= r && r <= 0xfe0f || isSkin(r)
}

// isSkin reports whether a character gives an emoji before it the colour of a
// skin; without it the emoji is still what it was.
func isSkin(r rune) bool { return 0x1f3fb <= r && r <= 0x1f3ff }
