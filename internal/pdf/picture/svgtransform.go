package picture

import (
	"fmt"
	"iter"
	"math"
	"strings"
)

func (d *drawing) transform(text string) {
	for m := range transformations(text) {
		d.matrix(m[:]...)
	}
}

func transformations(text string) iter.Seq[[6]float64] {
	return func(yield func([6]float64) bool) {
		for _, part := range strings.SplitAfter(text, ")") {
			name, arguments, ok := strings.Cut(strings.TrimRight(part, ")"), "(")
			if !ok {
				continue
			}
			arguments = strings.NewReplacer("px", "", "deg", "").Replace(arguments) // CSS notation
			if m, ok := matrix(strings.Trim(name, " ,\t\r\n"), floats(arguments)); ok && !yield(m) {
				return
			}
		}
	}
}

// transformed applies a list of transformations, last first, and then m.
func transformed(text string, m [6]float64) [6]float64 {
	for t := range transformations(text) {
		m = times(t, m)
	}
	return m
}

// matrix returns a transformation by its SVG name.
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

// turned returns the transformation of an element with its origin.
func (s *style) turned() string {
	at := [2]float64{s.view[0] / 2, s.view[1] / 2}
	for i, word := range strings.Fields(s.origin) {
		switch {
		case word == "left" || word == "right":
			at[0] = map[string]float64{"right": s.view[0]}[word]
		case word == "top" || word == "bottom":
			at[1] = map[string]float64{"bottom": s.view[1]}[word]
		case word != "center" && i < len(at):
			at[i] = s.length(word, axis(i))
		}
	}
	return fmt.Sprintf("translate(%f %f) %s translate(%f %f)", at[0], at[1], s.transform, -at[0], -at[1])
}
