package font

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-text/typesetting/font/opentype"
)

// headLength is the length of the table "head".
const headLength = 54

type table struct {
	tag  string
	data []byte
}

// subset returns the font with only the used glyphs; their numbers stay. Others are empty, and
// those after the last are omitted.
func (f *Face) subset() ([]byte, error) {
	raw := map[string][]byte{}
	for _, tag := range []string{"head", "hhea", "hmtx", "maxp", "loca", "glyf", "cvt ", "fpgm", "prep"} {
		t := opentype.MustNewTag(tag)
		if !f.loader.HasTable(t) {
			continue
		}
		data, err := f.loader.RawTable(t)
		if err != nil {
			return nil, fmt.Errorf("table %q: %w", tag, err)
		}
		raw[tag] = slices.Clone(data)
	}
	if len(raw["head"]) < headLength || len(raw["hhea"]) < 36 || len(raw["maxp"]) < 6 || len(raw["glyf"]) == 0 {
		return nil, errors.New("a table is missing or too short")
	}
	g := glyphs{loca: raw["loca"], glyf: raw["glyf"], long: raw["head"][51] != 0}
	keep := slices.Clone(f.used)
	for id := range keep {
		if keep[id] {
			g.close(id, keep, 0)
		}
	}
	last := len(keep) - 1
	for last > 0 && !keep[last] {
		last--
	}
	keep = keep[:last+1]

	var glyf []byte
	loca := make([]byte, 0, 4*(len(keep)+1))
	for id, kept := range keep {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if kept {
			glyf = append(glyf, g.outline(id)...)
			for len(glyf)%4 != 0 {
				glyf = append(glyf, 0)
			}
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	raw["head"][51] = 1 // long offsets
	raw["glyf"], raw["loca"] = glyf, loca
	binary.BigEndian.PutUint16(raw["maxp"][4:], uint16(len(keep)))
	raw["hmtx"] = f.metrics(raw["hhea"], raw["hmtx"], keep)
	binary.BigEndian.PutUint16(raw["hhea"][34:], uint16(len(keep)))

	var tables []table
	for tag, data := range raw {
		tables = append(tables, table{tag, data})
	}
	return fontFile(tables), nil
}

// metrics returns the table of advances and bearings, zero for unused glyphs.
func (f *Face) metrics(hhea, hmtx []byte, keep []bool) []byte {
	long := int(binary.BigEndian.Uint16(hhea[34:])) // glyphs with an advance of their own
	out := make([]byte, 4*len(keep))
	for id, kept := range keep {
		if !kept || long == 0 {
			continue
		}
		advance, bearing := 4*id, 4*id+2
		if id >= long {
			advance, bearing = 4*(long-1), 4*long+2*(id-long)
		}
		if bearing+2 <= len(hmtx) {
			copy(out[4*id:], hmtx[advance:advance+2])
			copy(out[4*id+2:], hmtx[bearing:bearing+2])
		}
	}
	return out
}

// glyphs reads TrueType outlines.
type glyphs struct {
	loca, glyf []byte
	long       bool
}

// outline returns the data of a glyph, nil if it is empty or out of range.
func (g glyphs) outline(id int) []byte {
	from, to := g.offset(id), g.offset(id+1)
	if from < 0 || to > len(g.glyf) || from >= to {
		return nil
	}
	return g.glyf[from:to]
}

func (g glyphs) offset(id int) int {
	if g.long {
		if 4*id+4 > len(g.loca) {
			return -1
		}
		return int(binary.BigEndian.Uint32(g.loca[4*id:]))
	}
	if 2*id+2 > len(g.loca) {
		return -1
	}
	return 2 * int(binary.BigEndian.Uint16(g.loca[2*id:]))
}

// The flags of a component in a composite glyph.
const (
	wordArguments  = 0x0001
	oneScale       = 0x0008
	moreParts      = 0x0020
	twoScales      = 0x0040
	fourScales     = 0x0080
	maxParts       = 64 // nesting of composite glyphs
	compositeStart = 10
)

// close marks the components of a glyph as used.
func (g glyphs) close(id int, keep []bool, depth int) {
	outline := g.outline(id)
	if len(outline) < compositeStart || outline[0]&0x80 == 0 || depth > maxParts {
		return
	}
	for at, more := compositeStart, true; more && at+4 <= len(outline); {
		flags := binary.BigEndian.Uint16(outline[at:])
		part := int(binary.BigEndian.Uint16(outline[at+2:]))
		if part < len(keep) && !keep[part] {
			keep[part] = true
			g.close(part, keep, depth+1)
		}
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&oneScale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&fourScales != 0:
			at += 8
		}
		more = flags&moreParts != 0
	}
}

// fontFile assembles tables.
func fontFile(tables []table) []byte {
	slices.SortFunc(tables, func(a, b table) int { return strings.Compare(a.tag, b.tag) })
	power := 1
	log := 0
	for power*2 <= len(tables) {
		power, log = power*2, log+1
	}
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, v := range []int{len(tables), power * 16, log, (len(tables) - power) * 16} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	offset, head := 12+16*len(tables), 0
	for _, t := range tables {
		if t.tag == "head" {
			head = offset
			clear(t.data[8:12]) // the file's checksum is not yet known
		}
		out = append(out, t.tag...)
		out = binary.BigEndian.AppendUint32(out, sum(t.data))
		out = binary.BigEndian.AppendUint32(out, uint32(offset))
		out = binary.BigEndian.AppendUint32(out, uint32(len(t.data)))
		offset += (len(t.data) + 3) &^ 3
	}
	for _, t := range tables {
		out = append(out, t.data...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	if head > 0 {
		binary.BigEndian.PutUint32(out[head+8:], 0xb1b0afba-sum(out))
	}
	return out
}

// sum returns the checksum of a table.
func sum(data []byte) uint32 {
	var total uint32
	for len(data) >= 4 {
		total += binary.BigEndian.Uint32(data)
		data = data[4:]
	}
	var last [4]byte
	copy(last[:], data)
	return total + binary.BigEndian.Uint32(last[:])
}
