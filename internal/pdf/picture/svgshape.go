package picture

import (
	"math"
	"strconv"
	"strings"
)

// shape draws a path or shape, and the marks at its ends.
func (d *drawing) shape(e *element, s style) error {
	if s.hidden || s.gone {
		return nil
	}
	path := outline(e.StartElement)
	if len(path) == 0 {
		return nil
	}
	d.raw("q\n")
	d.transform(e.attribute("transform"))
	d.paintPath(e, path, s)
	err := d.marks(path, s)
	d.raw("Q\n")
	return err
}

// paintPath fills a path and draws along it.
func (d *drawing) paintPath(e *element, path []step, s style) {
	fill, filled := d.paint(s.fill, s)
	stroke, stroked := d.paint(s.stroke, s)
	stroked = stroked && s.width > 0
	if e.Name.Local == "line" {
		filled = false
	}
	fillOpacity, strokeOpacity := s.opacity*s.fillOpacity*fill.color.opacity(), s.opacity*s.strokeOpacity*stroke.color.opacity()
	if filled = filled && fillOpacity > 0; !filled {
		fillOpacity = 1
	}
	if stroked = stroked && strokeOpacity > 0; !stroked {
		strokeOpacity = 1
	}
	if !filled && !stroked {
		return
	}
	d.state(fillOpacity, strokeOpacity)
	if filled && fill.gradient != nil {
		d.pour(fill.gradient, path, s.evenOdd)
		filled = false
	}
	if filled {
		d.raw(fill.color.String() + " rg\n")
	}
	if stroked {
		d.raw(stroke.color.String() + " RG\n")
		d.line(s)
	}
	operator := ""
	switch {
	case filled && stroked:
		operator = "B"
	case stroked:
		operator = "S"
	case filled:
		operator = "f"
	default:
		return
	}
	d.steps(path)
	if s.evenOdd && filled {
		operator += "*"
	}
	d.raw(operator + "\n")
}

// line writes how lines are drawn.
func (d *drawing) line(s style) {
	d.numbers(s.width)
	d.raw("w\n")
	if s.limit != miterLimit {
		d.numbers(s.limit)
		d.raw("M\n")
	}
	if s.cap != 0 {
		d.numbers(float64(s.cap))
		d.raw("J\n")
	}
	if s.join != 0 {
		d.numbers(float64(s.join))
		d.raw("j\n")
	}
	if len(s.dashes) > 0 {
		d.raw("[")
		d.numbers(s.dashes...)
		d.raw("] ")
		d.numbers(s.offset)
		d.raw("d\n")
	}
}

// steps writes a path.
func (d *drawing) steps(path []step) {
	for _, p := range path {
		d.numbers(p.at...)
		d.out = append(d.out, p.op...)
		d.out = append(d.out, '\n')
	}
}

// state makes what follows transparent, if it is.
func (d *drawing) state(fill, stroke float64) {
	if fill >= 1 && stroke >= 1 {
		return
	}
	entry := string(appendFine([]byte("/ca "), math.Round(min(fill, 1)*1000)/1000))
	entry = "<<" + string(appendFine([]byte(entry+"/CA "), math.Round(min(stroke, 1)*1000)/1000)) + ">>"
	label := d.named[entry]
	if label == "" {
		label = "E" + strconv.Itoa(len(d.states))
		d.named[entry] = label
		d.states = append(d.states, "/"+label+entry)
	}
	d.raw("/" + label + " gs\n")
}

// marks draws what stands at the start and the end of a path, such as the head
// of an arrow.
func (d *drawing) marks(path []step, s style) error {
	if s.markStart == "" && s.markEnd == "" {
		return nil
	}
	points := corners(path)
	if len(points) < 2 {
		return nil
	}
	angle := func(from, to [2]float64) float64 { return math.Atan2(to[1]-from[1], to[0]-from[0]) * 180 / math.Pi }
	if err := d.mark(s.markStart, points[0], angle(points[0], points[1]), true, s); err != nil {
		return err
	}
	last := len(points) - 1
	return d.mark(s.markEnd, points[last], angle(points[last-1], points[last]), false, s)
}

// corners returns the points that a path passes and is bent by, without those
// that lie on the one before.
func corners(path []step) (points [][2]float64) {
	for _, s := range path {
		for i := 0; i+1 < len(s.at) && s.op != "re"; i += 2 {
			p := [2]float64{s.at[i], s.at[i+1]}
			if n := len(points); n == 0 || points[n-1] != p {
				points = append(points, p)
			}
		}
	}
	return points
}

// mark draws a mark at a point.
func (d *drawing) mark(reference string, at [2]float64, angle float64, start bool, s style) error {
	id, ok := strings.CutPrefix(reference, "url(")
	if !ok {
		return nil
	}
	m := d.ids[strings.Trim(id, `)#"' `)]
	if m == nil || m.Name.Local != "marker" || d.using[m] {
		return nil
	}
	d.using[m] = true
	defer delete(d.using, m)
	switch orient := m.attribute("orient"); {
	case orient == "auto-start-reverse" && start:
		angle += 180
	case orient != "auto" && orient != "auto-start-reverse":
		angle = length(strings.TrimSuffix(orient, "deg"))
	}
	size := func(name string) float64 {
		if v := length(m.attribute(name)); v > 0 {
			return v
		}
		return 3
	}
	scale := 1.0
	if m.attribute("markerUnits") != "userSpaceOnUse" {
		scale = s.width
	}
	sin, cos := math.Sincos(angle * math.Pi / 180)
	d.raw("q\n")
	d.matrix(scale*cos, scale*sin, -scale*sin, scale*cos, at[0], at[1])
	if box := floats(m.attribute("viewBox")); len(box) == 4 && box[2] > 0 && box[3] > 0 {
		k := min(size("markerWidth")/box[2], size("markerHeight")/box[3])
		d.matrix(k, 0, 0, k, 0, 0)
	}
	d.matrix(1, 0, 0, 1, -length(m.attribute("refX")), -length(m.attribute("refY")))
	inner := d.styled(defaultStyle(), m)
	inner.opacity = s.opacity
	err := d.inside(m, inner)
	d.raw("Q\n")
	return err
}
