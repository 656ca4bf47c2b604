// Package figure holds figures: numbers with a name and a unit, of Octavo or of
// what it is compared with. What is good enough is for package report to say.
package figure

import "slices"

// Figure is something that was measured, once or several times.
type Figure struct {
	Of     string    `json:"of"`     // a package of Octavo with the benchmark, a program, or a peer
	Name   string    `json:"name"`   // of the benchmark, or of what was done
	Unit   string    `json:"unit"`   // such as ns/op, p99-ms or MB
	Values []float64 `json:"values"` // one for each time
}

// Median returns the median of the values, 0 without any.
func (f Figure) Median() float64 {
	if len(f.Values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(f.Values))[len(f.Values)/2]
}

// List is a list of figures, each of them once.
type List []Figure

// Add adds a value to its figure.
func (l *List) Add(of, name, unit string, value float64) {
	i := slices.IndexFunc(*l, func(f Figure) bool { return f.Of == of && f.Name == name && f.Unit == unit })
	if i < 0 {
		i = len(*l)
		*l = append(*l, Figure{Of: of, Name: name, Unit: unit})
	}
	(*l)[i].Values = append((*l)[i].Values, value)
}

// Merge adds all values of other figures.
func (l *List) Merge(other []Figure) {
	for _, f := range other {
		for _, v := range f.Values {
			l.Add(f.Of, f.Name, f.Unit, v)
		}
	}
}
