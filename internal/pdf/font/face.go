// Package font reads fonts, shapes words and embeds subsets in a PDF. It chooses the face for each
// character, caches shaped words, and makes the tables that map glyphs back to text.
//
// It does not break lines. Lengths are in thousandths of the font size.
package font

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	gofont "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// Face is an open font. It records the glyphs used.
type Face struct {
	name   string // in the PDF
	source string // origin, for errors
	face   *gofont.Face
	loader *opentype.Loader
	scale  float64 // thousandths per font unit

	ascent, descent int      // above the base line, and below as a negative number
	index           int      // index in the open faces of the set
	used            []bool   // by glyph
	advances        []int16  // of used glyphs
	texts           []string // text by glyph
	nothing         uint16   // an invisible glyph, 0 if unknown
	codes           codes
	habits          *habits // computed on first use
}

// tallest limits the height of lines: some fonts make room for marks that hardly a word has.
const tallest = 1650

// standIn finds a glyph that looks the same for a character that the font lacks: the wave dash is
// common in Japanese, and Chinese fonts have only the wide tilde.
type standIn struct{ gofont.Cmap }

func (s standIn) Lookup(r rune) (gofont.GID, bool) {
	glyph, ok := s.Cmap.Lookup(r)
	if !ok && r == '\u301c' {
		return s.Cmap.Lookup('\uff5e')
	}
	return glyph, ok
}

// open parses a font file, or the first face of a collection.
func open(source string, data []byte) (*Face, error) {
	loaders, err := opentype.NewLoaders(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", source, err)
	}
	if len(loaders) == 0 {
		return nil, fmt.Errorf("font %s has no face", source)
	}
	shaping, err := forShaping(loaders[0])
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", source, err)
	}
	parsed, err := gofont.NewFont(shaping)
	if err != nil {
		return nil, fmt.Errorf("read font %s: %w", source, err)
	}
	parsed.Cmap = standIn{parsed.Cmap}
	f := &Face{source: source, face: gofont.NewFace(parsed), loader: loaders[0]}
	if parsed.Upem() == 0 {
		return nil, fmt.Errorf("font %s has no size", source)
	}
	f.scale = 1000 / float64(parsed.Upem())
	f.name = postScriptName(parsed.Describe().Family, source)
	extents, _ := f.face.FontHExtents()
	shrink := float32(min(1, tallest/max(1, f.scale*float64(extents.Ascender-extents.Descender))))
	f.ascent, f.descent = f.thousandths(shrink*extents.Ascender), f.thousandths(shrink*extents.Descender)
	maxp, err := f.loader.RawTable(opentype.MustNewTag("maxp"))
	if err != nil || len(maxp) < 6 {
		return nil, fmt.Errorf("font %s does not count its glyphs", source)
	}
	glyphs := int(maxp[4])<<8 | int(maxp[5])
	f.used, f.texts, f.advances = make([]bool, glyphs), make([]string, glyphs), make([]int16, glyphs)
	f.codes.of = make([]uint16, glyphs)
	if glyphs > 0 {
		f.use(0)
	}
	if space, ok := f.face.NominalGlyph(' '); ok && int(space) < glyphs {
		f.nothing = uint16(space)
	}
	return f, nil
}

// forShaping returns a font without outlines, to save several times the file's size in memory. A
// variable font has its default instance.
func forShaping(l *opentype.Loader) (*opentype.Loader, error) {
	var tables []table
	for _, tag := range []string{
		"OS/2", "cmap", "head", "hhea", "hmtx", "maxp", "name", "GDEF", "GSUB", "GPOS", "kern", "kerx", "morx", "ankr", "feat", "trak",
	} {
		if t := opentype.MustNewTag(tag); l.HasTable(t) {
			data, err := l.RawTable(t)
			if err != nil {
				return nil, fmt.Errorf("table %q: %w", tag, err)
			}
			if tag == "head" && len(data) < headLength {
				return nil, errors.New("a table is too short")
			}
			tables = append(tables, table{tag, data})
		}
	}
	stripped, err := opentype.NewLoader(bytes.NewReader(fontFile(tables)))
	if err != nil {
		return nil, fmt.Errorf("tables for shaping: %w", err)
	}
	return stripped, nil
}

// postScriptName derives a PostScript name from the family name.
func postScriptName(family, source string) string {
	var name []byte
	for i := 0; i < len(family) && len(name) < 40; i++ {
		if c := family[i]; 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' {
			name = append(name, c)
		}
	}
	if len(name) == 0 && family != source {
		return postScriptName(source, source)
	}
	if len(name) == 0 {
		return "Font"
	}
	return string(name)
}

func (f *Face) thousandths(units float32) int { return int(math.Round(float64(units) * f.scale)) }

func (f *Face) use(glyph uint16) {
	if !f.used[glyph] {
		f.used[glyph] = true
		f.advances[glyph] = int16(f.thousandths(f.face.HorizontalAdvance(gofont.GID(glyph))))
	}
}

// Advance returns the advance of a used glyph.
func (f *Face) Advance(glyph uint16) int { return int(f.advances[glyph]) }

func (f *Face) has(r rune) bool {
	_, ok := f.face.NominalGlyph(r)
	return ok
}
