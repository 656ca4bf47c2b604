package picture

import (
	"math"
	"slices"
	"strings"
)

func (w *wording) path(e *element, s style) {
	target := w.ids[strings.TrimPrefix(e.attribute("href"), "#")]
	if target == nil {
		w.left["textPath"] = true
		return
	}
	inner := w.styled(s, target)
	w.source += len(target.attribute("d"))
	outline := inner.outline(target)
	for t := range transformations(inner.transform) {
		outline = moved(outline, t)
	}
	line := newLine(outline)
	if line == nil {
		return
	}
	offset, unit := measure(e.attribute("startOffset"))
	if unit == "%" {
		offset *= line.length / 100
	}
	w.end()
	before := w.now
	w.line = line
	w.now, w.space = anchored{x: offset, line: line}, true
	w.inside(e, s)
	w.end()
	w.line, w.now = nil, anchored{x: before.x, y: before.y}
}

// along draws a text on a path, letter by letter.
func (d *drawing) along(c *anchored) {
	start := c.start(c.x, 1)
	for _, p := range c.passages {
		at := start + p.at
		for _, letter := range p.text {
			operators, width := d.lettering(string(letter), p.looks)
			width *= p.size
			if x, y, cos, sin, ok := c.line.at(at + width/2); ok && len(d.out)+d.written < maxDrawn {
				x, y = x-cos*width/2+sin*p.rise, y-sin*width/2-cos*p.rise
				d.raw("q\n")
				d.state(p.opacity, p.edge)
				d.matrix(p.size*cos, p.size*sin, p.size*sin, -p.size*cos, x, y)
				d.out = append(d.out, operators...)
				d.raw("Q\n")
			}
			at += width
		}
	}
}

// line is a path as straight segments, for text.
type line struct {
	points [][2]float64
	ends   []float64 // length up to each point
	length float64
}

// newLine flattens a path; it returns nil for an empty one.
func newLine(path []step) *line {
	var l line
	var start [2]float64
	to := func(p [2]float64) {
		if n := len(l.points); n > 0 {
			l.length += math.Hypot(p[0]-l.points[n-1][0], p[1]-l.points[n-1][1])
		}
		l.points, l.ends = append(l.points, p), append(l.ends, l.length)
	}
	for _, s := range moved(path, [6]float64{1, 0, 0, 1, 0, 1e-9}) { // converts rectangles to lines
		switch s.op {
		case "m":
			start = [2]float64{s.at[0], s.at[1]}
			if len(l.points) == 0 {
				to(start)
				continue
			}
			l.points, l.ends = append(l.points, start), append(l.ends, l.length)
		case "l":
			to([2]float64{s.at[0], s.at[1]})
		case "h":
			if len(l.points) > 0 {
				to(start)
			}
		case "c":
			from := l.points[len(l.points)-1]
			const pieces = 16
			for i := 1; i <= pieces; i++ {
				t := float64(i) / pieces
				u := 1 - t
				at := func(k int) float64 {
					return u*u*u*from[k] + 3*u*u*t*s.at[k] + 3*u*t*t*s.at[2+k] + t*t*t*s.at[4+k]
				}
				to([2]float64{at(0), at(1)})
			}
		}
	}
	if l.length <= 0 || math.IsNaN(l.length) || math.IsInf(l.length, 0) {
		return nil
	}
	return &l
}

// at returns the point and direction at a distance from the start; ok is false outside of the path.
func (l *line) at(distance float64) (x, y, cos, sin float64, ok bool) {
	if distance < 0 || distance > l.length {
		return 0, 0, 1, 0, false
	}
	i, _ := slices.BinarySearch(l.ends, distance)
	i = min(max(i, 1), len(l.ends)-1)
	a, b, piece := l.points[i-1], l.points[i], l.ends[i]-l.ends[i-1]
	if piece <= 0 {
		return b[0], b[1], 1, 0, true
	}
	t := (distance - l.ends[i-1]) / piece
	return a[0] + t*(b[0]-a[0]), a[1] + t*(b[1]-a[1]), (b[0] - a[0]) / piece, (b[1] - a[1]) / piece, true
}
