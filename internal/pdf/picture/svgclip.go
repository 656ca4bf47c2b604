package picture

import (
	"cmp"
	"fmt"
	"math"
	"strings"
)

// reference returns the element of that name in a value such as url(#id), or nil.
func (d *drawing) reference(value, name string) *element {
	id, ok := strings.CutPrefix(value, "url(")
	if !ok {
		return nil
	}
	id, _, _ = strings.Cut(id, ")")
	if e := d.ids[strings.Trim(id, `#"' `)]; e != nil && e.Name.Local == name {
		return e
	}
	return nil
}

// enclose applies the clipping path and mask of an element to further drawing. path is that of a shape.
func (d *drawing) enclose(s style, path []step) error {
	if s.clip != "" && s.clip != "none" {
		if c := d.reference(s.clip, "clipPath"); c != nil {
			d.cut(c, s, path, 0)
		} else if !strings.HasPrefix(s.clip, "url(") {
			d.left["clip-path"] = true
		}
	}
	if m := d.reference(s.mask, "mask"); m != nil {
		return d.mask(m, s, path)
	}
	return nil
}

// placed draws with the transformation, clipping path and mask of a style.
func (d *drawing) placed(s style, path []step, draw func() error) error {
	d.raw("q\n")
	d.transform(s.transform)
	err := d.enclose(s, path)
	if err == nil {
		err = draw()
	}
	d.raw("Q\n")
	return err
}

// clip clips further drawing to the written path.
func (d *drawing) clip(evenOdd bool) {
	if evenOdd {
		d.raw("W* n\n")
	} else {
		d.raw("W n\n")
	}
}

// box returns the transformation from the unit square to the bounding box, if units say so; ok is false
// if that is unknown.
func (d *drawing) box(e *element, units string, path []step) (m [6]float64, ok bool) {
	if e.attribute(units) != "objectBoundingBox" {
		return [6]float64{1, 0, 0, 1, 0, 0}, true
	}
	if len(path) == 0 {
		d.left[e.Name.Local] = true
		return m, false
	}
	left, top, width, height := extent(path)
	return [6]float64{width, 0, 0, height, left, top}, true
}

// cut writes a clipping path.
func (d *drawing) cut(c *element, s style, path []step, depth int) {
	m, ok := d.box(c, "clipPathUnits", path)
	if !ok || depth > 4 {
		return
	}
	base := defaultStyle()
	base.view, base.variables = s.view, s.variables
	own := d.styled(base, c)
	m = transformed(own.transform, m)
	evenOdd, some := false, false
	for _, child := range c.children {
		inner := d.styled(own, child)
		place := transformed(inner.transform, m)
		if id, local := strings.CutPrefix(child.attribute("href"), "#"); child.Name.Local == "use" && local && d.ids[id] != nil {
			place = times([6]float64{1, 0, 0, 1, inner.length(child.attribute("x"), along), inner.length(child.attribute("y"), down)}, place)
			child = d.ids[id]
			inner = d.styled(inner, child)
			place = transformed(inner.transform, place)
		}
		switch child.Name.Local {
		case "path", "rect", "circle", "ellipse", "polygon", "polyline", "line":
			if inner.gone || inner.hidden {
				continue
			}
			outline := moved(inner.outline(child), place)
			d.source += len(child.attribute("d"))
			d.steps(outline)
			some = some || len(outline) > 0
			evenOdd = evenOdd || inner.clipEvenOdd
		case "", "title", "desc", "metadata":
		default:
			d.left["clipPath"] = true
		}
	}
	if !some {
		d.raw("0 0 0 0 re\n")
	}
	d.clip(evenOdd)
	if next := d.reference(own.clip, "clipPath"); next != nil && next != c {
		d.cut(next, s, path, depth+1)
	}
}

// times returns the composition of two transformations.
func times(first, then [6]float64) (m [6]float64) {
	for i := 0; i < 6; i += 2 {
		x, y := first[i], first[i+1]
		m[i], m[i+1] = x*then[0]+y*then[2], x*then[1]+y*then[3]
	}
	m[4], m[5] = m[4]+then[4], m[5]+then[5]
	return m
}

func moved(path []step, m [6]float64) []step {
	if m == [6]float64{1, 0, 0, 1, 0, 0} {
		return path
	}
	var all []step
	for _, s := range path {
		if s.op == "re" {
			x, y, w, h := s.at[0], s.at[1], s.at[2], s.at[3]
			all = append(all, moved([]step{{"m", []float64{x, y}}, {"l", []float64{x + w, y}}, {"l", []float64{x + w, y + h}}, {"l", []float64{x, y + h}}, {op: "h"}}, m)...)
			continue
		}
		at := make([]float64, len(s.at))
		for i := 0; i+1 < len(at); i += 2 {
			x, y := s.at[i], s.at[i+1]
			at[i], at[i+1] = x*m[0]+y*m[2]+m[4], x*m[1]+y*m[3]+m[5]
		}
		all = append(all, step{s.op, at})
	}
	return all
}

// everywhere is a box around anything visible.
const everywhere = "[-32000 -32000 32000 32000]"

// veil returns the name of a state that masks drawing by the luminosity or opacity of draw.
func (d *drawing) veil(kind, space string, draw func()) string {
	ref := d.file.Reserve()
	d.form(ref, everywhere, "/Group<</S/Transparency/CS/"+space+">>", d.apart(draw))
	return d.stateOf(fmt.Sprintf("<</SMask<</S/%s/G %v>>>>", kind, ref))
}

// mask applies a mask to further drawing.
func (d *drawing) mask(m *element, s style, path []step) (err error) {
	if d.using[m] {
		return nil
	}
	box, ok := d.box(m, "maskContentUnits", path)
	if !ok {
		return nil
	}
	ofPlane := m.attribute("maskContentUnits") != "objectBoundingBox"
	name := d.masks[m]
	if name == "" || !ofPlane {
		d.using[m] = true
		defer delete(d.using, m)
		base := defaultStyle()
		base.view, base.variables = s.view, s.variables
		inner, kind := d.styled(base, m), "Luminosity"
		if m.attribute("mask-type") == "alpha" || strings.Contains(m.attribute("style"), "mask-type:alpha") || strings.Contains(m.attribute("style"), "mask-type: alpha") {
			kind = "Alpha"
		}
		name = d.veil(kind, "DeviceRGB", func() {
			d.matrix(box[:]...)
			err = d.inside(m, inner)
		})
		d.masks[m] = name
	}
	d.raw("/" + name + " gs\n")
	return err
}

// maxTiles limits how often a pattern is drawn per shape.
const maxTiles = 4096

func (d *drawing) tile(p *element, path []step, s style) error {
	e := p
	for range maxFrom { // the pattern that has its content
		id := strings.TrimPrefix(e.attribute("href"), "#")
		if len(e.children) > 0 || d.ids[id] == nil || d.ids[id].Name.Local != "pattern" {
			break
		}
		e = d.ids[id]
	}
	named := func(name string) string { return cmp.Or(p.attribute(name), e.attribute(name)) }
	if d.using[e] {
		return nil
	}
	base := defaultStyle()
	base.view, base.variables = s.view, s.variables
	inner := d.styled(base, e)
	left, top, width, height := extent(path)
	at := [4]float64{}
	for i, name := range []string{"x", "y", "width", "height"} {
		v, unit := measure(named(name))
		switch {
		case named("patternUnits") == "userSpaceOnUse":
			at[i] = inner.length(named(name), axis(i%2))
		case unit == "%":
			v /= 100
			fallthrough
		default:
			at[i] = v * []float64{width, height}[i%2]
		}
	}
	if named("patternUnits") != "userSpaceOnUse" {
		at[0], at[1] = at[0]+left, at[1]+top
	}
	m := transformed(named("patternTransform"), [6]float64{1, 0, 0, 1, 0, 0})
	if at[2] <= 0 || at[3] <= 0 {
		return nil
	}
	// Only tiles that overlap the shape are drawn.
	inverse, ok := inverted(m)
	l, t, w, h := extent(moved([]step{{"re", []float64{left, top, width, height}}}, inverse))
	fromX, toX := math.Floor((l-at[0])/at[2]), math.Ceil((l+w-at[0])/at[2])
	fromY, toY := math.Floor((t-at[1])/at[3]), math.Ceil((t+h-at[1])/at[3])
	if count := (toX - fromX) * (toY - fromY); !ok || !(count <= maxTiles) {
		d.left["pattern"] = true
		return nil
	}
	d.using[e] = true
	defer delete(d.using, e)
	ref, err := d.file.Reserve(), error(nil)
	operators := d.apart(func() {
		switch box := floats(named("viewBox")); {
		case len(box) == 4 && box[2] > 0 && box[3] > 0:
			f := fit(e, [4]float64(box), at[2], at[3])
			d.matrix(f[:]...)
		case named("patternContentUnits") == "objectBoundingBox":
			d.matrix(width, 0, 0, height, 0, 0)
		}
		err = d.inside(e, inner)
	})
	d.form(ref, fmt.Sprintf("[0 0 %s %s]", appendFine(nil, sane(at[2])), appendFine(nil, sane(at[3]))), "", operators)
	name := d.object(ref)
	d.raw("q\n")
	d.steps(path)
	d.clip(s.evenOdd)
	d.matrix(m[:]...)
	for y := fromY; y < toY; y++ {
		for x := fromX; x < toX; x++ {
			d.raw("q\n")
			d.matrix(1, 0, 0, 1, at[0]+x*at[2], at[1]+y*at[3])
			d.raw("/" + name + " Do\nQ\n")
		}
	}
	d.raw("Q\n")
	return err
}

func inverted(m [6]float64) (n [6]float64, ok bool) {
	det := m[0]*m[3] - m[1]*m[2]
	if math.Abs(det) < 1e-9 {
		return n, false
	}
	n = [6]float64{m[3] / det, -m[1] / det, -m[2] / det, m[0] / det, 0, 0}
	n[4], n[5] = -m[4]*n[0]-m[5]*n[2], -m[4]*n[1]-m[5]*n[3]
	return n, true
}
