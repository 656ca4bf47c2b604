// Package picture writes pictures into a PDF. JPEG and simple PNG are copied without decoding; other
// bitmaps, such as GIF and WebP, are decoded row by row; SVG becomes paths and text as far as
// supported. The format is detected by content, and sizes are limited.
//
// Callers place the pictures. Of an animation only the first frame is used.
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

// MaxPixels limits the size of a picture, MaxDecoded that of one that must be decoded.
const (
	MaxPixels  = 128 << 20
	MaxDecoded = 16 << 20
)

// Picture is a picture in the file.
type Picture struct {
	Ref           writer.Ref
	Name          string   // in the resources
	Width, Height int      // in pixels, upright
	Turn          Turn     // needed to show it upright
	Left          []string // names of unsupported elements in a drawing
}

// ErrFormat means that the format is unknown.
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

// Write writes a picture object. letters sets the text of drawings.
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
		space += "/Decode[1 0 1 0 1 0 1 0]" // Adobe programs invert CMYK
	}
	p.Turn = turned
	if turned >= 5 { // lies on its side
		p.Width, p.Height = p.Height, p.Width
	}
	p.Ref = w.Reserve()
	w.Raw(p.Ref, dict+"/BitsPerComponent 8/ColorSpace"+space+"/Filter/DCTDecode", data)
	return nil
}
