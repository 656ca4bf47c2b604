// Package rewrite changes the text of pages by places of its bytes, so that all else
// stays as it is: where links lead and the levels of headings.
//
// It knows no store. names.go finds out which page a link means, before a change of
// pages and after it; links.go writes addresses; text.go puts texts together.
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

// Text is the content of a page, and what stands where in it.
type Text struct {
	Content  string // with line feeds alone; see Restore
	Format   markdown.Format
	Doc      *document.Document
	Headings []Heading // in their order

	raw string // Content as its author wrote it
}

// Heading is a heading and where it starts.
type Heading struct {
	*document.Heading
	At  int
	Top bool // it stands in no list, quotation, component or element
}

// Read finds out what stands where in a text.
func Read(content string, format markdown.Format) *Text {
	o := format.Options()
	o.Places = true
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

// Restore gives content, which was made of the text, the bytes that the text had. Where
// no line came or went, a line that is as it was keeps every byte, and another one its
// line end and byte order mark. Else the line ends are those of the text.
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

// LineStart returns where the line starts that holds a place.
func (t *Text) LineStart(at int) int { return strings.LastIndexByte(t.Content[:at], '\n') + 1 }

// lineEnd returns where the line ends that holds a place.
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

// Piece is a part of a text, with what is changed in it, or a text of its own.
type Piece struct {
	*Text
	From, To int
	Edits    []Edit
	Literal  string
}

// Whole is all of a text.
func (t *Text) Whole() Piece { return Piece{Text: t, To: len(t.Content)} }

// Join puts pieces together, with further edits that more returns for each; nil is for
// none. Of edits that overlap the first counts.
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

// HeadingsIn returns the headings of a text that start between two places.
func (t *Text) HeadingsIn(from, to int) (in []Heading) {
	for _, h := range t.Headings {
		if from <= h.At && h.At < to {
			in = append(in, h)
		}
	}
	return in
}

// HeadingEnd returns where the line behind a heading starts.
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

// Shift returns what moves headings by some levels, to 6 at the most.
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

// shiftUnderlined gives a heading with a line below it another level, in the other form,
// which has all its text on one line.
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

// has reports whether a part of a text has a place.
func (p Piece) has(at document.Pos) bool { return p.From <= int(at) && int(at) < p.To }

// whole is all that a place has to do with, such as a definition, as a piece.
func (t *Text) whole(p document.Place) Piece {
	written := strings.TrimRight(t.Content[p.Start:p.End], " \t\n")
	return Piece{Text: t, From: int(p.Start), To: int(p.Start) + len(written)}
}

// Modules returns the imports and exports of MDX within a part of a text, or outside of it.
func (t *Text) Modules(part Piece, within bool) (modules []Piece) {
	for _, p := range t.Doc.Places {
		if p.Kind == document.ModulePlace && part.has(p.Start) == within {
			modules = append(modules, t.whole(p))
		}
	}
	return modules
}

// placesIn returns the places of a text between two bytes.
func (t *Text) placesIn(from, to int) []document.Place {
	places := t.Doc.Places
	first := sort.Search(len(places), func(i int) bool { return int(places[i].From) >= from })
	last := sort.Search(len(places), func(i int) bool { return int(places[i].From) > to })
	return places[first:last]
}

// Definitions returns the link definitions and footnotes outside of some parts of a text,
// as pieces; none where those refer to none. Some may not be needed, and do no harm.
func (t *Text) Definitions(parts ...Piece) (definitions []Piece) {
	inside := func(at document.Pos) bool {
		return slices.ContainsFunc(parts, func(part Piece) bool { return part.has(at) })
	}
	used := false
	for _, p := range t.Doc.Places {
		switch p.Kind {
		case document.UsePlace, document.NotePlace:
			used = used || inside(p.From)
		case document.DefinitionPlace, document.NotedPlace:
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

// Shared returns a label that two texts define both; "" where there is none.
func (t *Text) Shared(other *Text) string {
	type label struct {
		kind document.PlaceKind
		name string
	}
	theirs := map[label]bool{}
	for _, p := range other.Doc.Places {
		theirs[label{p.Kind, p.Label}] = true
	}
	for _, p := range t.Doc.Places {
		if !theirs[label{p.Kind, p.Label}] {
			continue
		}
		switch p.Kind {
		case document.DefinitionPlace:
			return "[" + p.Label + "]"
		case document.NotedPlace:
			return "[^" + p.Label + "]"
		}
	}
	return ""
}
