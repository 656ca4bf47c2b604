package picture

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Letters sets the text of drawings. Without Set, text is left out.
type Letters struct {
	Fonts writer.Ref // the dictionary of the fonts that operators name

	// Set returns the operators that show a line of text, one unit high, from
	// the origin, and how wide it is.
	Set func(text string, look Look) (operators []byte, width float64)
}

// Look is how letters look.
type Look struct {
	Bold, Italic, Mono bool
	Color              [3]uint8
}

// passage is a part of a text that is set at once.
type passage struct {
	operators []byte
	text      string
	size      float64
	at        float64 // from the start of its part
	width     float64
	rise      float64 // against the direction of y
	opacity   float64
	look      Look
	under     bool // whether there is a line below it
}

// anchored is a part of a text that starts at a place of its own.
type anchored struct {
	x, y     float64
	anchor   string
	passages []passage
	width    float64
	wanted   float64 // how wide it is to be, 0 for as it is
	line     *line   // along which it runs, if it does not along the base line
}

// text draws a text.
func (d *drawing) text(e *element, s style) error {
	if d.letters.Set == nil {
		d.left["text"] = true
		return nil
	}
	if s.gone {
		return nil
	}
	w := &wording{drawing: d}
	w.inside(e, s)
	w.end()
	if len(w.parts) == 0 {
		return nil
	}
	d.raw("q\n")
	d.transform(s.transform)
	shown, err := d.enclose(s, nil)
	for i := range w.parts {
		if c := &w.parts[i]; shown && c.line == nil {
			d.part(c)
		} else if shown {
			d.along(c)
		}
	}
	d.raw("Q\n")
	return err
}

// part draws a part of a text.
func (d *drawing) part(c *anchored) {
	stretch := 1.0
	if c.wanted > 0 && c.width > 0 {
		stretch = min(max(c.wanted/c.width, 0.5), 2)
	}
	start := c.start(c.x, stretch)
	for _, p := range c.passages {
		d.raw("q\n")
		d.state(p.opacity, 1)
		d.matrix(p.size*stretch, 0, 0, -p.size, start+p.at*stretch, c.y-p.rise)
		d.out = append(d.out, p.operators...)
		if p.under {
			d.raw(rgba{float64(p.look.Color[0]) / 255, float64(p.look.Color[1]) / 255, float64(p.look.Color[2]) / 255, 0}.String() + " rg\n")
			d.numbers(0, -0.13, p.width/p.size, 0.06)
			d.raw("re\nf\n")
		}
		d.raw("Q\n")
	}
}

// start returns where a part that is anchored somewhere starts.
func (c *anchored) start(at, stretch float64) float64 {
	switch c.anchor {
	case "middle":
		return at - c.width*stretch/2
	case "end":
		return at - c.width*stretch
	}
	return at
}

// along draws a part of a text along a line: its letters one by one, as the line
// may be bent.
func (d *drawing) along(c *anchored) {
	start := c.start(c.x, 1)
	for _, p := range c.passages {
		at := start + p.at
		for _, letter := range p.text {
			operators, width := d.letters.Set(string(letter), p.look)
			width *= p.size
			if x, y, cos, sin, ok := c.line.at(at + width/2); ok && len(d.out)+d.written < maxDrawn {
				x, y = x-cos*width/2+sin*p.rise, y-sin*width/2-cos*p.rise
				d.raw("q\n")
				d.state(p.opacity, 1)
				d.matrix(p.size*cos, p.size*sin, p.size*sin, -p.size*cos, x, y)
				d.out = append(d.out, operators...)
				d.raw("Q\n")
			}
			at += width
		}
	}
}

// wording gathers the parts of a text.
type wording struct {
	*drawing
	parts []anchored
	now   anchored
	space bool // whether the text so far ends with a space
	xs    []string
	line  *line
}

// end ends a part.
func (w *wording) end() {
	if len(w.now.passages) > 0 {
		w.parts = append(w.parts, w.now)
	}
	w.now = anchored{x: w.now.x + w.now.width, y: w.now.y, line: w.line}
}

// inside sets what a text or a part of it holds.
func (w *wording) inside(e *element, s style) {
	list := func(name string) []string {
		return strings.FieldsFunc(e.attribute(name), func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' })
	}
	first := func(name string, of axis) (float64, bool) {
		if words := list(name); len(words) > 0 {
			return s.length(words[0], of), true
		}
		return 0, false
	}
	x, movedX := first("x", along)
	y, movedY := first("y", down)
	dx, _ := first("dx", along)
	dy, _ := first("dy", down)
	if movedX || movedY || dy != 0 || dx != 0 {
		w.end()
		if movedX {
			w.now.x = x
		}
		if movedY {
			w.now.y = y
		}
		w.now.x, w.now.y = w.now.x+dx, w.now.y+dy
		w.space = true
		if w.xs = list("x"); len(w.xs) < 2 {
			w.xs = nil
		}
	}
	if len(w.now.passages) == 0 {
		w.now.anchor = s.anchor
	}
	wanted := s.length(e.attribute("textLength"), along)
	if w.now.wanted == 0 {
		w.now.wanted = wanted
	}
	for _, c := range e.children {
		switch c.Name.Local {
		case "":
			if !s.hidden {
				w.wordsOf(c.text, s)
			}
		case "tspan", "a":
			if inner := w.styled(s, c); !inner.gone {
				w.inside(c, inner)
			}
		case "textPath":
			if inner := w.styled(s, c); !inner.gone {
				w.path(c, inner)
			}
		case "title", "desc":
		default:
			w.left[c.Name.Local] = true
		}
	}
	if wanted > 0 {
		w.end()
	}
}

// path sets text along a path.
func (w *wording) path(e *element, s style) {
	target := w.ids[strings.TrimPrefix(e.attribute("href"), "#")]
	if target == nil {
		w.left["textPath"] = true
		return
	}
	inner := w.styled(s, target)
	w.source += len(target.attribute("d"))
	outline := inner.outline(target)
	for t := range transformations(inner.transform) {
		outline = moved(outline, t)
	}
	line := newLine(outline)
	if line == nil {
		return
	}
	offset, unit := measure(e.attribute("startOffset"))
	if unit == "%" {
		offset *= line.length / 100
	}
	w.end()
	before := w.now
	w.line = line
	w.now, w.space = anchored{x: offset, line: line}, true
	w.inside(e, s)
	w.end()
	w.line, w.now = nil, anchored{x: before.x, y: before.y}
}

// wordsOf sets text of one style.
func (w *wording) wordsOf(text string, s style) {
	if !s.spaceIsKept {
		leading := w.space || len(w.now.passages) == 0
		joined := strings.Join(strings.Fields(text), " ")
		if !leading && text != "" && strings.TrimLeft(text[:1], " \n\t\r") == "" {
			joined = " " + joined
		}
		if joined != "" && joined != " " && strings.TrimRight(text[len(text)-1:], " \n\t\r") == "" {
			joined += " "
		}
		text = joined
	}
	if w.elements += len(text) / 16; text == "" || w.elements > maxElements || s.size <= 0 {
		return
	}
	if len(w.xs) > 0 { // places of their own for single letters
		for i, letter := range []rune(text) {
			if i > 0 && i < len(w.xs) {
				anchor := w.now.anchor
				w.end()
				w.now.x, w.now.anchor = s.length(w.xs[i], along), anchor
			}
			if i < len(w.xs) {
				w.set(string(letter), s)
				continue
			}
			w.set(string([]rune(text)[i:]), s)
			break
		}
		w.xs = nil
		return
	}
	w.set(text, s)
}

// set adds text to the part.
func (w *wording) set(text string, s style) {
	w.space = strings.HasSuffix(text, " ")
	fill, ok := w.paint(s.fill, s)
	if !ok || fill.pattern != nil {
		if fill, ok = w.paint(s.stroke, s); !ok || fill.pattern != nil { // letters of which only the edge is drawn
			return
		}
	}
	look := s.look
	look.Color = fill.color.bytes()
	operators, width := w.letters.Set(text, look)
	rise := 0.0
	switch cmp.Or(s.alignment, s.baseline) {
	case "middle", "central":
		rise = -0.32 * s.size
	case "hanging", "text-before-edge", "text-top":
		rise = -0.75 * s.size
	}
	w.now.passages = append(w.now.passages, passage{operators, text, s.size, w.now.width, width * s.size, rise, s.opacity * s.fillOpacity * fill.color.opacity(), look, s.underlined})
	w.now.width += width * s.size
}

// line is a path as straight pieces, along which text runs.
type line struct {
	points [][2]float64
	ends   []float64 // how long it is up to each point
	length float64
}

// newLine returns the line that a path draws, nil if it has no length.
func newLine(path []step) *line {
	var l line
	var start [2]float64
	to := func(p [2]float64) {
		if n := len(l.points); n > 0 {
			l.length += math.Hypot(p[0]-l.points[n-1][0], p[1]-l.points[n-1][1])
		}
		l.points, l.ends = append(l.points, p), append(l.ends, l.length)
	}
	for _, s := range moved(path, [6]float64{1, 0, 0, 1, 0, 1e-9}) { // which makes lines of rectangles
		switch s.op {
		case "m":
			start = [2]float64{s.at[0], s.at[1]}
			if len(l.points) == 0 {
				to(start)
				continue
			}
			l.points, l.ends = append(l.points, start), append(l.ends, l.length)
		case "l":
			to([2]float64{s.at[0], s.at[1]})
		case "h":
			if len(l.points) > 0 {
				to(start)
			}
		case "c":
			from := l.points[len(l.points)-1]
			const pieces = 16
			for i := 1; i <= pieces; i++ {
				t := float64(i) / pieces
				u := 1 - t
				at := func(k int) float64 {
					return u*u*u*from[k] + 3*u*u*t*s.at[k] + 3*u*t*t*s.at[2+k] + t*t*t*s.at[4+k]
				}
				to([2]float64{at(0), at(1)})
			}
		}
	}
	if l.length <= 0 || math.IsNaN(l.length) || math.IsInf(l.length, 0) {
		return nil
	}
	return &l
}

// at returns the point at a distance from the start, and the direction there; ok is
// false beyond the ends.
func (l *line) at(distance float64) (x, y, cos, sin float64, ok bool) {
	if distance < 0 || distance > l.length {
		return 0, 0, 1, 0, false
	}
	i, _ := slices.BinarySearch(l.ends, distance)
	i = min(max(i, 1), len(l.ends)-1)
	a, b, piece := l.points[i-1], l.points[i], l.ends[i]-l.ends[i-1]
	if piece <= 0 {
		return b[0], b[1], 1, 0, true
	}
	t := (distance - l.ends[i-1]) / piece
	return a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1]), (b[0] - a[0]) / piece, (b[1] - a[1]) / piece, true
}
