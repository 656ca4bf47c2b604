package document

import (
	"sort"
	"strings"
)

// inlineSource is the text of a block, with its positions in the source.
type inlineSource struct {
	text  string
	pos   Pos     // of its start
	lines []joint // discontinuities, sorted
}

// joint maps an offset in a text to the position at which the source continues.
type joint struct {
	offset int
	pos    Pos
}

// plainSource is a text that is contiguous in the source.
func plainSource(s string, pos Pos) inlineSource { return inlineSource{text: s, pos: pos} }

// at returns the source position of an offset in the text.
func (s *inlineSource) at(offset int) Pos {
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i].offset > offset })
	if i == 0 {
		return s.pos + Pos(offset)
	}
	j := s.lines[i-1]
	return j.pos + Pos(offset-j.offset)
}

func (s inlineSource) from(offset int) inlineSource {
	rest := inlineSource{text: s.text[offset:], pos: s.at(offset)}
	for _, j := range s.lines {
		if j.offset > offset {
			rest.lines = append(rest.lines, joint{j.offset - offset, j.pos})
		}
	}
	return rest
}

// sourceOf returns the text of a block. Contiguous lines are not copied.
func (p *parser) sourceOf(b *block) inlineSource {
	segments := p.segments[b.from:b.to]
	if len(segments) == 0 {
		return inlineSource{pos: Pos(b.pos)}
	}
	first, last := segments[0], segments[len(segments)-1]
	together := true
	for i, s := range segments {
		together = together && s.padding == 0 && (i == 0 || segments[i-1].end == s.start)
	}
	if together {
		return plainSource(p.source[first.start:last.end], Pos(first.start))
	}
	var text strings.Builder
	text.Grow(last.end - first.start)
	joined := inlineSource{pos: Pos(first.start), lines: make([]joint, 0, len(segments))}
	for _, s := range segments {
		joined.lines = append(joined.lines, joint{text.Len() + s.padding, Pos(s.start)})
		for range s.padding {
			text.WriteByte(' ')
		}
		text.WriteString(p.source[s.start:s.end])
	}
	joined.text = text.String()
	return joined
}
