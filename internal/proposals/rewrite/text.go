// Package rewrite changes the text of pages by places of its bytes, so that all else
// stays as it is: where links lead, the levels of headings, the labels of footnotes.
//
// It knows no store. names.go finds out which page a link means, before a change of
// pages and after it; links.go writes addresses; text.go puts texts together.
package rewrite

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
)

// Text is the content of a page, and what stands where in it.
type Text struct {
	Content  string
	MDX      bool
	Doc      *document.Document
	Places   []Place   // in their order, as are
	Headings []Heading // these

	at func(document.Pos) int // where a place of Doc is in Content
}

// Place is one of a document's, with bytes of the content.
type Place struct {
	document.Place
	From, To, Start, End int
}

// Heading is a heading and where it starts.
type Heading struct {
	*document.Heading
	At  int
	Top bool // it stands in no list, quotation, component or element
}

// Read finds out what stands where in a text.
func Read(content string, mdx bool) *Text {
	d := document.Parse(content, document.Options{MDX: mdx, Places: true})
	t := &Text{Content: content, MDX: mdx, Doc: d}
	t.at = offsets(content)
	at := t.at
	for _, p := range d.Places {
		t.Places = append(t.Places, Place{p, at(p.From), at(p.To), at(p.Start), at(p.End)})
	}
	top := map[document.Node]bool{}
	for _, b := range d.Blocks {
		top[b] = true
	}
	d.Walk(func(n document.Node) bool {
		if h, ok := n.(*document.Heading); ok {
			t.Headings = append(t.Headings, Heading{h, at(h.Pos()), top[n]})
		}
		return true
	})
	slices.SortStableFunc(t.Headings, func(a, b Heading) int { return cmp.Compare(a.At, b.At) })
	return t
}

// LineStart returns where the line starts that holds a place.
func (t *Text) LineStart(at int) int { return strings.LastIndexAny(t.Content[:at], "\r\n") + 1 }

// lineEnd returns where the line ends that holds a place.
func (t *Text) lineEnd(at int) int {
	if end := strings.IndexAny(t.Content[at:], "\r\n"); end >= 0 {
		return at + end
	}
	return len(t.Content)
}

// Newline is what ends the lines of the text.
func (t *Text) Newline() string {
	if strings.Contains(t.Content, "\r\n") {
		return "\r\n"
	}
	return "\n"
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
		return end + next + len(t.Content[end+next:]) - len(strings.TrimLeft(t.Content[end+next:], "\r\n"))
	}
	return len(t.Content)
}

// NamedIn returns the anchors between two places that are of no heading.
func (t *Text) NamedIn(from, to int) (names []string) {
	t.Doc.Walk(func(n document.Node) bool {
		var a document.Attributes
		switch n := n.(type) {
		case *document.Element:
			a = n.Attributes
		case *document.Span:
			a = n.Attributes
		case *document.Link:
			a = n.Attributes
		}
		if len(a) > 0 && from <= t.at(n.Pos()) && t.at(n.Pos()) < to {
			if name := a.String("id", "name"); name != "" {
				names = append(names, name)
			}
		}
		return true
	})
	return names
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
		next := end + len(t.Content[end:]) - len(strings.TrimLeft(t.Content[end:], "\r\n \t>"))
		line := t.Content[next:t.lineEnd(next)]
		if strings.Trim(line, "=- \t") == "" {
			return append(edits, Edit{end, next + len(line), ""})
		}
		edits = append(edits, Edit{end, next, " "})
		at = next
	}
}

// Modules returns the imports and exports of MDX within a part of a text, or outside of it.
func (t *Text) Modules(part Piece, within bool) (modules []Piece) {
	for _, p := range t.Places {
		if p.Kind == document.ModulePlace && (part.From <= p.Start && p.Start < part.To) == within {
			modules = append(modules, Piece{Text: t, From: p.Start, To: p.End})
		}
	}
	return modules
}

// placesIn returns the places of a text between two bytes.
func (t *Text) placesIn(from, to int) []Place {
	first := sort.Search(len(t.Places), func(i int) bool { return t.Places[i].From >= from })
	last := sort.Search(len(t.Places), func(i int) bool { return t.Places[i].From > to })
	return t.Places[first:last]
}

// Definitions returns the link definitions and footnotes that parts of a text need from
// outside of them, in their order, as pieces.
func (t *Text) Definitions(parts ...Piece) (needed []Piece) {
	first, inside := map[string]Place{}, map[string]bool{}
	for _, p := range t.Places {
		if key := definedAs(p); key != "" {
			if _, twice := first[key]; !twice {
				first[key] = p
				inside[key] = slices.ContainsFunc(parts, func(part Piece) bool { return part.From <= p.Start && p.Start < part.To })
			}
		}
	}
	for i := 0; i < len(parts); i++ { // definitions may need others
		for _, p := range t.placesIn(parts[i].From, parts[i].To) {
			key := usedAs(p)
			d, defined := first[key]
			if !defined || inside[key] || p.To > parts[i].To {
				continue
			}
			inside[key] = true
			piece := Piece{Text: t, From: d.Start, To: d.Start + len(strings.TrimRight(t.Content[d.Start:d.End], " \t\r\n"))}
			needed, parts = append(needed, piece), append(parts, piece)
		}
	}
	slices.SortFunc(needed, func(a, b Piece) int { return cmp.Compare(a.From, b.From) })
	return needed
}

// definedAs names what a place defines, usedAs what it refers to; "" for nothing.
func definedAs(p Place) string {
	switch p.Kind {
	case document.DefinitionPlace:
		return "[" + p.Label
	case document.NotedPlace:
		return "^" + p.Label
	}
	return ""
}

func usedAs(p Place) string {
	switch p.Kind {
	case document.UsePlace:
		return "[" + p.Label
	case document.NotePlace:
		return "^" + p.Label
	}
	return ""
}

// Unlike returns what keeps the labels of a text, and the anchors that its author gave,
// from meaning those of another one that stands before it.
func (t *Text) Unlike(other *Text) (edits []Edit) {
	theirs, own := other.defined(), t.defined()
	names := map[string]string{}
	fresh := func(key string) string {
		for n := 2; names[key] == ""; n++ {
			if name := key + "-" + strconv.Itoa(n); !theirs[name] && !own[name] {
				names[key] = name
			}
		}
		return names[key][1:]
	}
	for _, p := range t.Places {
		key := cmp.Or(usedAs(p), definedAs(p))
		if !theirs[key] || !own[key] {
			continue
		}
		name := fresh(key)
		switch p.Kind {
		case document.UsePlace:
			edits = append(edits, Edit{p.From, p.To, "[" + name + "]"})
		case document.DefinitionPlace:
			label, _, _ := strings.Cut(t.Content[p.Start+1:], "]:")
			edits = append(edits, Edit{p.Start + 1, p.Start + 1 + len(label), name})
		default:
			edits = append(edits, Edit{p.From, p.To, name})
		}
	}
	for _, h := range t.Headings {
		line, _, _ := strings.Cut(t.Content[h.At:], "\n")
		at := strings.LastIndex(line, "#"+h.Anchor) + 1
		given := at > 0 && strings.LastIndex(line[:at], "{") > strings.LastIndex(line[:at], "}")
		if key := "#" + h.Anchor; given && theirs[key] {
			edits = append(edits, Edit{h.At + at, h.At + at + len(h.Anchor), fresh(key)})
		}
	}
	return edits
}

// defined returns what a text defines, with its anchors.
func (t *Text) defined() map[string]bool {
	all := map[string]bool{}
	for _, p := range t.Places {
		if key := definedAs(p); key != "" {
			all[key] = true
		}
	}
	for _, h := range t.Headings {
		all["#"+h.Anchor] = true
	}
	return all
}
