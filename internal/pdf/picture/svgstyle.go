package picture

import (
	"bytes"
	"encoding/xml"
	"math"
	"strconv"
	"strings"
)

// style is what of the style of an element is drawn; elements inside inherit it.
type style struct {
	fill, stroke string
	color        string // what currentColor means
	width        float64
	evenOdd      bool
	hidden       bool
}

func defaultStyle() style { return style{fill: "black", stroke: "none", color: "black", width: 1} }

// with returns the style of an element inside.
func (s style) with(e xml.StartElement) style {
	for _, a := range e.Attr {
		if a.Name.Local == "style" {
			for _, declaration := range strings.Split(a.Value, ";") {
				name, value, _ := strings.Cut(declaration, ":")
				s.set(strings.TrimSpace(name), strings.TrimSpace(value))
			}
		} else {
			s.set(a.Name.Local, strings.TrimSpace(a.Value))
		}
	}
	return s
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
		s.hidden = s.hidden || value == "none"
	case "visibility":
		s.hidden = s.hidden || value == "hidden"
	case "opacity", "fill-opacity":
		if v, err := strconv.ParseFloat(value, 64); err == nil && v == 0 {
			s.fill = "none"
		}
	}
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
	s = strings.ToLower(s)
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		if len(hex) == 3 || len(hex) == 4 {
			hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
		}
		v, err := strconv.ParseUint(hex[:min(len(hex), 6)], 16, 32)
		if err != nil || len(hex) < 6 {
			return rgba{}, false
		}
		return rgba{float64(v>>16) / 255, float64(v>>8&255) / 255, float64(v&255) / 255}, true
	}
	if _, inner, ok := strings.Cut(s, "rgb"); ok {
		n := floats(strings.Trim(inner, "a() "))
		if len(n) >= 3 {
			return rgba{n[0] / 255, n[1] / 255, n[2] / 255}, true
		}
	}
	v, ok := named[s]
	return rgba{float64(v>>16) / 255, float64(v>>8&255) / 255, float64(v&255) / 255}, ok
}

// named are the names of colours that drawings use most.
var named = map[string]uint32{
	"black": 0, "white": 0xffffff, "red": 0xff0000, "green": 0x008000, "blue": 0x0000ff, "yellow": 0xffff00, "orange": 0xffa500,
	"gray": 0x808080, "grey": 0x808080, "silver": 0xc0c0c0, "navy": 0x000080, "teal": 0x008080, "purple": 0x800080, "maroon": 0x800000,
	"lime": 0x00ff00, "aqua": 0x00ffff, "cyan": 0x00ffff, "magenta": 0xff00ff, "fuchsia": 0xff00ff, "olive": 0x808000, "pink": 0xffc0cb,
	"brown": 0xa52a2a, "gold": 0xffd700, "lightgray": 0xd3d3d3, "lightgrey": 0xd3d3d3, "darkgray": 0xa9a9a9, "darkgrey": 0xa9a9a9,
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
