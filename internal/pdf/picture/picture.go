// Package picture writes pictures into a PDF: JPEG and simple PNG as they are,
// without decoding them, others, GIF and WebP among them, row by row, and SVG as
// paths and text, as far as it can. What a picture is is told by its bytes,
// and its size is bounded.
//
// The package knows no pages: where a picture stands is decided by those who
// call it. Of an animation the first picture counts.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// MaxPixels bounds the size of a picture, MaxDecoded that of one that cannot be
// passed on as it is.
const (
	MaxPixels  = 128 << 20
	MaxDecoded = 16 << 20
)

// Picture is a picture in the file.
type Picture struct {
	Ref           writer.Ref
	Name          string   // among the resources
	Width, Height int      // in pixels, as it is shown
	Turn          Turn     // how it is to be turned for that
	Left          []string // elements of a drawing that are not drawn, by name
}

// ErrFormat is the error of bytes that are no picture of a known format.
var ErrFormat = errors.New("not a PNG, JPEG, GIF, WebP or SVG picture")

type format struct {
	magic  string
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

func formatOf(data []byte) (format, bool) {
	for _, f := range []format{
		{"\x89PNG\r\n\x1a\n", png.DecodeConfig, png.Decode},
		{"\xff\xd8\xff", jpeg.DecodeConfig, jpeg.Decode},
		{"GIF8", gif.DecodeConfig, gif.Decode},
		{"RIFF", webp.DecodeConfig, decodeWebP},
	} {
		if bytes.HasPrefix(data, []byte(f.magic)) {
			return f, true
		}
	}
	return format{}, false
}

// Write writes a picture as an object of its own. Text of drawings is set with
// letters.
func Write(w *writer.Writer, data []byte, letters Letters) (*Picture, error) {
	return write(w, data, letters, &effort{})
}

func write(w *writer.Writer, data []byte, letters Letters, e *effort) (*Picture, error) {
	f, known := formatOf(data)
	if !known && isSVG(data) {
		return vector(w, data, letters, e)
	}
	if !known {
		return nil, ErrFormat
	}
	config, err := f.config(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("read picture: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > MaxPixels/config.Height {
		return nil, fmt.Errorf("a picture of %d × %d pixels is too large", config.Width, config.Height)
	}
	p := &Picture{Width: config.Width, Height: config.Height}
	switch f.magic[0] {
	case '\xff':
		return p, p.jpeg(w, data, config.ColorModel)
	case '\x89':
		if stream, entries, ok := plainPNG(data); ok {
			p.Ref = w.Reserve()
			w.Raw(p.Ref, p.dict()+entries, stream)
			return p, nil
		}
	}
	if config.Width > MaxDecoded/config.Height {
		return nil, fmt.Errorf("a picture of %d × %d pixels is too large to be decoded", config.Width, config.Height)
	}
	decoded, err := f.decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("decode picture: %w", err)
	}
	p.pixels(w, decoded)
	return p, nil
}

func (p *Picture) dict() string {
	return fmt.Sprintf("/Type/XObject/Subtype/Image/Width %d/Height %d", p.Width, p.Height)
}

// jpeg writes a JPEG as it is.
func (p *Picture) jpeg(w *writer.Writer, data []byte, model color.Model) error {
	space := "/DeviceRGB"
	switch model {
	case color.GrayModel:
		space = "/DeviceGray"
	case color.CMYKModel:
		space = "/DeviceCMYK"
	}
	dict := p.dict()
	turned, adobe, whole := inspectJPEG(data)
	if !whole {
		return errors.New("a JPEG picture that is cut off")
	}
	if model == color.CMYKModel && adobe {
		space += "/Decode[1 0 1 0 1 0 1 0]" // as Adobe's programs write them
	}
	p.Turn = turned
	if turned >= 5 { // lies on its side
		p.Width, p.Height = p.Height, p.Width
	}
	p.Ref = w.Reserve()
	w.Raw(p.Ref, dict+"/BitsPerComponent 8/ColorSpace"+space+"/Filter/DCTDecode", data)
	return nil
}
