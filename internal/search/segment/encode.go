package segment

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"
)

// FormatVersion is the version of the bytes that Append writes. It rises
// with each change of them.
const FormatVersion = 6

// Append appends the segment to dst in the form that Decode reads.
func (s *Segment) Append(dst []byte) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s.docs)))
	for i := range s.docs {
		d := &s.docs[i]
		dst = appendText(appendText(appendText(dst, d.ID), d.Title), d.Slug)
		dst = binary.AppendVarint(dst, d.Updated)
		for _, n := range s.FieldLength(uint32(i)) {
			dst = binary.AppendUvarint(dst, uint64(n))
		}
		dst = binary.AppendUvarint(dst, uint64(d.layout))
		dst = binary.AppendUvarint(dst, uint64(d.chunk))
		dst = append(dst, byte(d.stemmer)<<1)
		if d.News {
			dst[len(dst)-1]++
		}
	}
	dst = appendBytes(dst, s.layouts)
	dst = s.appendBlocks(dst)
	dst = binary.AppendUvarint(dst, uint64(len(s.tags)))
	for _, tag := range slices.Sorted(maps.Keys(s.tags)) {
		dst = appendText(dst, tag)
		dst = appendEnds(dst, s.tags[tag])
	}
	dst = s.appendOrigins(dst)
	dst = appendBytes(dst, s.terms.text)
	dst = appendEnds(dst, s.terms.ends)
	dst = s.appendStems(dst)
	for _, df := range s.df {
		dst = binary.AppendUvarint(dst, uint64(df))
	}
	dst = appendEnds(dst, s.ends)
	return appendBytes(dst, s.postings)
}

func appendBytes(dst, b []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(b))), b...)
}

// appendBlocks appends all blocks of text as one.
func (s *Segment) appendBlocks(dst []byte) []byte {
	size, ends := uint64(0), make([]uint64, 0, s.chunks())
	for _, p := range s.blocks {
		for _, end := range p.ends {
			ends = append(ends, size+end)
		}
		size += uint64(len(p.bytes))
	}
	dst = binary.AppendUvarint(dst, size)
	for _, p := range s.blocks {
		dst = append(dst, p.bytes...)
	}
	return appendEnds(dst, ends)
}

// appendEnds appends rising numbers.
func appendEnds[N uint32 | uint64](dst []byte, ends []N) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(ends)))
	last := N(0)
	for _, end := range ends {
		dst = binary.AppendUvarint(dst, uint64(end-last))
		last = end
	}
	return dst
}

func readEnds[N uint32 | uint64](r *reader) []N {
	ends := make([]N, r.count(1))
	last := uint64(0)
	for i := range ends {
		last += r.uvarint()
		ends[i] = N(last)
		r.bad = r.bad || uint64(ends[i]) != last
	}
	return ends
}

// ErrDamaged is returned if bytes were not written by Append.
var ErrDamaged = errors.New("the segment is damaged")

// Decode decodes a segment from the bytes that Append wrote. The segment
// keeps using them, so they must not be changed. For any bytes, a result
// without an error can be searched safely.
func Decode(b []byte) (*Segment, error) {
	r := reader{rest: b}
	s := &Segment{docs: make([]Info, r.count(5+int(Fields))), tags: make(map[string][]uint32)}
	s.long, s.body = make([]shortLengths, len(s.docs)), make([]uint32, len(s.docs))
	for i := range s.docs {
		d := &s.docs[i]
		d.ID, d.Title, d.Slug = r.text(), r.text(), r.text()
		updated := r.uvarint()
		d.Updated = int64(updated>>1) ^ -int64(updated&1)
		var lengths Lengths
		for f := range lengths {
			lengths[f] = r.uint32()
		}
		s.long[i], s.body[i] = shorten(&lengths), lengths[Body]
		d.layout, d.chunk = r.uint32(), r.uint32()
		kind := r.uint32()
		d.News, d.stemmer = kind&1 == 1, r.stemmer(kind>>1)
	}
	s.layouts = r.bytes(r.uvarint())
	s.blocks = []textBlock{{bytes: r.bytes(r.uvarint()), ends: readEnds[uint64](&r), piece: true}}
	for n := r.count(2); n > 0; n-- {
		tag := r.text()
		s.tags[tag] = readEnds[uint32](&r)
	}
	s.decodeOrigins(&r)
	s.terms.text = r.bytes(r.uvarint())
	s.terms.ends = readEnds[uint32](&r)
	s.df = make([]uint32, len(s.terms.ends))
	s.decodeStems(&r)
	for i := range s.df {
		s.df[i] = r.uint32()
	}
	s.ends = readEnds[uint64](&r)
	s.postings = r.bytes(r.uvarint())
	if r.bad || len(r.rest) > 0 || !s.sound() {
		return nil, ErrDamaged
	}
	s.derive()
	return s, nil
}
