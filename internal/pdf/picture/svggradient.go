package picture

import (
	"encoding/xml"
	"fmt"
	"strconv"
	"strings"
)

// rgba is a colour, each part from 0 to 1.
type rgba struct {
	r, g, b float64
	clear   float64 // how transparent it is
}

func (c rgba) opacity() float64 { return 1 - c.clear }

// gradient is a change of colours along a line or between two circles.
type gradient struct {
	radial    bool
	ofPlane   bool      // its coordinates are those of the drawing, not of the shape
	at        []float64 // as the shading of PDF has them
	transform string
	stops     []stop
	from      string // the gradient whose stops it has, if it has none
	name      string // among the resources, once it is used
}

// stop is a colour at a place from 0 to 1.
type stop struct {
	at    float64
	color rgba
}

// maxStops bounds the stops of a gradient.
const maxStops = 256

// gradients finds the gradients within an element.
func (d *drawing) gradients(e *element) {
	switch e.Name.Local {
	case "linearGradient", "radialGradient":
		g := newGradient(e)
		for _, c := range e.children {
			if c.Name.Local == "stop" {
				g.add(c.StartElement, d.stopStyle(c))
			}
		}
		if id := e.attribute("id"); d.gradient[id] == nil {
			d.gradient[id] = g
		}
		return
	}
	for _, c := range e.children { // as deep as the drawing, which is bounded
		d.gradients(c)
	}
}

// stopStyle returns what style sheets say of a stop.
func (d *drawing) stopStyle(e *element) (all string) {
	d.rulesFor(e, func(declarations string) { all += declarations + ";" })
	return all + e.attribute("style")
}

// maxFrom bounds how many gradients have their stops from each other.
const maxFrom = 16

// inherit gives gradients without stops those of the gradients that they name.
func (d *drawing) inherit() {
	for _, g := range d.gradient {
		from := g
		for range maxFrom {
			if len(from.stops) > 0 || from.from == "" || d.gradient[from.from] == nil {
				break
			}
			from = d.gradient[from.from]
		}
		g.stops = from.stops
	}
}

func newGradient(from *element) *gradient {
	e := from.StartElement
	g := &gradient{
		radial: e.Name.Local == "radialGradient", ofPlane: attribute(e, "gradientUnits") == "userSpaceOnUse",
		transform: attribute(e, "gradientTransform"), from: strings.TrimPrefix(attribute(e, "href"), "#"),
	}
	n := func(name, otherwise string) float64 {
		text := attribute(e, name)
		if text == "" {
			text = otherwise
		}
		if percent, ok := strings.CutSuffix(text, "%"); ok {
			v, _ := strconv.ParseFloat(percent, 64) // 0 where it is no number, as length says too
			return v / 100
		}
		return length(text)
	}
	if g.radial {
		cx, cy := attribute(e, "cx"), attribute(e, "cy")
		if cx == "" {
			cx = "50%"
		}
		if cy == "" {
			cy = "50%"
		}
		g.at = []float64{n("fx", cx), n("fy", cy), 0, n("cx", cx), n("cy", cy), max(n("r", "50%"), 0)}
	} else {
		g.at = []float64{n("x1", "0%"), n("y1", "0%"), n("x2", "100%"), n("y2", "0%")}
	}
	return g
}

// add adds a stop, of which declarations say more. Its opacity is that of the
// page behind it, which is white.
func (g *gradient) add(e xml.StartElement, declarations string) {
	value, offset, opacity := attribute(e, "stop-color"), attribute(e, "offset"), attribute(e, "stop-opacity")
	for declaration := range strings.SplitSeq(declarations, ";") {
		switch name, given, _ := strings.Cut(declaration, ":"); strings.TrimSpace(name) {
		case "stop-color":
			value = given
		case "stop-opacity":
			opacity = given
		}
	}
	color, ok := parseColor(value)
	if value == "" {
		ok = true // black
	}
	solid := share(strings.TrimSpace(opacity), 1) * color.opacity()
	color = rgba{1 - solid*(1-color.r), 1 - solid*(1-color.g), 1 - solid*(1-color.b), 0}
	if !ok || len(g.stops) == maxStops {
		return
	}
	at, err := strconv.ParseFloat(strings.TrimSuffix(offset, "%"), 64)
	if err != nil || at != at {
		at = 0
	}
	if strings.HasSuffix(offset, "%") {
		at /= 100
	}
	at = min(max(at, 0), 1)
	if n := len(g.stops); n > 0 {
		at = max(at, g.stops[n-1].at)
	}
	g.stops = append(g.stops, stop{at, color})
}

// mean returns the colour of a gradient where it cannot change, as in a line.
func (g *gradient) mean() (c rgba, ok bool) {
	n := float64(len(g.stops))
	for _, s := range g.stops {
		c.r, c.g, c.b = c.r+s.color.r/n, c.g+s.color.g/n, c.b+s.color.b/n
	}
	return c, n > 0
}

// shading returns the gradient as PDF has it.
func (g *gradient) shading() string {
	first, last := g.stops[0], g.stops[len(g.stops)-1]
	stops := append(append([]stop{{0, first.color}}, g.stops...), stop{1, last.color})
	var parts, bounds, encode []byte
	for i, to := range stops[1:] {
		from := stops[i]
		const least = 1e-4
		if to.at-from.at < least {
			continue
		}
		if len(parts) > 0 {
			bounds = append(appendFine(bounds, from.at), ' ')
		}
		parts = fmt.Appendf(parts, "<</FunctionType 2/N 1/Domain[0 1]/C0[%s]/C1[%s]>>", from.color, to.color)
		encode = append(encode, "0 1 "...)
	}
	kind := 2
	if g.radial {
		kind = 3
	}
	var at []byte
	for _, v := range g.at {
		at = append(appendFine(at, sane(v)), ' ')
	}
	return fmt.Sprintf("<</ShadingType %d/ColorSpace/DeviceRGB/Coords[%s]/Extend[true true]/Function<</FunctionType 3/Domain[0 1]/Bounds[%s]/Encode[%s]/Functions[%s]>>>>",
		kind, at, bounds, encode, parts)
}

// String returns the colour as operands.
func (c rgba) String() string {
	out := append(appendFine(nil, c.r), ' ')
	out = append(appendFine(out, c.g), ' ')
	return string(appendFine(out, c.b))
}

// pour fills the path that stands in the drawing already, up to the step that
// would paint it, with a gradient.
func (d *drawing) pour(g *gradient, path []step, evenOdd bool) {
	if g.name == "" {
		g.name = fmt.Sprint("G", len(d.shadings))
		d.shadings = append(d.shadings, "/"+g.name+g.shading())
	}
	d.out = append(d.out, "q\n"...)
	d.steps(path)
	if evenOdd {
		d.out = append(d.out, "W* n\n"...)
	} else {
		d.out = append(d.out, "W n\n"...)
	}
	if !g.ofPlane {
		left, top, width, height := extent(path)
		d.numbers(width, 0, 0, height, left, top)
		d.out = append(d.out, "cm\n"...)
	}
	d.transform(g.transform)
	d.out = append(d.out, "/"+g.name+" sh\nQ\n"...)
}

// extent returns the box around the points of a path.
func extent(path []step) (left, top, width, height float64) {
	left, top = 1e9, 1e9
	right, bottom := -left, -top
	for _, s := range path {
		at := s.at
		if s.op == "re" {
			at = []float64{at[0], at[1], at[0] + at[2], at[1] + at[3]}
		}
		for i := 0; i+1 < len(at); i += 2 {
			left, right = min(left, at[i]), max(right, at[i])
			top, bottom = min(top, at[i+1]), max(bottom, at[i+1])
		}
	}
	const flat = 1e-3 // nothing may have no extent
	return left, top, max(right-left, flat), max(bottom-top, flat)
}
