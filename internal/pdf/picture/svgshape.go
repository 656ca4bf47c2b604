package picture

import (
	"math"
	"strconv"
	"strings"
)

func (d *drawing) shape(e *element, s style) error {
	if s.hidden || s.gone {
		return nil
	}
	path := s.outline(e)
	if len(path) == 0 {
		return nil
	}
	return d.placed(s, path, func() error {
		if err := d.paintPath(e, path, s); err != nil {
			return err
		}
		return d.allMarks(path, s)
	})
}

func (d *drawing) paintPath(e *element, path []step, s style) (err error) {
	fill, filled := d.paint(s.fill, s)
	stroke, stroked := d.paint(s.stroke, s)
	if stroke.pattern != nil {
		d.left["pattern"] = true
	}
	stroked = stroked && s.width > 0 && stroke.pattern == nil
	if e.Name.Local == "line" {
		filled = false
	}
	if fill.gradient != nil {
		fill.color.clear = 0 // its stops have the transparency
	}
	along := stroke.gradient
	if along != nil && stroked && along.fits(path) {
		stroked = false
		defer func() { d.pourAlong(along, path, s) }()
	}
	fillOpacity, strokeOpacity := s.opacity*s.fillOpacity*fill.color.opacity(), s.opacity*s.strokeOpacity*stroke.color.opacity()
	if filled = filled && fillOpacity > 0; !filled {
		fillOpacity = 1
	}
	if stroked = stroked && strokeOpacity > 0; !stroked {
		strokeOpacity = 1
	}
	if !filled && !stroked {
		return nil
	}
	d.state(fillOpacity, strokeOpacity)
	switch {
	case !filled:
	case fill.pattern != nil:
		err = d.tile(fill.pattern, path, s)
		filled = false
	case fill.gradient != nil:
		d.pour(fill.gradient, path, path, s.evenOdd)
		filled = false
	default:
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
		return err
	}
	if s.edgeFirst && operator == "B" {
		d.steps(path)
		d.raw("S\n")
		operator = "f"
	}
	d.steps(path)
	if s.evenOdd && filled {
		operator += "*"
	}
	d.raw(operator + "\n")
	return err
}

func (d *drawing) line(s style) {
	d.operator("w\n", s.width)
	if s.limit != miterLimit {
		d.operator("M\n", s.limit)
	}
	if s.cap != 0 {
		d.operator("J\n", float64(s.cap))
	}
	if s.join != 0 {
		d.operator("j\n", float64(s.join))
	}
	if len(s.dashes) > 0 {
		d.raw("[")
		d.numbers(s.dashes...)
		d.raw("] ")
		d.operator("d\n", s.offset)
	}
}

func (d *drawing) steps(path []step) {
	for _, p := range path {
		d.numbers(p.at...)
		d.out = append(d.out, p.op...)
		d.out = append(d.out, '\n')
	}
}

// state sets the opacity of what follows, if needed.
func (d *drawing) state(fill, stroke float64) {
	if fill >= 1 && stroke >= 1 {
		return
	}
	entry := string(appendFine([]byte("/ca "), math.Round(min(fill, 1)*1000)/1000))
	entry = "<<" + string(appendFine([]byte(entry+"/CA "), math.Round(min(stroke, 1)*1000)/1000)) + ">>"
	d.raw("/" + d.stateOf(entry) + " gs\n")
}

// stateOf adds a state to the resources once and returns its name.
func (d *drawing) stateOf(entry string) string {
	label := d.named[entry]
	if label == "" {
		label = "E" + strconv.Itoa(len(d.states))
		d.named[entry] = label
		d.states = append(d.states, "/"+label+entry)
	}
	return label
}

// allMarks draws the markers of a path, such as arrow heads.
func (d *drawing) allMarks(path []step, s style) error {
	if s.marks == [3]string{} {
		return nil
	}
	points := corners(path)
	for i, c := range points {
		which := 1
		switch {
		case i == 0:
			which = 0
			if len(points) == 1 { // of length 0
				if err := d.mark(s.marks[2], c.at, 0, false, s); err != nil {
					return err
				}
			}
		case i == len(points)-1:
			which = 2
		}
		if err := d.mark(s.marks[which], c.at, c.angle(), which == 0, s); err != nil {
			return err
		}
	}
	return nil
}

// corner is a vertex of a path with its neighbours.
type corner struct {
	at, from, to [2]float64
}

// angle returns the direction of the path at the vertex in degrees.
func (c corner) angle() float64 {
	x, y := 0.0, 0.0
	for _, v := range [][2]float64{{c.at[0] - c.from[0], c.at[1] - c.from[1]}, {c.to[0] - c.at[0], c.to[1] - c.at[1]}} {
		if length := math.Hypot(v[0], v[1]); length > 0 {
			x, y = x+v[0]/length, y+v[1]/length
		}
	}
	return math.Atan2(y, x) * 180 / math.Pi
}

// corners returns the vertices of a path, at most maxMarks, without repetitions.
func corners(path []step) (all []corner) {
	for _, s := range path {
		n := len(s.at)
		if s.op == "re" || n < 2 {
			continue
		}
		end := [2]float64{s.at[n-2], s.at[n-1]}
		if len(all) == 0 {
			all = append(all, corner{end, end, end})
			continue
		}
		last := &all[len(all)-1]
		from, before := last.at, end
		for i := 0; i+1 < n && before == end; i += 2 { // first control point different from the vertex
			if p := [2]float64{s.at[i], s.at[i+1]}; p != last.at {
				last.to = p
				break
			}
		}
		for i := n - 4; i >= 0; i -= 2 {
			if p := [2]float64{s.at[i], s.at[i+1]}; p != end {
				from = p
				break
			}
		}
		if end != last.at && len(all) < maxMarks {
			all = append(all, corner{end, from, end})
		}
	}
	return all
}

const maxMarks = 4096

func (d *drawing) mark(reference string, at [2]float64, angle float64, start bool, s style) error {
	m := d.reference(reference, "marker")
	if m == nil || d.using[m] {
		return nil
	}
	d.using[m] = true
	defer delete(d.using, m)
	inner := defaultStyle()
	inner.view, inner.variables, inner.around = s.view, s.variables, [2]string{s.fill, s.stroke}
	inner = d.styled(inner, m)
	inner.opacity = s.opacity
	switch orient := m.attribute("orient"); {
	case orient == "auto-start-reverse" && start:
		angle += 180
	case orient != "auto" && orient != "auto-start-reverse":
		angle = length(strings.TrimSuffix(orient, "deg"))
	}
	size := func(name string) float64 {
		if v := s.length(m.attribute(name), across); v > 0 {
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
	shown := [4]float64{0, 0, size("markerWidth"), size("markerHeight")}
	if box := floats(m.attribute("viewBox")); len(box) == 4 && box[2] > 0 && box[3] > 0 {
		k := min(shown[2]/box[2], shown[3]/box[3])
		d.matrix(k, 0, 0, k, 0, 0)
		shown = [4]float64(box)
	}
	d.matrix(1, 0, 0, 1, -length(m.attribute("refX")), -length(m.attribute("refY")))
	if overflow := m.attribute("overflow") + m.attribute("style"); !strings.Contains(overflow, "visible") {
		d.operator("re\nW n\n", shown[:]...)
	}
	err := d.inside(m, inner)
	d.raw("Q\n")
	return err
}
