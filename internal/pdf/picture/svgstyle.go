package picture

import (
	"bytes"
	"cmp"
	"maps"
	"math"
	"strconv"
	"strings"
)

// miterLimit is the default of SVG, which differs from PDF.
const miterLimit = 4

// style is the inherited style of an element.
type style struct {
	fill, stroke string
	color        string // value of currentColor
	width        float64
	evenOdd      bool
	clipEvenOdd  bool
	hidden       bool // only the element itself
	gone         bool // with its descendants

	opacity, fillOpacity, strokeOpacity float64 // opacity includes that of ancestors

	cap, join   int // PDF values
	limit       float64
	dashes      []float64
	offset      float64
	marks       [3]string // markers at start, middle and end
	size        float64   // font size
	look        Look
	anchor      string
	baseline    string
	underlined  bool
	spacing     float64 // letter spacing
	edgeFirst   bool    // stroke before fill
	spaceIsKept bool
	unbroken    bool // HTML text does not wrap
	align       string
	letters     string // text-transform
	leading     string // line height of HTML

	view      [2]float64        // size to which percentages refer
	variables map[string]string // copied on write
	around    [2]string         // fill and stroke of the shape with the current marker

	own // not inherited
}

// own is the style of an element that is not inherited.
type own struct {
	transform, clip, mask, filter, background, stopColor string
	alignment, shift                                     string // of the base line
	stopOpacity                                          float64
	geometry                                             []declaration // CSS properties for attributes such as rx
	origin                                               string        // of the transformation
	ofShape                                              bool          // origin is relative to the shape's box
}

// attribute returns an attribute, which CSS may override.
func (s *style) attribute(e *element, name string) string {
	value := ""
	for _, c := range s.geometry {
		if c.name == name {
			value = c.value
		}
	}
	return cmp.Or(value, e.attribute(name))
}

func defaultStyle() style {
	return style{
		fill: "black", stroke: "none", color: "black", width: 1, limit: miterLimit,
		opacity: 1, fillOpacity: 1, strokeOpacity: 1, size: 16,
	}
}

// styled returns the style of an element with parent style s: attributes, style sheets and its style
// attribute, in rising precedence except for !important.
func (d *drawing) styled(s style, e *element) style {
	parent := s
	s.own = own{stopOpacity: 1}
	s.opacity = 1
	all := d.declared[:0]
	for _, a := range e.Attr {
		if a.Name.Local != "style" {
			all = append(all, declaration{name: a.Name.Local, value: strings.TrimSpace(a.Value)})
		}
	}
	attributes := len(all)
	for _, r := range d.rulesFor(e) {
		all = append(all, r.declarations...)
	}
	all = append(all, declarations(e.attribute("style"))...)
	d.declared = all
	for _, c := range all[attributes:] {
		switch c.name {
		case "x", "y", "width", "height", "rx", "ry", "cx", "cy", "r":
			s.geometry = append(s.geometry, c)
		}
	}
	var some [4]bool // per pass
	for i := range all {
		switch all[i].pass() {
		case 0:
			s.declare(&all[i])
		default:
			some[all[i].pass()-1] = true
		}
	}
	for pass, any := range some {
		for i := range all {
			if any && all[i].pass() == pass+1 {
				d.set(&s, &parent, &all[i])
			}
		}
	}
	s.opacity *= parent.opacity
	if s.filter != "" && s.filter != "none" {
		d.left["filter"] = true
	}
	if s.origin != "" && s.transform != "" && s.transform != "none" {
		if s.ofShape {
			d.left["transform-box"] = true
		} else {
			s.transform = s.turned()
		}
	}
	return s
}

// pass is the order of application: variables, then font size, to which others are relative, then the
// rest; !important comes last in each.
func (c *declaration) pass() int {
	switch {
	case strings.HasPrefix(c.name, "--"):
		return 0
	case (c.name == "font-size" || c.name == "font") && !c.important:
		return 1
	case c.name == "font-size" || c.name == "font":
		return 2
	case !c.important:
		return 3
	}
	return 4
}

// declare records a variable.
func (s *style) declare(c *declaration) {
	if value := resolved(c.value, s.variables); len(s.variables) < maxVariables {
		more := make(map[string]string, len(s.variables)+1)
		maps.Copy(more, s.variables)
		more[c.name] = value
		s.variables = more
	}
}

// set applies a declaration. Unsupported ones are ignored, so that weaker ones apply.
func (d *drawing) set(s, parent *style, c *declaration) {
	value := c.value
	if strings.Contains(value, "(") {
		if value = resolved(value, s.variables); value == "" {
			return
		}
	}
	var ink, from *string
	switch c.name {
	case "fill":
		ink, from = &s.fill, &parent.fill
	case "stroke":
		ink, from = &s.stroke, &parent.stroke
	case "color":
		ink, from = &s.color, &parent.color
	case "stop-color":
		ink, from = &s.stopColor, &parent.stopColor
	case "background-color", "background":
		ink, from = &s.background, &parent.background
	default:
		if value != "inherit" {
			if s.missed(c.name, value) {
				d.left[c.name] = true
			}
			s.set(c.name, value)
		}
		return
	}
	if value == "inherit" {
		*ink = *from
		return
	}
	lower := strings.ToLower(value)
	_, known := parseColor(lower)
	if known || lower == "none" || lower == "currentcolor" || strings.HasPrefix(lower, "context-") || strings.HasPrefix(lower, "url(") {
		*ink = value
	} else if name, _, function := strings.Cut(lower, "("); function {
		d.left[name+"()"] = true
	}
}

// ink is a paint: a colour, a gradient with its closest colour, or a pattern.
type ink struct {
	color    rgba
	gradient *gradient
	pattern  *element
}

// paint parses a paint; ok is false if that is not possible.
func (d *drawing) paint(value string, s style) (i ink, ok bool) {
	switch strings.ToLower(value) {
	case "context-fill":
		value = s.around[0]
	case "context-stroke":
		value = s.around[1]
	}
	if strings.EqualFold(value, "currentColor") {
		value = s.color
	}
	id, isURL := strings.CutPrefix(value, "url(")
	if !isURL {
		i.color, ok = parseColor(value)
		return i, ok
	}
	id, otherwise, _ := strings.Cut(id, ")")
	if e := d.ids[strings.Trim(id, `#"' `)]; e != nil && e.Name.Local == "pattern" {
		i.pattern = e
		return i, true
	}
	if i.gradient = d.gradient[strings.Trim(id, `#"' `)]; i.gradient == nil {
		i.color, ok = parseColor(strings.TrimSpace(otherwise))
		return i, ok
	}
	i.color, ok = i.gradient.mean()
	return i, ok
}

// axis is the base of a percentage: width, height or diagonal.
type axis int

const (
	along axis = iota
	down
	across
)

// measure splits a length into number and unit.
func measure(text string) (v float64, unit string) {
	text = strings.TrimSpace(text)
	end := strings.LastIndexAny(text, "0123456789.") + 1
	v, err := strconv.ParseFloat(text[:end], 64)
	if err != nil || v != v {
		return 0, ""
	}
	return v, strings.ToLower(text[end:])
}

// length returns a length in pixels, 0 if invalid.
func (s *style) length(text string, of axis) float64 {
	v, unit := measure(text)
	switch unit {
	case "%":
		whole := math.Hypot(s.view[0], s.view[1]) / math.Sqrt2
		if of != across {
			whole = s.view[of]
		}
		return v / 100 * whole
	case "em":
		return v * s.size
	case "ex", "ch":
		return v * s.size / 2
	}
	return v * units[unit]
}

// units are the pixels per absolute unit.
var units = map[string]float64{
	"": 1, "px": 1, "rem": 16, "pc": 16, "pt": 4.0 / 3, "mm": 96 / 25.4, "cm": 96 / 2.54, "q": 96 / 101.6, "in": 96,
}

// length returns an absolute length in pixels, else 0.
func length(text string) float64 {
	s := style{size: 16}
	return s.length(text, along)
}

// appendFine appends a number with six decimals.
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
