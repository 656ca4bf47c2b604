package font

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/go-text/typesetting/font/opentype"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Embed writes what was used of the font as the object of that number.
func (f *Face) Embed(w *writer.Writer, ref writer.Ref) error {
	var glyphs []uint16
	for id, used := range f.used {
		if used {
			glyphs = append(glyphs, uint16(id))
		}
	}
	program, entries, key := []byte(nil), "", "FontFile2"
	var err error
	kind := "CIDFontType2/CIDToGIDMap/Identity"
	if f.loader.HasTable(opentype.MustNewTag("CFF ")) {
		program, err = f.subsetCFF()
		entries, key, kind = "/Subtype/CIDFontType0C", "FontFile3", "CIDFontType0"
	} else {
		program, err = f.subsetTrueType()
		entries = fmt.Sprintf("/Length1 %d", len(program))
	}
	if err != nil {
		return fmt.Errorf("subset of font %s: %w", f.source, err)
	}
	name := writer.Name(tag(glyphs) + "+" + f.name)
	file, descriptor, descendant, unicode := w.Reserve(), w.Reserve(), w.Reserve(), w.Reserve()
	w.Stream(file, entries, program)
	w.Object(descriptor, fmt.Sprintf("<</Type/FontDescriptor/FontName%s/Flags 4/FontBBox[%d %d %d %d]/ItalicAngle 0/Ascent %d/Descent %d/CapHeight 700/StemV 80/%s %v>>",
		name, -1000, f.descent, 2000, f.ascent, f.ascent, f.descent, key, file))
	w.Object(descendant, fmt.Sprintf("<</Type/Font/Subtype/%s/BaseFont%s/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor %v/DW 1000/W[%s]>>",
		kind, name, descriptor, f.widths(glyphs)))
	w.Stream(unicode, "", []byte(f.toUnicode(glyphs)))
	w.Object(ref, fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont%s/Encoding/Identity-H/DescendantFonts[%v]/ToUnicode %v>>", name, descendant, unicode))
	return nil
}

// tag returns the six letters that tell one subset from another.
func tag(glyphs []uint16) string {
	sum := sha256.New()
	for _, g := range glyphs {
		sum.Write([]byte{byte(g >> 8), byte(g)})
	}
	letters := make([]byte, 6)
	for i, b := range sum.Sum(nil)[:6] {
		letters[i] = 'A' + b%26
	}
	return string(letters)
}

// widths lists the advances of glyphs, those of neighbours together.
func (f *Face) widths(glyphs []uint16) string {
	var b strings.Builder
	for i, g := range glyphs {
		if i == 0 || glyphs[i-1]+1 != g {
			if i > 0 {
				b.WriteByte(']')
			}
			fmt.Fprintf(&b, "%d[", g)
		} else {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, f.Advance(g))
	}
	if len(glyphs) > 0 {
		b.WriteByte(']')
	}
	return b.String()
}

// toUnicode returns the table from glyphs to what they stand for.
func (f *Face) toUnicode(glyphs []uint16) string {
	var known []uint16
	for _, g := range glyphs {
		if f.texts[g] != "" {
			known = append(known, g)
		}
	}
	var b strings.Builder
	b.WriteString("/CIDInit/ProcSet findresource begin 12 dict begin begincmap/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def" +
		"/CMapName/Adobe-Identity-UCS def/CMapType 2 def 1 begincodespacerange<0000><FFFF>endcodespacerange\n")
	const most = 100 // entries of one block
	for len(known) > 0 {
		chunk := known[:min(most, len(known))]
		known = known[len(chunk):]
		fmt.Fprintf(&b, "%d beginbfchar\n", len(chunk))
		for _, g := range chunk {
			fmt.Fprintf(&b, "<%04X><", g)
			for _, unit := range utf16.Encode([]rune(f.texts[g])) {
				fmt.Fprintf(&b, "%04X", unit)
			}
			b.WriteString(">\n")
		}
		b.WriteString("endbfchar\n")
	}
	b.WriteString("endcmap CMapName currentdict/CMap defineresource pop end end")
	return b.String()
}
