package picture

import (
	"strconv"
	"strings"
)

// maxVariables limits the CSS variables of an element.
const maxVariables = 256

func (s *style) set(name, value string) {
	switch name {
	case "stroke-width":
		s.width = s.length(value, across)
	case "fill-rule":
		s.evenOdd = value == "evenodd"
	case "clip-rule":
		s.clipEvenOdd = value == "evenodd"
	case "display":
		s.gone = value == "none"
	case "visibility":
		s.hidden = value == "hidden" || value == "collapse"
	case "opacity":
		s.opacity = share(value, s.opacity)
	case "fill-opacity":
		s.fillOpacity = share(value, s.fillOpacity)
	case "stroke-opacity":
		s.strokeOpacity = share(value, s.strokeOpacity)
	case "stop-opacity":
		s.stopOpacity = share(value, s.stopOpacity)
	case "marker":
		s.marks = [3]string{value, value, value}
	case "marker-start":
		s.marks[0] = value
	case "marker-mid":
		s.marks[1] = value
	case "marker-end":
		s.marks[2] = value
	case "transform":
		s.transform = value
	case "clip-path":
		s.clip = value
	case "mask":
		s.mask = value
	case "filter":
		s.filter = value
	case "transform-origin":
		s.origin = value
	case "transform-box":
		s.ofShape = value != "view-box"
	case "baseline-shift":
		s.shift = value
	case "paint-order":
		s.edgeFirst = strings.HasPrefix(value, "stroke")
	default:
		s.setLine(name, value)
		s.setText(name, value)
	}
}

// missed reports whether a declaration has an effect that is not supported.
func (s *style) missed(name, value string) bool {
	switch name {
	case "mix-blend-mode":
		return value != "normal"
	case "rotate", "scale", "translate", "vector-effect", "pathLength":
		return value != "none" && value != "0"
	case "y", "dx", "dy": // of each letter
		return strings.ContainsAny(strings.TrimSpace(value), " ,\n\t")
	case "direction":
		return value == "rtl"
	case "writing-mode":
		return strings.HasPrefix(value, "t") || strings.HasPrefix(value, "v") || strings.HasPrefix(value, "sideways")
	case "text-decoration", "text-decoration-line":
		return strings.Contains(value, "line-through") || strings.Contains(value, "overline")
	case "word-spacing":
		return s.length(value, along) != 0
	case "d":
		return strings.HasPrefix(value, "path(") // only in CSS
	}
	return false
}

func (s *style) setLine(name, value string) {
	switch name {
	case "stroke-linecap":
		s.cap = map[string]int{"round": 1, "square": 2}[value]
	case "stroke-linejoin":
		s.join = map[string]int{"round": 1, "bevel": 2}[value]
	case "stroke-miterlimit":
		s.limit = max(length(value), 1)
	case "stroke-dashoffset":
		s.offset = s.length(value, across)
	case "stroke-dasharray":
		s.dashes = nil
		sum := 0.0
		for text := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ' ' || r == ',' }) {
			v := s.length(text, across)
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

func (s *style) setText(name, value string) {
	switch name {
	case "font-size":
		switch v, unit := measure(value); {
		case sizes[value] > 0:
			s.size = sizes[value]
		case value == "smaller":
			s.size /= 1.2
		case value == "larger":
			s.size *= 1.2
		case unit == "%":
			s.size *= v / 100
		case strings.HasPrefix(value, "0") || v > 0:
			s.size = s.length(value, down)
		}
	case "font":
		s.setFont(value)
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
	case "letter-spacing":
		s.spacing = s.length(value, along)
	case "dominant-baseline":
		s.baseline = value
	case "alignment-baseline":
		s.alignment = value
	case "text-decoration", "text-decoration-line":
		s.underlined = strings.Contains(value, "underline")
	case "space", "white-space":
		s.spaceIsKept = value == "preserve" || value == "pre"
		s.unbroken = value == "nowrap" || value == "pre"
	case "text-transform":
		s.letters = value
	case "font-variant", "font-variant-caps":
		if value == "small-caps" {
			s.letters = "uppercase"
		}
	case "text-align":
		s.align = value
	case "line-height":
		s.leading = value
	}
}

// sizes are the named font sizes.
var sizes = map[string]float64{"xx-small": 9, "x-small": 10, "small": 13, "medium": 16, "large": 18, "x-large": 24, "xx-large": 32}

// setFont applies the font shorthand: style, weight, size, line height and families.
func (s *style) setFont(value string) {
	words := strings.Fields(value)
	s.look.Bold, s.look.Italic = false, false
	for i, word := range words {
		size, leading, _ := strings.Cut(word, "/")
		if v, unit := measure(size); (v > 0 && unit != "" || sizes[size] > 0) && i+1 < len(words) {
			s.setText("font-size", size)
			s.leading = leading
			s.setText("font-family", strings.Join(words[i+1:], " "))
			return
		}
		if word == "italic" || word == "oblique" {
			s.look.Italic = true
		} else if word != "normal" {
			s.setText("font-weight", word)
		}
	}
}

// share parses a number from 0 to 1, or a percentage.
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
