package font

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// systemInfo declares that codes map to glyph numbers.
const systemInfo = "<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"

// Embed writes the used subset of the font and returns its entries for the resources.
func (f *Face) Embed(w *writer.Writer) (resources string, err error) {
	var glyphs []uint16
	for id, used := range f.used {
		if used {
			glyphs = append(glyphs, uint16(id))
		}
	}
	program, err := f.subset()
	if err != nil {
		return "", fmt.Errorf("subset of font %s: %w", f.source, err)
	}
	name := writer.Name(tag(glyphs) + "+" + f.name)
	file, descriptor, descendant := w.Reserve(), w.Reserve(), w.Reserve()
	w.Stream(file, fmt.Sprintf("/Length1 %d", len(program)), program)
	w.Object(descriptor, fmt.Sprintf("<</Type/FontDescriptor/FontName%s/Flags 4/FontBBox[%d %d %d %d]/ItalicAngle 0/Ascent %d/Descent %d/CapHeight 700/StemV 80/FontFile2 %v>>",
		name, -1000, f.descent, 2000, f.ascent, f.ascent, f.descent, file))
	w.Object(descendant, fmt.Sprintf("<</Type/Font/Subtype/CIDFontType2/CIDToGIDMap/Identity/BaseFont%s/CIDSystemInfo%s/FontDescriptor %v/DW 1000/W[%s]>>",
		name, systemInfo, descriptor, f.widths(glyphs)))
	add := func(key, encoding, unicode string) {
		ref, table := w.Reserve(), w.Reserve()
		w.Stream(table, "", []byte(unicode))
		w.Object(ref, fmt.Sprintf("<</Type/Font/Subtype/Type0/BaseFont%s/Encoding%s/DescendantFonts[%v]/ToUnicode %v>>", name, encoding, descendant, table))
		resources += fmt.Sprintf("/%s %v", key, ref)
	}
	encoding := w.Reserve()
	title, table := f.encoding()
	w.Stream(encoding, "/Type/CMap/CMapName/"+title+"/CIDSystemInfo"+systemInfo, []byte(table))
	add(f.Name(false), " "+encoding.String(), f.toUnicode(codeSpace, f.codes.list()))
	if f.codes.wide {
		var all []coded
		for _, g := range glyphs {
			if f.codes.of[g] == noCode {
				all = append(all, coded{g, g})
			}
		}
		add(f.Name(true), "/Identity-H", f.toUnicode("1 begincodespacerange<0000><FFFF>endcodespacerange\n", all))
	}
	return resources, nil
}

// Name returns the resource name of the font, or of the second one with glyph numbers as codes.
func (f *Face) Name(wide bool) string {
	if wide {
		return "W" + strconv.Itoa(f.index)
	}
	return "F" + strconv.Itoa(f.index)
}

// tag returns the six-letter tag of a subset.
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

// widths lists the advances of glyphs; consecutive glyphs share an array.
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

// toUnicode returns the table that maps codes to text.
func (f *Face) toUnicode(space string, all []coded) string {
	var entries []string
	for _, c := range all {
		if f.texts[c.glyph] == "" {
			continue
		}
		code := c.hex()
		if f.codes.of[c.glyph] == noCode {
			code = fmt.Sprintf("<%04X>", c.code)
		}
		text := ""
		for _, unit := range utf16.Encode([]rune(f.texts[c.glyph])) {
			text += fmt.Sprintf("%04X", unit)
		}
		entries = append(entries, code+"<"+text+">")
	}
	return cmap("/CIDSystemInfo<</Registry(Adobe)/Ordering(UCS)/Supplement 0>>def/CMapName/Adobe-Identity-UCS def/CMapType 2 def "+space, "bfchar", entries)
}
