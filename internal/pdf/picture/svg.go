package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// The limits of a drawing.
const (
	maxDrawing  = 4 << 20 // bytes
	maxElements = 100_000
	maxNesting  = 64
)

// isSVG reports whether data look like a drawing.
func isSVG(data []byte) bool {
	head := data[:min(len(data), 1024)]
	return bytes.Contains(head, []byte("<svg"))
}

// drawing turns SVG into operators of PDF: paths and shapes with colours, lines
// and transformations. Nothing is loaded and nothing run; what it cannot draw,
// such as text and filters, is counted.
type drawing struct {
	out      []byte
	elements int
	left     map[string]int // elements that are not drawn, by name
	gradient map[string]*gradient
	shadings []string // entries of the resources
}

// vector writes a drawing as a form.
func vector(w *writer.Writer, data []byte) (*Picture, error) {
	if len(data) > maxDrawing {
		return nil, errors.New("a drawing that is too large")
	}
	d := &drawing{left: map[string]int{}, gradient: map[string]*gradient{}}
	if err := d.gradients(data); err != nil {
		return nil, err
	}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict = false
	root, err := start(decoder)
	if err != nil {
		return nil, err
	}
	box := viewBox(root)
	if box[2] <= 0 || box[3] <= 0 {
		return nil, errors.New("a drawing without size")
	}
	// SVG counts from the top; the form is one unit wide and high.
	d.numbers(1/box[2], 0, 0, -1/box[3], -box[0]/box[2], 1+box[1]/box[3])
	d.out = append(d.out, "cm\n"...)
	if err := d.inside(decoder, defaultStyle().with(root), 1); err != nil {
		return nil, err
	}
	p := &Picture{Ref: w.Reserve(), Width: int(box[4] + 0.5), Height: int(box[5] + 0.5)}
	p.Width, p.Height = max(p.Width, 1), max(p.Height, 1)
	w.Stream(p.Ref, "/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</Shading<<"+strings.Join(d.shadings, "")+">>>>", d.out)
	p.Left = slices.Sorted(maps.Keys(d.left))
	return p, nil
}

// start finds the element around the drawing.
func start(decoder *xml.Decoder) (xml.StartElement, error) {
	for {
		token, err := decoder.Token()
		if err != nil {
			return xml.StartElement{}, fmt.Errorf("read drawing: %w", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			if e.Name.Local != "svg" {
				return e, ErrFormat
			}
			return e, nil
		}
	}
}

// viewBox returns the part of the plane that is shown, and how large in pixels.
func viewBox(root xml.StartElement) (box [6]float64) {
	n := floats(attribute(root, "viewBox"))
	width, height := length(attribute(root, "width")), length(attribute(root, "height"))
	if len(n) == 4 {
		copy(box[:], n)
	} else {
		box[2], box[3] = width, height
	}
	switch {
	case width > 0 && height > 0:
	case width > 0 && box[2] > 0:
		height = width * box[3] / box[2]
	case height > 0 && box[3] > 0:
		width = height * box[2] / box[3]
	default:
		width, height = box[2], box[3]
	}
	box[4], box[5] = min(width, 10_000), min(height, 10_000)
	return box
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// inside draws what an element holds.
func (d *drawing) inside(decoder *xml.Decoder, s style, depth int) error {
	if depth > maxNesting {
		return errors.New("a drawing that is nested too deeply")
	}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read drawing: %w", err)
		}
		switch e := token.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if d.elements++; d.elements > maxElements {
				return errors.New("a drawing of too many elements")
			}
			if err := d.element(decoder, e, s, depth); err != nil {
				return err
			}
		}
	}
}

// element draws one element with all that it holds.
func (d *drawing) element(decoder *xml.Decoder, e xml.StartElement, s style, depth int) error {
	name := e.Name.Local
	switch name {
	case "g", "a", "svg", "switch":
		d.out = append(d.out, "q\n"...)
		d.transform(attribute(e, "transform"))
		err := d.inside(decoder, s.with(e), depth+1)
		d.out = append(d.out, "Q\n"...)
		return err
	case "path", "rect", "circle", "ellipse", "line", "polyline", "polygon":
		d.shape(e, s.with(e))
	case "defs", "title", "desc", "metadata", "linearGradient", "radialGradient":
	default:
		d.left[name]++
	}
	return pass(decoder)
}

// pass reads to the end of the element that was read last.
func pass(decoder *xml.Decoder) error {
	for depth := 1; depth > 0; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read drawing: %w", err)
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
}

// shape draws a path or shape.
func (d *drawing) shape(e xml.StartElement, s style) {
	if s.hidden {
		return
	}
	path := outline(e)
	if len(path) == 0 {
		return
	}
	fill, filled := d.paint(s.fill, s)
	stroke, stroked := d.paint(s.stroke, s)
	if e.Name.Local == "line" {
		filled = false
	}
	if !filled && !stroked {
		return
	}
	d.out = append(d.out, "q\n"...)
	d.transform(attribute(e, "transform"))
	if filled && fill.gradient != nil {
		d.pour(fill.gradient, path, s.evenOdd)
		if filled = false; !stroked {
			d.out = append(d.out, "Q\n"...)
			return
		}
	}
	if filled {
		d.out = append(d.out, fill.color.String()+" rg\n"...)
	}
	if stroked {
		d.out = append(d.out, stroke.color.String()+" RG\n"...)
		d.numbers(s.width)
		d.out = append(d.out, "w\n"...)
	}
	d.steps(path)
	operator := "f"
	switch {
	case filled && stroked:
		operator = "B"
	case stroked:
		operator = "S"
	}
	if s.evenOdd && filled {
		operator += "*"
	}
	d.out = append(d.out, operator+"\nQ\n"...)
}

// steps writes a path.
func (d *drawing) steps(path []step) {
	for _, p := range path {
		d.numbers(p.at...)
		d.out = append(d.out, p.op...)
		d.out = append(d.out, '\n')
	}
}

// numbers writes operands.
func (d *drawing) numbers(all ...float64) {
	for _, n := range all {
		d.out = append(appendFine(d.out, sane(n)), ' ')
	}
}

// sane returns a number that PDF can hold.
func sane(n float64) float64 {
	if n > 1e9 || n < -1e9 || n != n {
		return 0
	}
	return n
}

// transform writes the transformations of an element.
func (d *drawing) transform(text string) {
	for _, part := range strings.SplitAfter(text, ")") {
		name, arguments, ok := strings.Cut(strings.TrimRight(part, ")"), "(")
		if !ok {
			continue
		}
		if m, ok := matrix(strings.Trim(name, " ,\t\n"), floats(arguments)); ok {
			d.numbers(m[:]...)
			d.out = append(d.out, "cm\n"...)
		}
	}
}
