package picture

import (
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
	size      float64
	at        float64 // from the start of its part
	rise      float64 // against the direction of y
	opacity   float64
}

// anchored is a part of a text that starts at a place of its own.
type anchored struct {
	x, y     float64
	anchor   string
	passages []passage
	width    float64
}

// text draws a text.
func (d *drawing) text(e *element, s style) {
	if d.letters.Set == nil {
		d.left["text"] = true
		return
	}
	if s.hidden || s.gone {
		return
	}
	w := &wording{drawing: d}
	w.inside(e, s)
	w.end()
	if len(w.parts) == 0 {
		return
	}
	d.raw("q\n")
	d.transform(e.attribute("transform"))
	for _, c := range w.parts {
		start := c.x
		switch c.anchor {
		case "middle":
			start -= c.width / 2
		case "end":
			start -= c.width
		}
		for _, p := range c.passages {
			d.raw("q\n")
			d.state(p.opacity, 1)
			d.matrix(p.size, 0, 0, -p.size, start+p.at, c.y-p.rise)
			d.out = append(d.out, p.operators...)
			d.raw("Q\n")
		}
	}
	d.raw("Q\n")
}

// wording gathers the parts of a text.
type wording struct {
	*drawing
	parts []anchored
	now   anchored
	space bool // whether the text so far ends with a space
}

// end ends a part.
func (w *wording) end() {
	if len(w.now.passages) > 0 {
		w.parts = append(w.parts, w.now)
	}
	w.now = anchored{x: w.now.x + w.now.width, y: w.now.y}
}

// inside sets what a text or a part of it holds.
func (w *wording) inside(e *element, s style) {
	first := func(name string) (float64, bool) {
		text := e.attribute(name)
		word := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' })
		if len(word) == 0 {
			return 0, false
		}
		if em, ok := strings.CutSuffix(word[0], "em"); ok {
			return length(em) * s.size, true
		}
		return length(word[0]), true
	}
	x, movedX := first("x")
	y, movedY := first("y")
	dx, _ := first("dx")
	dy, _ := first("dy")
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
	}
	if len(w.now.passages) == 0 {
		w.now.anchor = s.anchor
	}
	for _, c := range e.children {
		switch c.Name.Local {
		case "":
			w.wordsOf(c.text, s)
		case "tspan", "a", "textPath":
			if inner := w.styled(s, c); !inner.hidden && !inner.gone {
				w.inside(c, inner)
			}
		}
	}
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
	w.space = strings.HasSuffix(text, " ")
	fill, ok := w.paint(s.fill, s)
	if !ok {
		return
	}
	look := s.look
	look.Color = fill.color.bytes()
	operators, width := w.letters.Set(text, look)
	rise := 0.0
	switch s.baseline {
	case "middle", "central":
		rise = -0.32 * s.size
	case "hanging", "text-before-edge", "text-top":
		rise = -0.75 * s.size
	}
	w.now.passages = append(w.now.passages, passage{operators, s.size, w.now.width, rise, s.opacity * s.fillOpacity * fill.color.opacity()})
	w.now.width += width * s.size
}

// bytes returns the colour with parts from 0 to 255.
func (c rgba) bytes() [3]uint8 {
	return [3]uint8{uint8(c.r*255 + 0.5), uint8(c.g*255 + 0.5), uint8(c.b*255 + 0.5)}
}
