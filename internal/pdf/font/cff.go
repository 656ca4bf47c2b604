package font

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/go-text/typesetting/font/opentype"
)

// The operators of CFF dictionaries that are read or written here; those of two
// bytes have 12 in front, as in Adobe's Technical Note 5176.
const (
	opFontBBox    = 5
	opCharset     = 15
	opCharStrings = 17
	opPrivate     = 18
	opSubrs       = 19
	opFontMatrix  = 12<<8 | 7
	opROS         = 12<<8 | 30
	opCIDCount    = 12<<8 | 34
	opFDArray     = 12<<8 | 36
	opFDSelect    = 12<<8 | 37
)

// endchar is a charstring that draws nothing.
const endchar = 14

var errCFF = errors.New("not a CFF font, or a broken one")

// subsetCFF returns the CFF font with the charstrings that were used. It is
// keyed by CIDs that are the numbers of its glyphs, whatever it was before.
func (f *Face) subsetCFF() ([]byte, error) {
	data, err := f.loader.RawTable(opentype.MustNewTag("CFF "))
	if err != nil {
		return nil, fmt.Errorf("table CFF: %w", err)
	}
	font, err := readCFF(data)
	if err != nil {
		return nil, err
	}
	font.dropSubrs(f.used)
	for id := range font.charstrings {
		if id >= len(f.used) || !f.used[id] {
			font.charstrings[id] = []byte{endchar}
			if id > 0 {
				font.selected[id] = font.selected[id-1] // joins its neighbour's range
			}
		}
	}
	return font.bytes(f.name), nil
}

// cffFont is a CFF font as far as a subset needs it.
type cffFont struct {
	globals     [][]byte
	charstrings [][]byte
	selected    []byte // by glyph, which of dicts it uses
	dicts       []cffDict
	matrix, box []byte // operands as they were
}

// cffDict is a Font DICT: its matrix, and its Private DICT with subroutines.
type cffDict struct {
	matrix, private []byte
	subrs           [][]byte
}

// readCFF reads a font, keyed by name or CID.
func readCFF(data []byte) (*cffFont, error) {
	if len(data) < 4 || data[0] != 1 || int(data[2]) > len(data) {
		return nil, errCFF
	}
	_, rest, err := readIndex(data[data[2]:]) // names
	if err != nil {
		return nil, err
	}
	tops, rest, err := readIndex(rest)
	if err != nil {
		return nil, err
	}
	_, rest, err = readIndex(rest) // strings
	if err != nil {
		return nil, err
	}
	font := &cffFont{}
	if font.globals, _, err = readIndex(rest); err != nil || len(tops) != 1 {
		return nil, errCFF
	}
	top, err := readDict(tops[0])
	if err != nil {
		return nil, err
	}
	font.matrix, font.box = top.raw(opFontMatrix), top.raw(opFontBBox)
	if font.charstrings, err = indexAt(data, top.number(opCharStrings, 0)); err != nil {
		return nil, err
	}
	font.selected = make([]byte, len(font.charstrings))
	if top.raw(opROS) == nil {
		private, err := readPrivate(data, top)
		font.dicts = []cffDict{private}
		return font, err
	}
	dicts, err := indexAt(data, top.number(opFDArray, 0))
	if err != nil {
		return nil, err
	}
	for _, d := range dicts {
		parsed, err := readDict(d)
		if err != nil {
			return nil, err
		}
		private, err := readPrivate(data, parsed)
		if err != nil {
			return nil, err
		}
		private.matrix = parsed.raw(opFontMatrix)
		font.dicts = append(font.dicts, private)
	}
	return font, font.readSelect(data, top.number(opFDSelect, 0))
}

// readPrivate reads the Private DICT to which a dictionary points.
func readPrivate(data []byte, d dict) (cffDict, error) {
	size, offset := d.number(opPrivate, 0), d.number(opPrivate, 1)
	if size < 0 || offset < 0 || offset+size > len(data) {
		return cffDict{}, errCFF
	}
	private := data[offset : offset+size]
	parsed, err := readDict(private)
	if err != nil {
		return cffDict{}, err
	}
	out := cffDict{private: parsed.without(opSubrs)}
	if at := parsed.number(opSubrs, 0); at > 0 {
		out.subrs, err = indexAt(data, offset+at)
	}
	return out, err
}

// readSelect reads which dictionary each glyph uses.
func (c *cffFont) readSelect(data []byte, at int) error {
	if at <= 0 || at >= len(data) {
		return errCFF
	}
	table, glyphs := data[at:], len(c.selected)
	switch {
	case table[0] == 0 && len(table) > glyphs:
		copy(c.selected, table[1:])
	case table[0] == 3 && len(table) >= 5:
		ranges := int(binary.BigEndian.Uint16(table[1:]))
		if len(table) < 5+3*ranges {
			return errCFF
		}
		for i := range ranges {
			r := table[3+3*i:]
			first, next := int(binary.BigEndian.Uint16(r)), int(binary.BigEndian.Uint16(r[3:]))
			for g := first; g < min(next, glyphs); g++ {
				c.selected[g] = r[2]
			}
		}
	default:
		return errCFF
	}
	return nil
}

// bytes writes the font.
func (c *cffFont) bytes(name string) []byte {
	names := appendIndex(nil, [][]byte{[]byte(name)})
	strings := appendIndex(nil, [][]byte{[]byte("Adobe"), []byte("Identity")})
	globals := appendIndex(nil, c.globals)
	charstrings := appendIndex(nil, c.charstrings)
	charset := c.charset()
	chosen := c.choices()

	top := func(charsetAt, selectAt, charstringsAt, dictsAt int) []byte {
		const firstString = 391 // after those that every font has
		d := appendOp(nil, opROS, firstString, firstString+1, 0)
		if c.matrix != nil {
			d = appendRaw(d, c.matrix, opFontMatrix)
		}
		if c.box != nil {
			d = appendRaw(d, c.box, opFontBBox)
		}
		d = appendOp(d, opCIDCount, len(c.charstrings))
		d = appendOp(d, opCharset, charsetAt)
		d = appendOp(d, opFDSelect, selectAt)
		d = appendOp(d, opCharStrings, charstringsAt)
		return appendIndex(nil, [][]byte{appendOp(d, opFDArray, dictsAt)})
	}
	out := append([]byte{1, 0, 4, 4}, names...)
	charsetAt := len(out) + len(top(0, 0, 0, 0)) + len(strings) + len(globals)
	selectAt := charsetAt + len(charset)
	charstringsAt := selectAt + len(chosen)
	dictsAt := charstringsAt + len(charstrings)
	dicts := c.dictionaries(dictsAt)
	for _, part := range [][]byte{top(charsetAt, selectAt, charstringsAt, dictsAt), strings, globals, charset, chosen, charstrings, dicts} {
		out = append(out, part...)
	}
	return out
}

// charset gives each glyph its own number as CID.
func (c *cffFont) charset() []byte {
	if len(c.charstrings) < 2 {
		return []byte{0}
	}
	return binary.BigEndian.AppendUint16([]byte{2, 0, 1}, uint16(len(c.charstrings)-2))
}

// choices writes which dictionary each glyph uses, as ranges.
func (c *cffFont) choices() []byte {
	var ranges []byte
	count := 0
	for g, d := range c.selected {
		if g == 0 || c.selected[g-1] != d {
			ranges = append(ranges, byte(g>>8), byte(g), d)
			count++
		}
	}
	out := append([]byte{3, byte(count >> 8), byte(count)}, ranges...)
	return binary.BigEndian.AppendUint16(out, uint16(len(c.selected)))
}

// dictionaries writes the Font DICTs that start at an offset, and behind them
// what they point to.
func (c *cffFont) dictionaries(at int) []byte {
	build := func(offsets []int, sizes []int) []byte {
		var all [][]byte
		for i, d := range c.dicts {
			var one []byte
			if d.matrix != nil {
				one = appendRaw(one, d.matrix, opFontMatrix)
			}
			all = append(all, appendOp(one, opPrivate, sizes[i], offsets[i]))
		}
		return appendIndex(nil, all)
	}
	offsets, sizes := make([]int, len(c.dicts)), make([]int, len(c.dicts))
	next := at + len(build(offsets, sizes))
	var behind []byte
	for i, d := range c.dicts {
		private := d.private
		if len(d.subrs) > 0 {
			size := len(appendOp(nil, opSubrs, 0))
			private = appendOp(append([]byte(nil), private...), opSubrs, len(private)+size)
		}
		offsets[i], sizes[i] = next+len(behind), len(private)
		behind = append(behind, private...)
		if len(d.subrs) > 0 {
			behind = appendIndex(behind, d.subrs)
		}
	}
	return append(build(offsets, sizes), behind...)
}
