// Package rewrite changes the text of pages by byte positions, so that everything else
// stays unchanged: the targets of links and the levels of headings.
//
// It does not access a store. names.go resolves links to pages, before and after a
// change; links.go writes addresses; text.go assembles texts. Start with [Read].
package rewrite

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/merge"
)

// Text is the content of a page with its structure.
type Text struct {
	Content  string // only with line feeds; see Restore
	Format   markdown.Format
	Doc      *document.Document
	Headings []Heading // in order

	raw string // the original Content
}

// Heading is a heading and where it starts.
type Heading struct {
	*document.Heading
	At  int
	Top bool // it is not in a list, quotation, component or element
}

// Read parses the structure of a text.
func Read(content string, format markdown.Format) *Text {
	o := format.Options()
	o.Ranges = true
	d := document.Parse(content, o)
	t := &Text{Content: d.Source(), Format: format, Doc: d, raw: content}
	top := map[document.Node]bool{}
	for _, b := range d.Blocks {
		top[b] = true
	}
	d.Walk(func(n document.Node) bool {
		if h, ok := n.(*document.Heading); ok {
			t.Headings = append(t.Headings, Heading{h, int(h.Pos()), top[n]})
		}
		return true
	})
	slices.SortStableFunc(t.Headings, func(a, b Heading) int { return cmp.Compare(a.At, b.At) })
	return t
}

// Restore gives content, which was made from the text, the original bytes. If no line
// was added or removed, an unchanged line keeps every byte, and a changed one its line
// end and byte order mark. Otherwise the line ends are those of the text.
func (t *Text) Restore(content string) string {
	was, raw, lines := merge.Lines(t.Content), merge.Lines(t.raw), merge.Lines(content)
	if len(raw) != len(was) || len(lines) != len(was) {
		if strings.Contains(t.raw, "\r\n") {
			content = strings.ReplaceAll(content, "\n", "\r\n")
		}
		return content
	}
	for i, line := range lines {
		if line == was[i] {
			lines[i] = raw[i]
		} else if strings.HasSuffix(raw[i], "\r\n") {
			lines[i] = strings.TrimSuffix(line, "\n") + "\r\n"
		}
	}
	if mark := "\uFEFF"; strings.HasPrefix(t.raw, mark) && !strings.HasPrefix(lines[0], mark) {
		lines[0] = mark + lines[0]
	}
	return strings.Join(lines, "")
}

// LineStart returns the start of the line at a position.
func (t *Text) LineStart(at int) int { return strings.LastIndexByte(t.Content[:at], '\n') + 1 }

// lineEnd returns the end of the line at a position.
func (t *Text) lineEnd(at int) int {
	if end := strings.IndexByte(t.Content[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(t.Content)
}

// Edit replaces the bytes from From to To.
type Edit struct {
	From, To int
	Text     string
}

// Piece is a part of a text with its edits, or a text of its own.
type Piece struct {
	*Text
	From, To int
	Edits    []Edit
	Literal  string
}

// Whole is the whole text.
func (t *Text) Whole() Piece { return Piece{Text: t, To: len(t.Content)} }

// Join joins pieces, with further edits that more returns for each; nil
// means none. Of overlapping edits the first counts.
func Join(pieces []Piece, more func(Piece) []Edit) string {
	var out strings.Builder
	for _, p := range pieces {
		if p.Text == nil {
			out.WriteString(p.Literal)
			continue
		}
		edits := slices.Clone(p.Edits)
		if more != nil {
			edits = append(edits, more(p)...)
		}
		slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Compare(a.From, b.From) })
		at := p.From
		for _, e := range edits {
			if e.From >= at && e.To <= p.To {
				out.WriteString(p.Content[at:e.From] + e.Text)
				at = e.To
			}
		}
		out.WriteString(p.Content[at:p.To])
	}
	return out.String()
}

// HeadingsIn returns the headings that start in a range.
func (t *Text) HeadingsIn(from, to int) (in []Heading) {
	for _, h := range t.Headings {
		if from <= h.At && h.At < to {
			in = append(in, h)
		}
	}
	return in
}

// HeadingEnd returns the start of the line after a heading.
func (t *Text) HeadingEnd(h Heading) int {
	end := h.At
	if t.Content[end] != '#' {
		for _, e := range t.shiftUnderlined(h.At, 3) {
			end = e.To
		}
	}
	if next := strings.IndexByte(t.Content[end:], '\n'); next >= 0 {
		return end + next + len(t.Content[end+next:]) - len(strings.TrimLeft(t.Content[end+next:], "\n"))
	}
	return len(t.Content)
}

// Shift returns edits that move headings by some levels, at most to 6.
func (t *Text) Shift(headings []Heading, by int) (edits []Edit) {
	for _, h := range headings {
		level := min(max(h.Level+by, 1), 6)
		switch {
		case level == h.Level:
		case t.Content[h.At] == '#':
			edits = append(edits, Edit{h.At, h.At + h.Level, strings.Repeat("#", level)})
		default:
			edits = append(edits, t.shiftUnderlined(h.At, level)...)
		}
	}
	return edits
}

// shiftUnderlined changes the level of a heading with a line below it. It
// gets the other form, with all its text on one line.
func (t *Text) shiftUnderlined(at, level int) []Edit {
	edits := []Edit{{at, at, strings.Repeat("#", level) + " "}}
	for {
		end := t.lineEnd(at)
		next := end + len(t.Content[end:]) - len(strings.TrimLeft(t.Content[end:], "\n \t>"))
		line := t.Content[next:t.lineEnd(next)]
		if strings.Trim(line, "=- \t") == "" {
			return append(edits, Edit{end, next + len(line), ""})
		}
		edits = append(edits, Edit{end, next, " "})
		at = next
	}
}

// has reports whether a piece contains a position.
func (p Piece) has(at document.Pos) bool { return p.From <= int(at) && int(at) < p.To }

// whole is the complete element of a place, such as a definition, as a piece.
func (t *Text) whole(p document.Range) Piece {
	written := strings.TrimRight(t.Content[p.Start:p.End], " \t\n")
	return Piece{Text: t, From: int(p.Start), To: int(p.Start) + len(written)}
}

// Modules returns the imports and exports of MDX within or outside of a piece.
func (t *Text) Modules(part Piece, within bool) (modules []Piece) {
	for _, p := range t.Doc.Ranges {
		if p.Kind == document.ModuleRange && part.has(p.Start) == within {
			modules = append(modules, t.whole(p))
		}
	}
	return modules
}

// rangesIn returns the places of a text in a range.
func (t *Text) rangesIn(from, to int) []document.Range {
	ranges := t.Doc.Ranges
	first := sort.Search(len(ranges), func(i int) bool { return int(ranges[i].From) >= from })
	last := sort.Search(len(ranges), func(i int) bool { return int(ranges[i].From) > to })
	return ranges[first:last]
}

// Definitions returns the link definitions and footnotes outside of some pieces; none
// if the pieces do not refer to any. Some may be unnecessary, which does no harm.
func (t *Text) Definitions(parts ...Piece) (definitions []Piece) {
	inside := func(at document.Pos) bool {
		return slices.ContainsFunc(parts, func(part Piece) bool { return part.has(at) })
	}
	used := false
	for _, p := range t.Doc.Ranges {
		switch p.Kind {
		case document.ReferenceRange, document.FootnoteRefRange:
			used = used || inside(p.From)
		case document.DefinitionRange, document.FootnoteRange:
			if !inside(p.Start) {
				definitions = append(definitions, t.whole(p))
			}
		}
	}
	if !used {
		return nil
	}
	return definitions
}

// Shared returns a label that both texts define, or "".
func (t *Text) Shared(other *Text) string {
	type label struct {
		kind document.RangeKind
		name string
	}
	theirs := map[label]bool{}
	for _, p := range other.Doc.Ranges {
		theirs[label{p.Kind, p.Label}] = true
	}
	for _, p := range t.Doc.Ranges {
		if !theirs[label{p.Kind, p.Label}] {
			continue
		}
		switch p.Kind {
		case document.DefinitionRange:
			return "[" + p.Label + "]"
		case document.FootnoteRange:
			return "[^" + p.Label + "]"
		}
	}
	return ""
}
