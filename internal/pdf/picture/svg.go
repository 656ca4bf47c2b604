package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// The limits of a drawing.
const (
	maxDrawing  = 4 << 20 // bytes
	maxElements = 100_000 // those that are used several times count as often
	maxNesting  = 64
	maxSource   = 16 << 20 // bytes of attributes, counted as elements are
	maxDrawn    = 32 << 20 // bytes of operators
)

// isSVG reports whether data look like a drawing.
func isSVG(data []byte) bool {
	head := data[:min(len(data), 4096)]
	return bytes.Contains(head, []byte("<svg"))
}

// drawing turns SVG into operators of PDF: paths, shapes and text with colours,
// opacity, lines and transformations, and what is used again. Nothing is loaded
// and nothing run; what it cannot draw, such as filters and embedded HTML, is
// noted.
type drawing struct {
	*tree
	letters  Letters
	out      []byte
	elements int
	source   int // bytes of the attributes of elements so far
	depth    int
	left     map[string]bool // names of what is not drawn
	using    map[*element]bool
	gradient map[string]*gradient
	shadings []string          // entries of the resources
	states   []string          // the same
	named    map[string]string // names of states, by what they are
}

// vector writes a drawing as a form.
func vector(w *writer.Writer, data []byte, letters Letters) (*Picture, error) {
	if len(data) > maxDrawing {
		return nil, errors.New("a drawing that is too large")
	}
	t, err := read(data)
	if err != nil {
		return nil, err
	}
	d := newDrawing(t, letters)
	box, width, height := viewBox(t.root)
	if box[2] <= 0 || box[3] <= 0 || width <= 0 || height <= 0 {
		return nil, errors.New("a drawing without size")
	}
	d.raw("4 M\n") // miterLimit
	// SVG counts from the top; the form is one unit wide and high.
	m := fit(t.root, box, width, height)
	d.matrix(m[0]/width, 0, 0, -m[3]/height, m[4]/width, 1-m[5]/height)
	if err := d.inside(t.root, d.styled(defaultStyle(), t.root)); err != nil {
		return nil, err
	}
	p := &Picture{Ref: w.Reserve(), Width: max(int(width+0.5), 1), Height: max(int(height+0.5), 1)}
	resources := "/Shading<<" + strings.Join(d.shadings, "") + ">>/ExtGState<<" + strings.Join(d.states, "") + ">>"
	if letters.Set != nil {
		resources += "/Font " + letters.Fonts.String()
	}
	w.Stream(p.Ref, "/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<<"+resources+">>", d.out)
	p.Left = slices.Sorted(maps.Keys(d.left))
	return p, nil
}

func newDrawing(t *tree, letters Letters) *drawing {
	d := &drawing{tree: t, letters: letters, left: map[string]bool{}, using: map[*element]bool{}, gradient: map[string]*gradient{}, named: map[string]string{}}
	d.gradients(t.root)
	d.inherit()
	return d
}

// viewBox returns the part of the plane that is shown, and how large in pixels.
func viewBox(root *element) (box [4]float64, width, height float64) {
	n := floats(root.attribute("viewBox"))
	width, height = length(root.attribute("width")), length(root.attribute("height"))
	if len(n) == 4 {
		copy(box[:], n)
	} else {
		box[2], box[3] = width, height
	}
	switch {
	case width > 0 && height > 0:
	case width > 0 && box[2] > 0:
		height = width * box[3] / box[2]
	case height > 0 && box[3] > 0:
		width = height * box[2] / box[3]
	default:
		width, height = box[2], box[3]
	}
	return box, min(width, 10_000), min(height, 10_000)
}

// fit returns the transformation of a part of the plane to a box of that size at
// the origin: as large as it can be there, unless it may be distorted.
func fit(e *element, box [4]float64, width, height float64) [6]float64 {
	x, y := width/box[2], height/box[3]
	align := strings.TrimSpace(e.attribute("preserveAspectRatio"))
	if align == "none" {
		return [6]float64{x, 0, 0, y, -x * box[0], -y * box[1]}
	}
	scale := min(x, y)
	share := func(axis string) float64 {
		switch {
		case strings.Contains(align, axis+"Min"):
			return 0
		case strings.Contains(align, axis+"Max"):
			return 1
		}
		return 0.5
	}
	return [6]float64{
		scale, 0, 0, scale,
		share("x")*(width-scale*box[2]) - scale*box[0], share("Y")*(height-scale*box[3]) - scale*box[1],
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// inside draws what an element holds.
func (d *drawing) inside(e *element, s style) error {
	d.depth++
	defer func() { d.depth-- }()
	if d.depth > maxNesting {
		return errors.New("a drawing that is nested too deeply")
	}
	for _, c := range e.children {
		if c.Name.Local == "" {
			continue
		}
		for _, a := range c.Attr {
			d.source += len(a.Value)
		}
		if d.elements++; d.elements > maxElements || d.source > maxSource || len(d.out) > maxDrawn {
			return errors.New("a drawing of too many elements")
		}
		if err := d.element(c, s); err != nil {
			return err
		}
	}
	return nil
}

// element draws one element with all that it holds.
func (d *drawing) element(e *element, s style) error {
	name := e.Name.Local
	switch name {
	case "g", "a":
		return d.group(e, d.styled(s, e), e.attribute("transform"), nil)
	case "svg":
		return d.group(e, d.styled(s, e), e.attribute("transform"), d.viewport(e, e))
	case "switch":
		return d.choice(e, d.styled(s, e))
	case "use":
		return d.use(e, d.styled(s, e))
	case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
		return d.shape(e, d.styled(s, e))
	case "text":
		d.text(e, d.styled(s, e))
	case "defs", "title", "desc", "metadata", "style", "linearGradient", "radialGradient", "symbol", "marker",
		"clipPath", "mask", "pattern", "filter", "animate", "animateTransform", "animateMotion", "set", "namedview":
	default:
		d.left[name] = true
	}
	return nil
}

// group draws what an element holds, moved as its transformations say.
func (d *drawing) group(e *element, s style, transform string, viewport []float64) error {
	if s.gone {
		return nil
	}
	d.raw("q\n")
	d.transform(transform)
	if viewport != nil {
		d.matrix(viewport...)
	}
	err := d.inside(e, s)
	d.raw("Q\n")
	return err
}

// viewport returns the transformation into a drawing within the drawing, whose
// place and size an element tells.
func (d *drawing) viewport(e, at *element) []float64 {
	n := func(name string) float64 { return length(at.attribute(name)) }
	m := [6]float64{1, 0, 0, 1}
	if box := floats(e.attribute("viewBox")); len(box) == 4 && box[2] > 0 && box[3] > 0 && n("width") > 0 && n("height") > 0 {
		m = fit(e, [4]float64(box), n("width"), n("height"))
	}
	if e == at {
		m[4], m[5] = m[4]+n("x"), m[5]+n("y")
	}
	return m[:]
}

// choice draws the first element of those that a reader chooses from which can
// be drawn.
func (d *drawing) choice(e *element, s style) error {
	for _, c := range e.children {
		if c.Name.Local != "" && c.Name.Local != "foreignObject" {
			return d.group(&element{children: []*element{c}}, s, e.attribute("transform"), nil)
		}
	}
	return d.inside(e, s)
}

// use draws an element once more.
func (d *drawing) use(e *element, s style) error {
	id, local := strings.CutPrefix(e.attribute("href"), "#")
	target := d.ids[id]
	if !local || target == nil {
		d.left["use"] = true
		return nil
	}
	if d.using[target] || s.gone { // within itself
		return nil
	}
	d.using[target] = true
	defer delete(d.using, target)
	moved := fmt.Sprintf("%s translate(%g %g)", e.attribute("transform"), length(e.attribute("x")), length(e.attribute("y")))
	if name := target.Name.Local; name == "symbol" || name == "svg" {
		return d.group(target, d.styled(s, target), moved, d.viewport(target, e))
	}
	return d.group(&element{children: []*element{target}}, s, moved, nil)
}

// raw writes operators.
func (d *drawing) raw(text string) { d.out = append(d.out, text...) }

// numbers writes operands.
func (d *drawing) numbers(all ...float64) {
	for _, n := range all {
		d.out = append(appendFine(d.out, sane(n)), ' ')
	}
}

// matrix writes a transformation.
func (d *drawing) matrix(m ...float64) {
	d.numbers(m...)
	d.raw("cm\n")
}

// sane returns a number that PDF can hold.
func sane(n float64) float64 {
	if n > 1e9 || n < -1e9 || n != n {
		return 0
	}
	return n
}

// transform writes the transformations of an element.
func (d *drawing) transform(text string) {
	for _, part := range strings.SplitAfter(text, ")") {
		name, arguments, ok := strings.Cut(strings.TrimRight(part, ")"), "(")
		if !ok {
			continue
		}
		if m, ok := matrix(strings.Trim(name, " ,\t\n"), floats(arguments)); ok {
			d.matrix(m[:]...)
		}
	}
}
