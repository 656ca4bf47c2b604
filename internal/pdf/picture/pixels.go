package picture

import (
	"fmt"
	"image"
	"image/color"
	"io"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// pixels writes a decoded picture with its transparency.
func (p *Picture) pixels(w *writer.Writer, m image.Image) {
	bounds := m.Bounds()
	p.Width, p.Height = bounds.Dx(), bounds.Dy()
	rows := rowsOf(m)
	entries := ""
	if o, ok := m.(interface{ Opaque() bool }); !ok || !o.Opaque() {
		mask := w.Reserve()
		w.StreamOf(mask, p.dict()+p.filtered("/DeviceGray", 1), func(out io.Writer) error { return filter(out, rows, bounds, 3, 1) })
		entries = "/SMask " + mask.String()
	}
	p.Ref = w.Reserve()
	w.StreamOf(p.Ref, p.dict()+p.filtered("/DeviceRGB", 3)+entries, func(out io.Writer) error { return filter(out, rows, bounds, 0, 3) })
}

// filtered returns the entries for rows written by filter.
func (p *Picture) filtered(space string, colors int) string {
	return fmt.Sprintf("/BitsPerComponent 8/ColorSpace%s/DecodeParms<</Predictor 15/Colors %d/Columns %d>>", space, colors, p.Width)
}

// filter writes count of the four bytes of each pixel, with rows as differences to the previous one,
// which compress better.
func filter(out io.Writer, rows func(y int) []byte, bounds image.Rectangle, first, count int) error {
	const up = 2 // PNG filter type
	above := make([]byte, count*bounds.Dx())
	line := make([]byte, 1+len(above))
	line[0] = up
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		row := rows(y)
		for i := range above {
			v := row[i/count*4+first+i%count]
			if count > 1 && row[i/count*4+3] == 0 { // it shines through where the picture is made smaller
				if v = 255; i >= count {
					v = above[i-count]
				}
			}
			line[1+i], above[i] = v-above[i], v
		}
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("write picture: %w", err)
		}
	}
	return nil
}

// rowsOf returns a function for the rows of a picture as RGBA; a row is valid until the next call.
func rowsOf(m image.Image) func(y int) []byte {
	bounds := m.Bounds()
	switch m := m.(type) {
	case *image.NRGBA:
		return func(y int) []byte { return m.Pix[m.PixOffset(bounds.Min.X, y):][:4*bounds.Dx()] }
	case *image.RGBA:
		if m.Opaque() {
			return func(y int) []byte { return m.Pix[m.PixOffset(bounds.Min.X, y):][:4*bounds.Dx()] }
		}
	}
	row := make([]byte, 0, 4*bounds.Dx())
	return func(y int) []byte {
		row = row[:0]
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA)
			row = append(row, c.R, c.G, c.B, c.A)
		}
		return row
	}
}
