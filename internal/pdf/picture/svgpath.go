package picture

import (
	"cmp"
	"math"
	"strconv"
	"strings"
)

// step is a path operator with operands.
type step struct {
	op string
	at []float64
}

func (s *style) outline(e *element) []step {
	x := func(name string) float64 { return s.length(s.attribute(e, name), along) }
	y := func(name string) float64 { return s.length(s.attribute(e, name), down) }
	switch e.Name.Local {
	case "path":
		return parsePath(e.attribute("d"))
	case "rect":
		return roundedRect(x("x"), y("y"), x("width"), y("height"), x("rx"), y("ry"))
	case "circle":
		r := s.length(s.attribute(e, "r"), across)
		return ellipse(x("cx"), y("cy"), r, r)
	case "ellipse":
		return ellipse(x("cx"), y("cy"), x("rx"), y("ry"))
	case "line":
		return []step{{"m", []float64{x("x1"), y("y1")}}, {"l", []float64{x("x2"), y("y2")}}}
	}
	points := floats(e.attribute("points"))
	var path []step
	for i := 0; i+1 < len(points); i += 2 {
		op := "l"
		if i == 0 {
			op = "m"
		}
		path = append(path, step{op, points[i : i+2]})
	}
	if e.Name.Local == "polygon" && len(path) > 0 {
		path = append(path, step{op: "h"})
	}
	return path
}

// quarter is the distance of the control points of a curve that approximates a quarter circle.
const quarter = 0.5522847498

func ellipse(x, y, rx, ry float64) []step {
	if rx <= 0 || ry <= 0 {
		return nil
	}
	return roundedRect(x-rx, y-ry, 2*rx, 2*ry, rx, ry)
}

func roundedRect(x, y, w, h, rx, ry float64) []step {
	if w <= 0 || h <= 0 {
		return nil
	}
	rx, ry = min(cmp.Or(rx, ry), w/2), min(cmp.Or(ry, rx), h/2)
	if rx <= 0 {
		return []step{{"re", []float64{x, y, w, h}}}
	}
	kx, ky := rx*(1-quarter), ry*(1-quarter)
	return []step{
		{"m", []float64{x + rx, y}},
		{"l", []float64{x + w - rx, y}},
		{"c", []float64{x + w - kx, y, x + w, y + ky, x + w, y + ry}},
		{"l", []float64{x + w, y + h - ry}},
		{"c", []float64{x + w, y + h - ky, x + w - kx, y + h, x + w - rx, y + h}},
		{"l", []float64{x + rx, y + h}},
		{"c", []float64{x + kx, y + h, x, y + h - ky, x, y + h - ry}},
		{"l", []float64{x, y + ry}},
		{"c", []float64{x, y + ky, x + kx, y, x + rx, y}},
		{op: "h"},
	}
}

// floats parses numbers separated as in SVG: by spaces, commas, signs and second points.
func floats(s string) []float64 {
	var all []float64
	for s = strings.TrimLeft(s, ", \t\r\n"); s != ""; s = strings.TrimLeft(s, ", \t\r\n") {
		n := numberLength(s)
		v, err := strconv.ParseFloat(s[:n], 64)
		if err != nil {
			return all
		}
		all, s = append(all, v), s[n:]
	}
	return all
}

func numberLength(s string) int {
	point, exponent := false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case '0' <= c && c <= '9':
		case (c == '-' || c == '+') && (i == 0 || s[i-1] == 'e' || s[i-1] == 'E'):
		case c == '.' && !point && !exponent:
			point = true
		case (c == 'e' || c == 'E') && !exponent && i > 0:
			exponent = true
		default:
			return i
		}
	}
	return len(s)
}

// operands is the number of operands of each path command.
var operands = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'C': 6, 'S': 4, 'Q': 4, 'T': 2, 'A': 7, 'Z': 0}

type pen struct {
	path               []step
	x, y               float64
	startX, startY     float64
	handleX, handleY   float64 // of the last curve
	lastCubic, lastTwo bool
}

// parsePath parses path data up to the first error.
func parsePath(data string) []step {
	var p pen
	for data = strings.TrimLeft(data, ", \t\r\n"); data != ""; {
		command := data[0]
		upper := command &^ 0x20
		count, known := operands[upper]
		if !known {
			return p.path
		}
		end := 1
		for end < len(data) && !strings.ContainsRune("MmLlHhVvCcSsQqTtAaZz", rune(data[end])) {
			end++
		}
		text := data[1:end]
		if upper == 'A' {
			text = spaceFlags(text)
		}
		n := floats(text)
		data = data[end:]
		if count == 0 {
			p.close()
			continue
		}
		for len(n) >= count {
			p.draw(upper, command != upper, n[:count])
			n = n[count:]
			if upper == 'M' {
				upper, command = 'L', command-'M'+'L'
			}
		}
	}
	return p.path
}

// spaceFlags separates the flags of arcs, which may be written without spaces.
func spaceFlags(s string) string {
	var b strings.Builder
	for i := 0; ; i++ {
		s = strings.TrimLeft(s, ", \t\r\n")
		if s == "" {
			return b.String()
		}
		n := numberLength(s)
		if i%7 == 3 || i%7 == 4 {
			n = 1
		}
		if n == 0 {
			return b.String()
		}
		b.WriteString(s[:n] + " ")
		s = s[n:]
	}
}

func (p *pen) close() {
	if len(p.path) > 0 {
		p.path = append(p.path, step{op: "h"})
	}
	p.x, p.y, p.lastCubic, p.lastTwo = p.startX, p.startY, false, false
}

func (p *pen) draw(command byte, relative bool, n []float64) {
	n = append([]float64(nil), n...)
	if relative {
		p.absolute(command, n)
	}
	if len(p.path) == 0 && command != 'M' {
		return
	}
	cubic, two := false, false
	switch command {
	case 'M':
		p.startX, p.startY = n[0], n[1]
		p.add("m", n...)
	case 'L':
		p.add("l", n...)
	case 'H':
		p.add("l", n[0], p.y)
	case 'V':
		p.add("l", p.x, n[0])
	case 'C':
		p.handleX, p.handleY, cubic = n[2], n[3], true
		p.add("c", n...)
	case 'S':
		x, y := p.reflected(p.lastCubic)
		p.handleX, p.handleY, cubic = n[0], n[1], true
		p.add("c", x, y, n[0], n[1], n[2], n[3])
	case 'Q':
		p.quadratic(n[0], n[1], n[2], n[3])
		two = true
	case 'T':
		x, y := p.reflected(p.lastTwo)
		p.quadratic(x, y, n[0], n[1])
		two = true
	case 'A':
		p.arc(n[0], n[1], n[2], n[3] != 0, n[4] != 0, n[5], n[6])
	}
	p.lastCubic, p.lastTwo = cubic, two
}

// absolute converts relative operands.
func (p *pen) absolute(command byte, n []float64) {
	switch command {
	case 'H':
		n[0] += p.x
	case 'V':
		n[0] += p.y
	case 'A':
		n[5], n[6] = n[5]+p.x, n[6]+p.y
	default:
		for i := range n {
			if i%2 == 0 {
				n[i] += p.x
			} else {
				n[i] += p.y
			}
		}
	}
}

func (p *pen) add(op string, at ...float64) {
	p.path = append(p.path, step{op, at})
	p.x, p.y = at[len(at)-2], at[len(at)-1]
}

// reflected returns the reflected control point of the last curve.
func (p *pen) reflected(curve bool) (x, y float64) {
	if !curve {
		return p.x, p.y
	}
	return 2*p.x - p.handleX, 2*p.y - p.handleY
}

func (p *pen) quadratic(hx, hy, x, y float64) {
	p.handleX, p.handleY = hx, hy
	p.add("c", p.x+(hx-p.x)*2/3, p.y+(hy-p.y)*2/3, x+(hx-x)*2/3, y+(hy-y)*2/3, x, y)
}

// arc adds an elliptical arc as curves (SVG 1.1, F.6).
func (p *pen) arc(rx, ry, rotation float64, large, sweep bool, x, y float64) {
	rx, ry = math.Abs(rx), math.Abs(ry)
	if rx == 0 || ry == 0 || x == p.x && y == p.y {
		p.add("l", x, y)
		return
	}
	sin, cos := math.Sincos(rotation * math.Pi / 180)
	dx, dy := (p.x-x)/2, (p.y-y)/2
	x1, y1 := cos*dx+sin*dy, cos*dy-sin*dx
	if over := x1*x1/(rx*rx) + y1*y1/(ry*ry); over > 1 {
		rx, ry = rx*math.Sqrt(over), ry*math.Sqrt(over)
	}
	factor := math.Sqrt(max(0, (rx*rx*ry*ry-rx*rx*y1*y1-ry*ry*x1*x1)/(rx*rx*y1*y1+ry*ry*x1*x1)))
	if large == sweep {
		factor = -factor
	}
	cx1, cy1 := factor*rx*y1/ry, -factor*ry*x1/rx
	cx, cy := cos*cx1-sin*cy1+(p.x+x)/2, sin*cx1+cos*cy1+(p.y+y)/2
	from := math.Atan2((y1-cy1)/ry, (x1-cx1)/rx)
	turn := math.Atan2((-y1-cy1)/ry, (-x1-cx1)/rx) - from
	if sweep && turn < 0 {
		turn += 2 * math.Pi
	} else if !sweep && turn > 0 {
		turn -= 2 * math.Pi
	}
	parts := math.Ceil(math.Abs(turn) / (math.Pi / 2))
	each := turn / parts
	handle := 4.0 / 3 * math.Tan(each/4)
	place := func(a, shift float64) (float64, float64) {
		s, c := math.Sincos(a)
		ex, ey := rx*(c-shift*s), ry*(s+shift*c)
		return cx + cos*ex - sin*ey, cy + sin*ex + cos*ey
	}
	for i := range int(parts) {
		a := from + float64(i)*each
		ax, ay := place(a, handle)
		bx, by := place(a+each, -handle)
		ex, ey := place(a+each, 0)
		p.add("c", ax, ay, bx, by, ex, ey)
	}
}
