package picture

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// The limits of a drawing.
const (
	maxDrawing  = 4 << 20 // bytes
	maxElements = 100_000 // counted for each use
	maxNesting  = 64
	maxSource   = 16 << 20 // bytes of attributes, counted for each use
	maxDrawn    = 32 << 20 // bytes of operators
)

func isSVG(data []byte) bool {
	head := data[:min(len(data), 4096)]
	return bytes.Contains(head, []byte("<svg")) || bytes.Contains(head, []byte("<\x00s\x00v\x00g"))
}

// drawing converts SVG to PDF operators: paths, shapes, text, pictures, colours, opacity, strokes,
// transformations and reuse. It loads and runs nothing, and notes unsupported constructs such
// as filters.
type drawing struct {
	*tree
	*effort
	file      *writer.Writer
	resources writer.Ref
	letters   Letters
	view      [2]float64 // size of the root's view
	out       []byte
	depth     int
	using     map[*element]bool
	gradient  map[string]*gradient
	shadings  []string          // resource entries
	states    []string          // resource entries
	named     map[string]string // state names by definition
	objects   []string          // resource entries
	pictures  map[string]*Picture
	masks     map[*element]string // state names
	declared  []declaration       // reused for each element
}

// effort is the cost of a drawing including nested ones.
type effort struct {
	elements int
	source   int // bytes of attributes so far
	written  int // bytes of operators in the file
	inner    int // nesting of drawings
}

// vector writes a drawing as a form.
func vector(w *writer.Writer, data []byte, letters Letters, e *effort) (*Picture, error) {
	if len(data) > maxDrawing {
		return nil, errors.New("a drawing that is too large")
	}
	t, err := read(data)
	if err != nil {
		return nil, err
	}
	box, width, height := viewBox(t.root)
	if box[2] <= 0 || box[3] <= 0 || width <= 0 || height <= 0 {
		return nil, errors.New("a drawing without size")
	}
	d := newDrawing(t, letters, w, [2]float64{box[2], box[3]}, e)
	d.raw("4 M\n") // miterLimit
	// The y axis of SVG points down; the form is one unit wide and high.
	m := fit(t.root, box, width, height)
	d.matrix(m[0]/width, 0, 0, -m[3]/height, m[4]/width, 1-m[5]/height)
	if err := d.all(); err != nil {
		w.Object(d.resources, "<<>>") // parts of the drawing already refer to it
		return nil, err
	}
	p := &Picture{Ref: w.Reserve(), Width: max(int(width+0.5), 1), Height: max(int(height+0.5), 1)}
	d.form(p.Ref, "[0 0 1 1]", "", d.out)
	resources := "/Shading<<" + strings.Join(d.shadings, "") + ">>/ExtGState<<" + strings.Join(d.states, "") + ">>/XObject<<" + strings.Join(d.objects, "") + ">>"
	if letters.Set != nil {
		resources += "/Font " + letters.Fonts.String()
	}
	w.Object(d.resources, "<<"+resources+">>")
	p.Left = slices.Sorted(maps.Keys(d.left))
	return p, nil
}

func newDrawing(t *tree, letters Letters, w *writer.Writer, view [2]float64, e *effort) *drawing {
	d := &drawing{
		tree: t, effort: e, file: w, resources: w.Reserve(), letters: letters, view: view,
		using: map[*element]bool{}, gradient: map[string]*gradient{}, named: map[string]string{}, pictures: map[string]*Picture{}, masks: map[*element]string{},
	}
	d.gradients(t.root)
	d.inherit()
	return d
}

func (d *drawing) all() error {
	s := defaultStyle()
	s.view = d.view
	s = d.styled(s, d.root)
	if _, known := parseColor(s.background); known {
		d.raw("q\n")
		d.paintPath(d.root, []step{{"re", []float64{-1e6, -1e6, 2e6, 2e6}}}, style{fill: s.background, opacity: 1, fillOpacity: 1})
		d.raw("Q\n")
	}
	err := d.inside(d.root, s)
	if d.compared > maxCompared {
		d.left["style"] = true
	}
	return err
}

// form writes operators as a form.
func (d *drawing) form(ref writer.Ref, box, entries string, operators []byte) {
	d.written += len(operators)
	d.file.Stream(ref, "/Type/XObject/Subtype/Form/BBox"+box+"/Resources "+d.resources.String()+entries, operators)
}

// apart returns the operators that draw writes.
func (d *drawing) apart(draw func()) []byte {
	before := d.out
	d.out = nil
	draw()
	operators := d.out
	d.out = before
	return operators
}

// viewBox returns the visible area and its size in pixels.
func viewBox(root *element) (box [4]float64, width, height float64) {
	n := floats(root.attribute("viewBox"))
	width, height = length(root.attribute("width")), length(root.attribute("height"))
	if len(n) == 4 {
		copy(box[:], n)
	} else {
		width, height = cmp.Or(width, 300), cmp.Or(height, 150) // the defaults of browsers
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

// fit returns the transformation from a box to a size at the origin: as large as possible, without
// distortion unless allowed.
func fit(e *element, box [4]float64, width, height float64) [6]float64 {
	x, y := width/box[2], height/box[3]
	align := strings.TrimSpace(e.attribute("preserveAspectRatio"))
	if align == "none" {
		return [6]float64{x, 0, 0, y, -x * box[0], -y * box[1]}
	}
	scale := min(x, y)
	if strings.Contains(align, "slice") {
		scale = max(x, y)
	}
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

// inside draws the children of an element.
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
		if d.elements++; d.elements > maxElements || d.source > maxSource || len(d.out)+d.written > maxDrawn {
			return errors.New("a drawing of too many elements")
		}
		if err := d.element(c, s); err != nil {
			return err
		}
	}
	return nil
}

func (d *drawing) element(e *element, s style) error {
	name := e.Name.Local
	if e.foreign() {
		return nil
	}
	switch name {
	case "g", "a":
		return d.group(e, d.styled(s, e), nil)
	case "svg":
		return d.group(e, d.styled(s, e), e)
	case "switch":
		return d.choice(e, d.styled(s, e))
	case "use":
		return d.use(e, d.styled(s, e))
	case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
		return d.shape(e, d.styled(s, e))
	case "image":
		return d.image(e, d.styled(s, e))
	case "text":
		return d.text(e, d.styled(s, e))
	case "foreignObject":
		drawn, err := d.html(e, d.styled(s, e))
		if !drawn {
			d.left[name] = true
		}
		return err
	case "defs", "title", "desc", "metadata", "style", "linearGradient", "radialGradient", "symbol", "marker", "script",
		"clipPath", "mask", "pattern", "filter", "view":
	default:
		d.left[name] = true
	}
	return nil
}

// group draws the children of an element with its transformations. For a nested drawing, at has the
// position and size.
func (d *drawing) group(e *element, s style, at *element) error {
	if s.gone {
		return nil
	}
	return d.placed(s, nil, func() error {
		if at != nil {
			d.viewport(e, at, &s)
		}
		return d.faded(e, s)
	})
}

// faded draws the children of an element with its opacity as a group.
func (d *drawing) faded(e *element, s style) (err error) {
	if s.opacity >= 1 || len(e.children) < 2 {
		return d.inside(e, s)
	}
	opacity, ref := s.opacity, d.file.Reserve()
	s.opacity = 1
	d.form(ref, everywhere, "/Group<</S/Transparency>>", d.apart(func() { err = d.inside(e, s) }))
	d.state(opacity, opacity)
	d.raw("/" + d.object(ref) + " Do\n")
	return err
}

// viewport enters a nested drawing, whose position and size at has.
func (d *drawing) viewport(e, at *element, s *style) {
	n := func(name string, of axis) float64 {
		return s.length(cmp.Or(at.attribute(name), e.attribute(name)), of)
	}
	width, height := n("width", along), n("height", down)
	if at.attribute("width") == "" && e.attribute("width") == "" {
		width = s.view[0]
	}
	if at.attribute("height") == "" && e.attribute("height") == "" {
		height = s.view[1]
	}
	m := [6]float64{1, 0, 0, 1, 0, 0}
	box := floats(e.attribute("viewBox"))
	x, y := 0.0, 0.0
	if e.Name.Local == "svg" {
		x, y = s.length(e.attribute("x"), along), s.length(e.attribute("y"), down)
	}
	if overflow := e.attribute("overflow") + e.attribute("style"); !strings.Contains(overflow, "visible") {
		d.operator("re\nW n\n", x, y, width, height)
	}
	s.view = [2]float64{width, height}
	if len(box) == 4 && box[2] > 0 && box[3] > 0 && width > 0 && height > 0 {
		m = fit(e, [4]float64(box), width, height)
		s.view = [2]float64{box[2], box[3]}
	}
	m[4], m[5] = m[4]+x, m[5]+y
	d.matrix(m[:]...)
}

// inEnglish reports whether an element is for readers of English, as far as it says.
func (e *element) inEnglish() bool {
	languages := strings.Split(cmp.Or(e.attribute("systemLanguage"), "en"), ",")
	return slices.ContainsFunc(languages, func(l string) bool {
		primary, _, _ := strings.Cut(strings.TrimSpace(l), "-")
		return strings.EqualFold(primary, "en")
	})
}

// choice draws the first supported child of a switch element.
func (d *drawing) choice(e *element, s style) error {
	if s.gone {
		return nil
	}
	return d.placed(s, nil, func() error {
		for _, c := range e.children {
			if c.Name.Local == "" || c.foreign() || c.attribute("requiredExtensions") != "" || !c.inEnglish() {
				continue
			}
			if c.Name.Local != "foreignObject" {
				return d.inside(&element{children: []*element{c}}, s)
			}
			if drawn, err := d.html(c, d.styled(s, c)); drawn || err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *drawing) use(e *element, s style) error {
	id, local := strings.CutPrefix(e.attribute("href"), "#")
	target := d.ids[id]
	if !local || target == nil {
		d.left["use"] = true
		return nil
	}
	if d.using[target] || s.gone { // a cycle
		return nil
	}
	d.using[target] = true
	defer delete(d.using, target)
	d.raw("q\n")
	d.transform(s.transform)
	d.matrix(1, 0, 0, 1, s.length(e.attribute("x"), along), s.length(e.attribute("y"), down))
	err := d.enclose(s, nil)
	if name := target.Name.Local; err == nil && (name == "symbol" || name == "svg") {
		err = d.group(target, d.styled(s, target), e)
	} else if err == nil {
		err = d.inside(&element{children: []*element{target}}, s)
	}
	d.raw("Q\n")
	return err
}

func (d *drawing) raw(text string) { d.out = append(d.out, text...) }

func (d *drawing) numbers(all ...float64) {
	for _, n := range all {
		d.out = append(appendFine(d.out, sane(n)), ' ')
	}
}

func (d *drawing) matrix(m ...float64) { d.operator("cm\n", m...) }

func (d *drawing) operator(name string, operands ...float64) {
	d.numbers(operands...)
	d.raw(name)
}

// sane returns a number that PDF can represent.
func sane(n float64) float64 {
	if n > 1e9 || n < -1e9 || n != n {
		return 0
	}
	return n
}
