package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// gradient is a linear or radial gradient.
type gradient struct {
	radial    bool
	ofPlane   bool      // coordinates are those of the drawing, not the shape
	at        []float64 // coordinates as in a PDF shading
	transform string
	stops     []stop
	from      string // gradient that has the stops, if it has none
	name      string // resource name, set on first use
	spread    string // how it continues outside
	veil      string // name of the state with its transparency, "" if it is opaque
}

// stop is a colour at an offset from 0 to 1.
type stop struct {
	at    float64
	color rgba
}

const maxStops = 256

func (d *drawing) gradients(e *element) {
	switch e.Name.Local {
	case "linearGradient", "radialGradient":
		base := defaultStyle()
		base.view = d.view
		s := d.styled(base, e)
		g := s.gradient(e)
		for _, c := range e.children {
			if c.Name.Local == "stop" {
				inner, offset := d.styled(s, c), c.attribute("offset")
				if c, ok := d.paint(cmp.Or(inner.stopColor, "black"), inner); ok {
					c.color.clear = 1 - c.color.opacity()*inner.stopOpacity
					g.add(offset, c.color)
				}
			}
		}
		if id := e.attribute("id"); d.gradient[id] == nil {
			d.gradient[id] = g
		}
		return
	}
	for _, c := range e.children { // as deep as the drawing, which is limited
		d.gradients(c)
	}
}

// maxFrom limits chains of references to other gradients.
const maxFrom = 16

// inherit copies stops between gradients.
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

// gradient parses a gradient without its stops.
func (s *style) gradient(e *element) *gradient {
	g := &gradient{
		radial: e.Name.Local == "radialGradient", ofPlane: e.attribute("gradientUnits") == "userSpaceOnUse",
		transform: cmp.Or(e.attribute("gradientTransform"), s.transform), spread: e.attribute("spreadMethod"), from: strings.TrimPrefix(e.attribute("href"), "#"),
	}
	n := func(name, otherwise string, of axis) float64 {
		text := cmp.Or(e.attribute(name), otherwise)
		if v, unit := measure(text); unit == "%" && !g.ofPlane {
			return v / 100
		}
		return s.length(text, of)
	}
	if g.radial {
		cx, cy := cmp.Or(e.attribute("cx"), "50%"), cmp.Or(e.attribute("cy"), "50%")
		g.at = []float64{n("fx", cx, along), n("fy", cy, down), max(n("fr", "0", across), 0), n("cx", cx, along), n("cy", cy, down), max(n("r", "50%", across), 0)}
	} else {
		g.at = []float64{n("x1", "0%", along), n("y1", "0%", down), n("x2", "100%", along), n("y2", "0%", down)}
	}
	return g
}

func (g *gradient) add(offset string, color rgba) {
	if len(g.stops) == maxStops {
		return
	}
	at, unit := measure(offset)
	if unit == "%" {
		at /= 100
	}
	at = min(max(at, 0), 1)
	if n := len(g.stops); n > 0 {
		at = max(at, g.stops[n-1].at)
	}
	g.stops = append(g.stops, stop{at, color})
}

// mean returns the colour for an object in which the gradient cannot vary, such as a line.
func (g *gradient) mean() (c rgba, ok bool) {
	n := float64(len(g.stops))
	for _, s := range g.stops {
		c.r, c.g, c.b, c.clear = c.r+s.color.r/n, c.g+s.color.g/n, c.b+s.color.b/n, c.clear+s.color.clear/n
	}
	return c, n > 0
}

// shading returns the gradient as a PDF shading, or with solid its opacity in shades of grey.
func (g *gradient) shading(solid bool) string {
	space, operands := "DeviceRGB", rgba.String
	if solid {
		space, operands = "DeviceGray", func(c rgba) string { return string(appendFine(nil, c.opacity())) }
	}
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
		parts = fmt.Appendf(parts, "<</FunctionType 2/N 1/Domain[0 1]/C0[%s]/C1[%s]>>", operands(from.color), operands(to.color))
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
	return fmt.Sprintf("<</ShadingType %d/ColorSpace/%s/Coords[%s]/Extend[true true]/Function<</FunctionType 3/Domain[0 1]/Bounds[%s]/Encode[%s]/Functions[%s]>>>>",
		kind, space, at, bounds, encode, parts)
}

// pour fills a path with a gradient for the box of a shape.
func (d *drawing) pour(g *gradient, path, shape []step, evenOdd bool) {
	if g.spread == "reflect" || g.spread == "repeat" {
		d.left["spreadMethod"] = true
	}
	if g.name == "" {
		g.name = d.shading(g.shading(false))
		if slices.ContainsFunc(g.stops, func(s stop) bool { return s.color.clear > 0 }) {
			solid := d.shading(g.shading(true))
			g.veil = d.veil("Luminosity", "DeviceGray", func() { d.raw("/" + solid + " sh\n") })
		}
	}
	d.raw("q\n")
	d.steps(path)
	d.clip(evenOdd)
	if !g.ofPlane {
		left, top, width, height := extent(shape)
		d.matrix(width, 0, 0, height, left, top)
	}
	d.transform(g.transform)
	if g.veil != "" {
		d.raw("/" + g.veil + " gs\n")
	}
	d.raw("/" + g.name + " sh\nQ\n")
}

func (d *drawing) pourAlong(g *gradient, path []step, s style) {
	left, top, width, height := extent(path)
	beyond := s.width * max(s.limit, 1)
	around := []step{{"re", []float64{left - beyond, top - beyond, width + 2*beyond, height + 2*beyond}}}
	d.through(s.opacity*s.strokeOpacity, func() {
		d.raw("1 G\n")
		d.line(s)
		d.steps(path)
		d.raw("S\n")
	}, func() { d.pour(g, around, path, false) })
}

// through draws with mask as a luminosity mask.
func (d *drawing) through(opacity float64, mask, draw func()) {
	veil := d.veil("Luminosity", "DeviceGray", mask)
	ref := d.file.Reserve()
	d.form(ref, everywhere, "/Group<</S/Transparency>>", d.apart(draw))
	d.raw("q\n")
	d.state(opacity, 1)
	d.raw("/" + veil + " gs\n/" + d.object(ref) + " Do\nQ\n")
}

// fits reports whether a gradient is visible in a shape: one relative to the box needs a width and height.
func (g *gradient) fits(path []step) bool {
	_, _, width, height := extent(path)
	return g.ofPlane || min(width, height) > flat
}

// flat is the largest extent that counts as none.
const flat = 1e-3

// shading adds a shading to the resources and returns its name.
func (d *drawing) shading(dictionary string) string {
	name := "G" + strconv.Itoa(len(d.shadings))
	d.shadings = append(d.shadings, "/"+name+dictionary)
	return name
}

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
	return left, top, max(right-left, flat), max(bottom-top, flat)
}
