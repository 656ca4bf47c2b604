package picture

import (
	"cmp"
	"strings"
)

// prose is HTML text in a drawing, such as labels of diagrams: lines in one style each, with position and
// alignment.
type prose struct {
	*drawing
	x, y, width, height float64
	flow                string // vertical alignment of the lines: "", center or end
	across              string // horizontal alignment, unless the text sets it
	lines               [][]piece
	row                 []piece
	space               bool // a blank precedes the next text
	fits                bool // the text must fit the available width
	odd                 bool // there is more than text
}

type piece struct {
	text   string
	s      style
	width  float64
	spaced bool // a blank precedes it
}

// maxProse limits the prose of an element in bytes.
const maxProse = 16 << 10

// html draws the HTML text of an element. It reports whether that is all of its content.
func (d *drawing) html(e *element, s style) (drawn bool, err error) {
	if s.gone || s.hidden {
		return true, nil
	}
	w := &prose{
		drawing: d, x: s.length(e.attribute("x"), along), y: s.length(e.attribute("y"), down),
		width: s.length(e.attribute("width"), along), height: s.length(e.attribute("height"), down),
	}
	if d.letters.Set == nil {
		return false, nil
	}
	w.fits = !strings.Contains(e.attribute("style")+e.attribute("overflow"), "visible")
	w.inside(e, s, 0)
	w.end()
	if w.odd || len(w.lines) == 0 && len(e.children) == 0 {
		return false, nil
	}
	return true, d.placed(s, nil, w.draw)
}

func (w *prose) inside(e *element, s style, size int) {
	for _, c := range e.children {
		if c.Name.Local == "" {
			if size += len(c.text); size > maxProse {
				w.odd = true
				return
			}
			w.words(c.text, s)
			continue
		}
		inner := w.styled(s, c)
		if inner.gone {
			continue
		}
		block := false
		switch c.Name.Local {
		case "br":
			w.row = append(w.row, piece{s: s}) // an empty line
			w.end()
			continue
		case "div", "p", "section", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "pre", "body", "html", "blockquote", "center":
			block = true
		case "span", "a", "font", "label", "sub", "sup", "s", "small", "big", "mark", "kbd":
		case "b", "strong", "th":
			inner.look.Bold = true
		case "u":
			inner.underlined = true
		case "i", "em":
			inner.look.Italic = true
		case "code", "tt", "samp":
			inner.look.Mono = true
		case "style", "title":
			continue
		default:
			w.odd = true
			return
		}
		if color := c.attribute("color"); color != "" {
			inner.color = color
		}
		if align := c.attribute("align"); align != "" {
			inner.align = align
		}
		if block {
			w.end()
			w.place(c, &inner)
		}
		if c.Name.Local == "li" {
			w.words("• ", inner)
		}
		inner.background = cmp.Or(inner.background, s.background)
		w.inside(c, inner, size)
		if block {
			w.end()
		}
	}
}

// place reads the position of a block in its parent.
func (w *prose) place(e *element, s *style) {
	for _, c := range declarations(e.attribute("style")) {
		v, unit := measure(c.value)
		known := unit == "px" || unit == "" && v == 0
		switch c.name {
		case "margin-left", "padding-left":
			w.x += s.length(c.value, along)
		case "padding-top", "margin-top":
			w.y += s.length(c.value, down)
		case "width":
			if known {
				w.width = v
			}
		case "height":
			if known {
				w.height = v
			}
		case "align-items":
			w.flow = c.value
		case "justify-content":
			w.across = c.value
		}
	}
}

func (w *prose) words(text string, s style) {
	if s.spaceIsKept {
		for i, line := range strings.Split(text, "\n") {
			if i > 0 {
				w.end()
			}
			w.word(line, s, false)
		}
		return
	}
	fields := strings.Fields(strings.ReplaceAll(text, "\u00a0", "\u2007"))
	for i, word := range fields {
		spaced := i > 0 || w.space || strings.TrimLeft(text, " \t\r\n") != text
		w.word(strings.ReplaceAll(word, "\u2007", "\u00a0"), s, spaced && len(w.row) > 0)
		w.space = false
	}
	w.space = w.space || strings.TrimRight(text, " \t\r\n") != text
}

func (w *prose) word(text string, s style, spaced bool) {
	if text == "" || s.size <= 0 || s.hidden {
		return
	}
	w.elements += 1 + len(text)/16
	_, width := w.letters.Set(text, s.look)
	w.row = append(w.row, piece{text, s, width * s.size, spaced})
}

func (w *prose) end() {
	w.space = false
	if len(w.row) == 0 {
		return
	}
	row := w.row
	w.row = nil
	used, from := 0.0, 0
	for i, p := range row {
		next := p.width
		if p.spaced {
			next += p.s.size * 0.26
		}
		if used+next > w.width+0.5 && i > from && w.width > 0 && !p.s.unbroken && p.spaced {
			w.lines = append(w.lines, row[from:i])
			used, from, next = 0, i, p.width
		}
		used += next
	}
	w.lines = append(w.lines, row[from:])
}

// leading returns the height of a line.
func leading(line []piece) (high float64) {
	for _, p := range line {
		v, unit := measure(p.s.leading)
		switch {
		case v <= 0:
			v = 1.2 * p.s.size
		case unit == "":
			v *= p.s.size
		default:
			v = p.s.length(p.s.leading, down)
		}
		high = max(high, v)
	}
	return high
}

func (w *prose) draw() error {
	total := 0.0
	for _, line := range w.lines {
		total += leading(line)
	}
	y := w.y
	switch {
	case strings.Contains(w.flow, "center"), w.flow == "" && total > w.height:
		y += (w.height - total) / 2
	case strings.Contains(w.flow, "end"):
		y += w.height - total
	}
	for _, line := range w.lines {
		high := leading(line)
		w.line(line, y, high)
		y += high
	}
	return nil
}

func (w *prose) line(all []piece, y, high float64) {
	part := anchored{x: w.x, y: y + high/2 + 0.35*all[0].s.size}
	for i := 0; i < len(all); {
		s, text := all[i].s, all[i].text
		for i++; i < len(all) && same(all[i].s, s); i++ {
			if all[i].spaced {
				text += " "
			}
			text += all[i].text
		}
		if i < len(all) && all[i].spaced {
			text += " "
		}
		look := s.look
		ink, ok := w.paint("currentColor", s)
		if !ok || text == "" {
			continue
		}
		look.Color = ink.color.bytes()
		operators, width := w.letters.Set(text, look)
		part.passages = append(part.passages, passage{
			operators: operators, size: s.size, at: part.width, width: width * s.size,
			opacity: s.opacity * ink.color.opacity(), edge: 1, look: look, under: s.underlined,
		})
		part.width += width * s.size
	}
	if len(part.passages) == 0 {
		return
	}
	if room := w.width; w.fits && room > 0 && part.width > room && all[0].s.unbroken {
		part.wanted = max(room, 0.75*part.width)
	}
	align := cmp.Or(all[0].s.align, w.across)
	shown := cmp.Or(part.wanted, part.width)
	switch {
	case strings.Contains(align, "center"):
		part.x += (w.width - shown) / 2
	case align == "right", strings.Contains(align, "end"):
		part.x += w.width - shown
	}
	if c, ok := parseColor(all[0].s.background); ok && c.opacity() > 0 {
		w.raw("q\n")
		w.state(c.opacity()*all[0].s.opacity, 1)
		w.raw(c.String() + " rg\n")
		w.operator("re\nf\nQ\n", part.x-2, y, shown+4, high)
	}
	w.part(&part)
}

func same(a, b style) bool {
	return a.look == b.look && a.size == b.size && a.color == b.color && a.underlined == b.underlined && a.opacity == b.opacity
}
