package picture

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// miterLimit is how sharp corners are in SVG unless they say so, which is not
// what PDF begins with.
const miterLimit = 4

// style is what of the style of an element is drawn; elements inside inherit it.
type style struct {
	fill, stroke string
	color        string // what currentColor means
	width        float64
	evenOdd      bool
	hidden       bool // itself
	gone         bool // with all that it holds

	opacity, fillOpacity, strokeOpacity float64 // opacity is that of all elements around, too

	cap, join   int // as PDF has them
	limit       float64
	dashes      []float64
	offset      float64
	markStart   string
	markEnd     string
	size        float64 // of text
	look        Look
	anchor      string
	baseline    string
	spaceIsKept bool
}

func defaultStyle() style {
	return style{
		fill: "black", stroke: "none", color: "black", width: 1, limit: miterLimit,
		opacity: 1, fillOpacity: 1, strokeOpacity: 1, size: 16,
	}
}

// styled returns the style of an element that stands in one of that style: by
// its attributes, the style sheets, and its own style, each stronger than the
// one before.
func (d *drawing) styled(s style, e *element) style {
	s.baseline = ""
	around, own := s.opacity, &s
	own.opacity = 1
	for _, a := range e.Attr {
		if a.Name.Local != "style" {
			own.set(a.Name.Local, strings.TrimSpace(a.Value))
		}
	}
	d.rulesFor(e, own.declare)
	own.declare(e.attribute("style"))
	s.opacity *= around
	if e.attribute("mask") != "" {
		d.left["mask"] = true
	}
	return s
}

// declare applies declarations of CSS.
func (s *style) declare(text string) {
	for declaration := range strings.SplitSeq(text, ";") {
		name, value, found := strings.Cut(declaration, ":")
		if found {
			value, _, _ = strings.Cut(value, "!important")
			s.set(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
}

func (s *style) set(name, value string) {
	if value == "inherit" {
		return
	}
	switch name {
	case "fill":
		s.fill = value
	case "stroke":
		s.stroke = value
	case "color":
		s.color = value
	case "stroke-width":
		s.width = length(value)
	case "fill-rule":
		s.evenOdd = value == "evenodd"
	case "display":
		s.gone = s.gone || value == "none"
	case "visibility":
		s.hidden = value == "hidden" || value == "collapse"
	case "opacity":
		s.opacity = share(value, s.opacity)
	case "fill-opacity":
		s.fillOpacity = share(value, s.fillOpacity)
	case "stroke-opacity":
		s.strokeOpacity = share(value, s.strokeOpacity)
	case "marker":
		s.markStart, s.markEnd = value, value
	case "marker-start":
		s.markStart = value
	case "marker-end":
		s.markEnd = value
	default:
		s.setLine(name, value)
		s.setText(name, value)
	}
}

// setLine sets how lines are drawn.
func (s *style) setLine(name, value string) {
	switch name {
	case "stroke-linecap":
		s.cap = map[string]int{"round": 1, "square": 2}[value]
	case "stroke-linejoin":
		s.join = map[string]int{"round": 1, "bevel": 2}[value]
	case "stroke-miterlimit":
		s.limit = max(length(value), 1)
	case "stroke-dashoffset":
		s.offset = length(value)
	case "stroke-dasharray":
		s.dashes = nil
		sum := 0.0
		for _, v := range floats(value) {
			if v < 0 || len(s.dashes) == 64 {
				s.dashes = nil
				return
			}
			s.dashes, sum = append(s.dashes, sane(v)), sum+v
		}
		if sum <= 0 {
			s.dashes = nil
		}
	}
}

// setText sets how text looks.
func (s *style) setText(name, value string) {
	switch name {
	case "font-size":
		switch v := length(value); {
		case strings.HasSuffix(value, "%"):
			s.size *= v / 100
		case strings.HasSuffix(value, "em"):
			s.size *= v
		case v > 0:
			s.size = v
		}
	case "font-weight":
		weight, err := strconv.Atoi(value)
		s.look.Bold = value == "bold" || value == "bolder" || err == nil && weight >= 600
	case "font-style":
		s.look.Italic = value == "italic" || value == "oblique"
	case "font-family":
		family := strings.ToLower(value)
		s.look.Mono = strings.Contains(family, "mono") || strings.Contains(family, "courier") || strings.Contains(family, "consolas") || strings.Contains(family, "menlo")
	case "text-anchor":
		s.anchor = value
	case "dominant-baseline", "alignment-baseline":
		s.baseline = value
	case "space", "white-space":
		s.spaceIsKept = value == "preserve" || value == "pre"
	}
}

// share reads a number from 0 to 1, or a percentage.
func share(value string, otherwise float64) float64 {
	digits, percent := strings.CutSuffix(value, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || v != v {
		return otherwise
	}
	if percent {
		v /= 100
	}
	return min(max(v, 0), 1)
}

// ink is what a shape is painted with: a colour, or a gradient with the colour
// that comes nearest.
type ink struct {
	color    rgba
	gradient *gradient
}

// paint returns the ink that a value means; ok is false for none.
func (d *drawing) paint(value string, s style) (i ink, ok bool) {
	if strings.EqualFold(value, "currentColor") {
		value = s.color
	}
	id, isURL := strings.CutPrefix(value, "url(")
	if !isURL {
		i.color, ok = parseColor(value)
		return i, ok
	}
	id, otherwise, _ := strings.Cut(id, ")")
	if i.gradient = d.gradient[strings.Trim(id, `#"' `)]; i.gradient == nil {
		i.color, ok = parseColor(strings.TrimSpace(otherwise))
		return i, ok
	}
	i.color, ok = i.gradient.mean()
	return i, ok
}

// parseColor reads a colour of CSS.
func parseColor(s string) (rgba, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		return parseHex(hex)
	}
	if _, inner, ok := strings.Cut(s, "rgb"); ok {
		var n []float64
		for i, part := range strings.FieldsFunc(strings.Trim(inner, "a() "), func(r rune) bool { return r == ',' || r == ' ' || r == '/' }) {
			whole := 255.0
			if i == 3 {
				whole = 1
			}
			v := share(part, 0)
			if !strings.HasSuffix(part, "%") {
				f, err := strconv.ParseFloat(part, 64)
				if err != nil || f != f {
					return rgba{}, false
				}
				v = min(max(f/whole, 0), 1)
			}
			n = append(n, v)
		}
		switch len(n) {
		case 3:
			return rgba{n[0], n[1], n[2], 0}, true
		case 4:
			return rgba{n[0], n[1], n[2], 1 - n[3]}, true
		}
		return rgba{}, false
	}
	v, ok := colornames.Map[s]
	return rgba{float64(v.R) / 255, float64(v.G) / 255, float64(v.B) / 255, 0}, ok
}

func parseHex(hex string) (rgba, bool) {
	if len(hex) == 3 || len(hex) == 4 {
		long := make([]byte, 0, 8)
		for i := range len(hex) {
			long = append(long, hex[i], hex[i])
		}
		hex = string(long)
	}
	v, err := strconv.ParseUint(hex, 16, 32)
	switch {
	case err != nil || len(hex) != 6 && len(hex) != 8:
		return rgba{}, false
	case len(hex) == 6:
		v = v<<8 | 255
	}
	return rgba{float64(v>>24) / 255, float64(v>>16&255) / 255, float64(v>>8&255) / 255, 1 - float64(v&255)/255}, true
}

// length returns a length in pixels, 0 for one that depends on what is around.
func length(s string) float64 {
	s = strings.TrimSpace(s)
	end := strings.LastIndexAny(s, "0123456789.") + 1
	v, err := strconv.ParseFloat(s[:end], 64)
	if err != nil {
		return 0
	}
	switch strings.ToLower(s[end:]) {
	case "", "px":
		return v
	case "pt":
		return v * 4 / 3
	case "mm":
		return v * 96 / 25.4
	case "cm":
		return v * 96 / 2.54
	case "in":
		return v * 96
	}
	return 0
}

// matrix returns a transformation by its name in SVG.
func matrix(name string, n []float64) (m [6]float64, ok bool) {
	if len(n) == 0 {
		return m, false
	}
	at := func(i int, otherwise float64) float64 {
		if i < len(n) {
			return n[i]
		}
		return otherwise
	}
	angle := n[0] * math.Pi / 180
	switch name {
	case "matrix":
		if len(n) != len(m) {
			return m, false
		}
		return [6]float64(n), true
	case "translate":
		return [6]float64{1, 0, 0, 1, n[0], at(1, 0)}, true
	case "scale":
		return [6]float64{n[0], 0, 0, at(1, n[0]), 0, 0}, true
	case "rotate":
		sin, cos := math.Sincos(angle)
		x, y := at(1, 0), at(2, 0)
		return [6]float64{cos, sin, -sin, cos, x - x*cos + y*sin, y - x*sin - y*cos}, true
	case "skewX":
		return [6]float64{1, 0, math.Tan(angle), 1, 0, 0}, true
	case "skewY":
		return [6]float64{1, math.Tan(angle), 0, 1, 0, 0}, true
	}
	return m, false
}

// appendFine appends a number with six digits behind its point.
func appendFine(dst []byte, v float64) []byte {
	from := len(dst)
	dst = strconv.AppendFloat(dst, v, 'f', 6, 64)
	if bytes.IndexByte(dst[from:], '.') >= 0 {
		dst = append(dst[:from], bytes.TrimRight(bytes.TrimRight(dst[from:], "0"), ".")...)
	}
	if string(dst[from:]) == "-0" {
		dst = append(dst[:from], '0')
	}
	return dst
}
