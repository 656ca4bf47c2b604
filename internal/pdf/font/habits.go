package font

import (
	gofont "github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype/tables"
)

// The range of ASCII characters to examine, and the space.
const (
	firstASCII, lastASCII = ' ', '~'
	printable             = ` !"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\]^_` + "`abcdefghijklmnopqrstuvwxyz{|}~"
)

// habits describe what a font does to ASCII characters, by its tables. A word of characters that
// are alone can be shaped pair by pair.
type habits struct {
	alone  [lastASCII + 1]bool // affected only by the next character
	led    [lastASCII + 1]bool // may be affected by the next character
	joined map[[2]byte]bool    // pairs that may begin a ligature
}

// asked are the default features. Others of the font have no effect.
var asked = map[string]bool{
	"rvrn": true, "ltra": true, "ltrm": true, "rand": true, "Harf": true, "HARF": true, "Buzz": true, "BUZZ": true,
	"abvm": true, "blwm": true, "ccmp": true, "locl": true, "mark": true, "mkmk": true, "rlig": true,
	"calt": true, "clig": true, "curs": true, "dist": true, "kern": true, "liga": true, "rclt": true,
}

// observe analyses the tables of a font. If unsure, a character is not alone.
func observe(face *gofont.Face) *habits {
	h := &habits{joined: map[[2]byte]bool{}}
	if face.Kern != nil || face.Kerx != nil || len(face.Morx) > 0 || !face.Trak.IsEmpty() || varies(&face.GSUB.Layout) || varies(&face.GPOS.Layout) {
		return h
	}
	glyphs := map[tables.GlyphID][]byte{}
	for c := byte(firstASCII); c <= lastASCII; c++ {
		id, found := face.NominalGlyph(rune(c))
		if !found || id == 0 || id > 0xffff {
			continue
		}
		h.alone[c] = true
		if classes := face.GDEF.GlyphClassDef; classes != nil {
			class, _ := classes.Class(tables.GlyphID(id)) // 0 if it has none
			h.alone[c] = class != tables.GPMark
		}
		glyphs[tables.GlyphID(id)] = append(glyphs[tables.GlyphID(id)], c)
	}
	o := observer{h, glyphs}
	for i := range used(&face.GSUB.Layout, len(face.GSUB.Lookups)) {
		for _, t := range face.GSUB.Lookups[i].Subtables {
			o.substitutes(t)
		}
	}
	for i := range used(&face.GPOS.Layout, len(face.GPOS.Lookups)) {
		const aroundMarks = 8 // no marks occur here
		for _, t := range face.GPOS.Lookups[i].Subtables {
			o.moves(t, face.GPOS.Lookups[i].Flag&^aroundMarks == 0)
		}
	}
	return h
}

// varies reports whether the effect of a font depends on more than its lookups.
func varies(l *gofont.Layout) bool {
	for _, s := range l.Scripts {
		for _, language := range append(s.LangSys, tables.LangSys{RequiredFeatureIndex: 0xffff}) {
			if language.RequiredFeatureIndex != 0xffff {
				return true
			}
		}
		if s.DefaultLangSys != nil && s.DefaultLangSys.RequiredFeatureIndex != 0xffff {
			return true
		}
	}
	return len(l.FeatureVariations) > 0
}

// used returns the lookups of the default features in all scripts.
func used(l *gofont.Layout, count int) map[int]bool {
	all := map[int]bool{}
	for _, f := range l.Features {
		for _, i := range f.LookupListIndices {
			if asked[f.Tag.String()] && int(i) < count {
				all[int(i)] = true
			}
		}
	}
	return all
}

// observer finds the characters that are alone.
type observer struct {
	*habits
	glyphs map[tables.GlyphID][]byte // characters by glyph
}

// covered calls f for each character in a coverage table.
func (o observer) covered(c tables.Coverage, f func(c byte, index int)) {
	for id, characters := range o.glyphs {
		index, found := 0, true
		if c != nil {
			index, found = c.Index(id)
		}
		for _, c := range characters {
			if found {
				f(c, index)
			}
		}
	}
}

func (o observer) notAlone(c byte, _ int) { o.alone[c] = false }

// substitutes records the substitutions of a table.
func (o observer) substitutes(table tables.GSUBLookup) {
	switch t := table.(type) {
	case tables.LigatureSubs:
		o.covered(t.Coverage, func(c byte, index int) {
			if t.Coverage == nil || index >= len(t.LigatureSets) {
				o.alone[c] = false
				return
			}
			for _, l := range t.LigatureSets[index].Ligatures {
				o.joins(c, l.ComponentGlyphIDs)
			}
		})
		return
	case tables.ChainedContextualSubs:
		if context, ok := t.Data.(tables.ChainedContextualSubs3); ok && o.foreign(context) {
			return
		}
	}
	o.covered(table.Cov(), o.notAlone)
}

// joins records a ligature.
func (o observer) joins(c byte, others []tables.GlyphID) {
	for _, id := range others {
		if len(o.glyphs[id]) == 0 {
			return
		}
	}
	if len(others) == 0 {
		o.alone[c] = false
		return
	}
	o.led[c] = true
	for _, next := range o.glyphs[others[0]] {
		o.joined[[2]byte{c, next}] = true
	}
}

// foreign reports whether a context requires a glyph of no examined character.
func (o observer) foreign(context tables.ChainedContextualSubs3) bool {
	for _, list := range [][]tables.Coverage{context.BacktrackCoverages, context.InputCoverages, context.LookaheadCoverages} {
		for _, place := range list {
			found := false
			o.covered(place, func(byte, int) { found = true })
			if !found {
				return true
			}
		}
	}
	return false
}

// moves records the positioning of a table. plainly means that it only moves the first of a pair,
// independent of context.
func (o observer) moves(table tables.GPOSLookup, plainly bool) {
	if t, ok := table.(tables.PairPos); ok && plainly {
		second := tables.ValueFormat(1)
		switch d := t.Data.(type) {
		case tables.PairPosData1:
			second = d.ValueFormat2
		case tables.PairPosData2:
			second = d.ValueFormat2
		}
		if second == 0 {
			o.covered(table.Cov(), func(c byte, _ int) { o.led[c] = true })
			return
		}
	}
	o.covered(table.Cov(), o.notAlone)
}
