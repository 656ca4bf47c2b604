package picture

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// Letters sets the text of drawings. Without Set, text is omitted.
type Letters struct {
	Fonts writer.Ref // dictionary of the fonts used by the operators

	// Set returns the operators for a line of text of size one at the origin, and its width. They restore
	// the graphics state.
	Set func(text string, look Look) (operators []byte, width float64)
}

// Look is the style of letters.
type Look struct {
	Bold, Italic, Mono bool
	Color              [3]uint8
	Edge               float64 // stroke width relative to the size, for unfilled letters; else 0
}

// passage is a part of a text with one style.
type passage struct {
	operators []byte
	text      string
	looks     []Look    // painted on top of each other
	gradient  *gradient // fill instead of a colour
	size      float64
	at        float64 // from the start of its part
	width     float64
	rise      float64 // upwards
	opacity   float64
	edge      float64 // stroke opacity
	look      Look
	under     bool // underlined
}

// anchored is a part of a text with its own position.
type anchored struct {
	x, y     float64
	anchor   string
	passages []passage
	width    float64
	wanted   float64 // intended width, 0 for the natural one
	line     *line   // path of the text, if any
}

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
	return d.placed(s, nil, func() error {
		for i := range w.parts {
			if c := &w.parts[i]; c.line == nil {
				d.part(c)
			} else {
				d.along(c)
			}
		}
		return nil
	})
}

func (d *drawing) part(c *anchored) {
	stretch := 1.0
	if c.wanted > 0 && c.width > 0 {
		stretch = min(max(c.wanted/c.width, 0.5), 2)
	}
	start := c.start(c.x, stretch)
	for _, p := range c.passages {
		place := [6]float64{p.size * stretch, 0, 0, -p.size, start + p.at*stretch, c.y - p.rise}
		if p.gradient != nil {
			d.pourLetters(p, place, []step{{"re", []float64{start, c.y - p.size, c.width * stretch, 1.25 * p.size}}})
		}
		d.raw("q\n")
		d.state(p.opacity, p.edge)
		d.matrix(place[:]...)
		d.out = append(d.out, p.operators...)
		if p.under {
			d.raw(rgba{float64(p.look.Color[0]) / 255, float64(p.look.Color[1]) / 255, float64(p.look.Color[2]) / 255, 0}.String() + " rg\n")
			d.operator("re\nf\n", 0, -0.13, p.width/p.size, 0.06)
		}
		d.raw("Q\n")
	}
}

// lettering returns the operators for text painted with several looks.
func (d *drawing) lettering(text string, looks []Look) (operators []byte, width float64) {
	for _, look := range looks {
		var one []byte
		one, width = d.letters.Set(text, look)
		operators = append(operators, one...)
	}
	return operators, width
}

// pourLetters fills the letters of a passage with its gradient; box is its extent.
func (d *drawing) pourLetters(p passage, place [6]float64, box []step) {
	white := p.look
	white.Color = [3]uint8{255, 255, 255}
	operators, _ := d.letters.Set(p.text, white)
	d.through(p.opacity, func() {
		d.matrix(place[:]...)
		d.out = append(d.out, operators...)
	}, func() { d.pour(p.gradient, box, box, false) })
}

// start returns the start of an anchored part.
func (c *anchored) start(at, stretch float64) float64 {
	switch c.anchor {
	case "middle":
		return at - c.width*stretch/2
	case "end":
		return at - c.width*stretch
	}
	return at
}

type wording struct {
	*drawing
	parts []anchored
	now   anchored
	space bool // the text so far ends with a space
	xs    []string
	line  *line
}

func (w *wording) end() {
	if len(w.now.passages) > 0 {
		w.parts = append(w.parts, w.now)
	}
	w.now = anchored{x: w.now.x + w.now.width, y: w.now.y, line: w.line}
}

// inside sets the content of a text element.
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
	w.now.wanted = cmp.Or(w.now.wanted, wanted)
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
	if len(w.xs) > 0 { // individual positions
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
	w.spread(text, s)
}

// spread sets text with letter spacing.
func (w *wording) spread(text string, s style) {
	if s.spacing == 0 {
		w.set(text, s)
		return
	}
	letters := []rune(text)
	if w.elements += len(letters); w.elements > maxElements { // each is set separately
		return
	}
	for from := 0; from < len(letters); {
		to := from + 1
		for to < len(letters) && unicode.Is(unicode.M, letters[to]) {
			to++
		}
		w.set(string(letters[from:to]), s)
		w.now.width += s.spacing
		from = to
	}
}

func (w *wording) set(text string, s style) {
	w.space = strings.HasSuffix(text, " ")
	switch s.letters {
	case "uppercase":
		text = strings.ToUpper(text)
	case "lowercase":
		text = strings.ToLower(text)
	}
	fill, filled := w.paint(s.fill, s)
	edge, edged := w.paint(s.stroke, s)
	if fill.pattern != nil || edged && edge.pattern != nil {
		w.left["pattern"] = true
		fill.color, _ = parseColor(s.color) // for legibility
	}
	edged = edged && edge.pattern == nil && s.width > 0 && s.strokeOpacity > 0
	look, line := s.look, s.look
	look.Color, line.Color, line.Edge = fill.color.bytes(), edge.color.bytes(), s.width/s.size
	var looks []Look
	gradient := fill.gradient
	switch {
	case gradient != nil && w.line == nil:
		fill.color.clear = 0 // its stops have the transparency
		filled = false
	case gradient != nil:
		w.left["textPath"], gradient = true, nil
	}
	if filled {
		looks = append(looks, look)
	}
	if edged {
		looks = append(looks, line)
	}
	if s.edgeFirst {
		slices.Reverse(looks)
	}
	if len(looks) == 0 && gradient == nil {
		return
	}
	operators, width := w.lettering(text, looks)
	if len(looks) == 0 {
		_, width = w.letters.Set(text, look)
	}
	rise := 0.0
	switch cmp.Or(s.alignment, s.baseline) {
	case "middle", "central", "mathematical":
		rise = -0.32 * s.size
	case "text-after-edge", "after-edge", "text-bottom", "ideographic":
		rise = 0.28 * s.size
	case "hanging", "text-before-edge", "text-top":
		rise = -0.75 * s.size
	}
	switch v, unit := measure(s.shift); {
	case s.shift == "super":
		rise += 0.4 * s.size
	case s.shift == "sub":
		rise -= 0.25 * s.size
	case unit == "%":
		rise += v / 100 * s.size
	default:
		rise += s.length(s.shift, down)
	}
	w.now.passages = append(w.now.passages, passage{
		operators: operators, text: text, looks: looks, gradient: gradient, size: s.size, at: w.now.width, width: width * s.size, rise: rise,
		opacity: s.opacity * s.fillOpacity * fill.color.opacity(), edge: s.opacity * s.strokeOpacity * edge.color.opacity(), look: look, under: s.underlined,
	})
	w.now.width += width * s.size
}
