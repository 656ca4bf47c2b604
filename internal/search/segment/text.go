package segment

import (
	"fmt"

	"github.com/klauspost/compress/s2"
)

// Text reads pieces of the text of one document. It keeps what it has
// decompressed, for the pieces of a section lie close together.
type Text struct {
	segment *Segment
	doc     uint32
	chunk   int // the decompressed one, or -1
	raw     []byte
}

// Open makes the reader one of another document. It keeps its memory, which is
// most of what a reader costs.
func (t *Text) Open(s *Segment, doc uint32) { t.segment, t.doc, t.chunk = s, doc, -1 }

// Close lets go of the segment.
func (t *Text) Close() { t.segment, t.chunk = nil, -1 }

// Names returns the anchor and the heading of a section.
func (t *Text) Names(s *SectionLayout) (anchor, heading string, err error) {
	names, err := t.read(s.names)
	if err != nil || uint64(s.anchor) > uint64(len(names)) {
		return "", "", err
	}
	return names[:s.anchor], names[s.anchor:], nil
}

// Passage returns the text of a passage.
func (t *Text) Passage(p *Passage) (string, error) { return t.read(p.text) }

func (t *Text) read(at stretch) (string, error) {
	if at.from == at.to {
		return "", nil
	}
	s := t.segment
	chunk := int(s.docs[t.doc].chunk) + int(at.chunk)
	if chunk != t.chunk {
		t.chunk = -1
		packed, found := s.packed(chunk)
		if !found {
			return "", fmt.Errorf("text of document %s: there is no chunk %d", s.docs[t.doc].ID, chunk)
		}
		n, err := s2.DecodedLen(packed)
		if err == nil && n > maxChunk {
			err = ErrDamaged
		}
		raw := t.raw
		if err == nil {
			raw, err = s2.Decode(t.raw[:cap(t.raw)], packed)
		}
		if err != nil {
			return "", fmt.Errorf("text of document %s: %w", s.docs[t.doc].ID, err)
		}
		t.raw, t.chunk = raw, chunk
	}
	if at.from > at.to || uint64(at.to) > uint64(len(t.raw)) {
		return "", fmt.Errorf("text of document %s ends before byte %d", s.docs[t.doc].ID, at.to)
	}
	return string(t.raw[at.from:at.to]), nil
}
