package font

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The character codes of glyphs in content. Most are one byte: glyphs of Latin-1 characters use
// their Latin-1 code, others the codes unused there, then Latin-1 codes from the end.
// Further codes are two bytes, the first of which is not a one-byte code.
const (
	firstShort, lastShort = 0x20, 0xff
	freeFrom, latin       = 0x7f, 0xa0
	firstLong, lastLong   = 0x0100, 0x1eff

	noCode = 0xffff // all codes were in use
)

// codes assigns codes to the glyphs of a face when they are first used.
type codes struct {
	of    []uint16                // by glyph, 0 if none
	short [lastShort + 1]struct { // glyphs by code
		glyph uint16
		taken bool
	}
	long []uint16 // glyphs from firstLong
	wide bool     // a glyph got no code
}

// Code returns the code of a glyph. If all are in use, wide is true and the code is the two-byte
// glyph number, in the second font of the face.
func (f *Face) Code(glyph uint16) (code uint16, wide bool) {
	c := &f.codes
	if c.of[glyph] == 0 {
		c.of[glyph] = c.choose(glyph, f.texts[glyph])
	}
	if code := c.of[glyph]; code != noCode {
		return code, false
	}
	c.wide = true
	return glyph, true
}

// choose assigns a code to a glyph with a text.
func (c *codes) choose(glyph uint16, text string) uint16 {
	r, size := utf8.DecodeRuneInString(text)
	own := r >= firstShort && r < freeFrom || r >= latin && r <= lastShort
	if own && size == len(text) && c.take(int(r), glyph) {
		return uint16(r)
	}
	for code := freeFrom; code < latin; code++ {
		if c.take(code, glyph) {
			return uint16(code)
		}
	}
	for code := lastShort; code >= latin; code-- {
		if c.take(code, glyph) {
			return uint16(code)
		}
	}
	if len(c.long) > lastLong-firstLong {
		return noCode
	}
	c.long = append(c.long, glyph)
	return uint16(firstLong + len(c.long) - 1)
}

// take assigns a one-byte code to a glyph if it is free.
func (c *codes) take(code int, glyph uint16) bool {
	if c.short[code].taken {
		return false
	}
	c.short[code].glyph, c.short[code].taken = glyph, true
	return true
}

type coded struct{ code, glyph uint16 }

// hex formats the code for tables.
func (c coded) hex() string {
	if c.code <= lastShort {
		return fmt.Sprintf("<%02X>", c.code)
	}
	return fmt.Sprintf("<%04X>", c.code)
}

// list returns the assigned codes in order.
func (c *codes) list() (all []coded) {
	for code, s := range c.short {
		if s.taken {
			all = append(all, coded{uint16(code), s.glyph})
		}
	}
	for i, glyph := range c.long {
		all = append(all, coded{uint16(firstLong + i), glyph})
	}
	return all
}

// codeSpace is the range of codes.
const codeSpace = "2 begincodespacerange<20><FF><0100><1EFF>endcodespacerange\n"

// entriesOfBlock limits the entries in a block of a table.
const entriesOfBlock = 100

// encoding returns the name and table that map codes to glyphs.
func (f *Face) encoding() (name, table string) {
	name = fmt.Sprint("Octavo-", f.index)
	var entries []string
	all := f.codes.list()
	for i := 0; i < len(all); {
		first, n := all[i], 1 // consecutive codes for consecutive glyphs with equal first bytes
		for i+n < len(all) && all[i+n] == (coded{first.code + uint16(n), first.glyph + uint16(n)}) && all[i+n].code>>8 == first.code>>8 {
			n++
		}
		entries = append(entries, fmt.Sprint(first.hex(), all[i+n-1].hex(), first.glyph))
		i += n
	}
	return name, cmap("/CIDSystemInfo"+systemInfo+"def/CMapName/"+name+" def/CMapType 1 def "+codeSpace, "cidrange", entries)
}

// cmap returns a table with entries in blocks.
func cmap(head, kind string, entries []string) string {
	var b strings.Builder
	b.WriteString("/CIDInit/ProcSet findresource begin 12 dict begin begincmap" + head)
	for len(entries) > 0 {
		n := min(entriesOfBlock, len(entries))
		fmt.Fprintf(&b, "%d begin%s\n%s\nend%s\n", n, kind, strings.Join(entries[:n], "\n"), kind)
		entries = entries[n:]
	}
	b.WriteString("endcmap CMapName currentdict/CMap defineresource pop end end")
	return b.String()
}
