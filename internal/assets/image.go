package assets

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/bmp"
	"golang.org/x/image/webp"
	"golang.org/x/net/html/charset"
)

// maxPixels limits each side of an image. Headers may claim anything;
// nothing is ever decoded by them.
const maxPixels = 1 << 20

// imageSize reads the width and height in pixels from the header of an
// image, or 0 and 0 if head does not have them.
func imageSize(contentType string, head []byte) (width, height int) {
	decode := map[string]func(io.Reader) (image.Config, error){
		"image/png": png.DecodeConfig, "image/apng": png.DecodeConfig, "image/vnd.mozilla.apng": png.DecodeConfig,
		"image/jpeg": jpeg.DecodeConfig, "image/gif": gif.DecodeConfig, "image/webp": webp.DecodeConfig, "image/bmp": bmp.DecodeConfig,
		"image/avif": isoSize, "image/heic": isoSize, "image/heif": isoSize, "image/svg+xml": svgSize,
	}[contentType]
	if decode == nil {
		return 0, 0
	}
	config, err := decode(bytes.NewReader(head))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > maxPixels || config.Height > maxPixels {
		return 0, 0
	}
	return config.Width, config.Height
}

var errNoSize = errors.New("the image does not name its size")

// isoSize reads the largest image size in an AVIF or HEIF file: the others
// are tiles and previews (ISO/IEC 23008-12, ispe).
func isoSize(r io.Reader) (config image.Config, err error) {
	head, err := io.ReadAll(r)
	for err == nil {
		i := bytes.Index(head, []byte("\x00\x00\x00\x14ispe"))
		if i < 0 || len(head) < i+20 {
			break
		}
		width, height := binary.BigEndian.Uint32(head[i+12:]), binary.BigEndian.Uint32(head[i+16:])
		if width <= maxPixels && height <= maxPixels && int(width)*int(height) > config.Width*config.Height {
			config.Width, config.Height = int(width), int(height)
		}
		head = head[i+20:]
	}
	return config, err
}

// svgSize reads the width and height of an SVG, in pixels or from its viewBox.
func svgSize(r io.Reader) (config image.Config, err error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = charset.NewReaderLabel
	for {
		token, err := d.RawToken()
		if err != nil {
			return config, err
		}
		root, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		var width, height float64
		var box []string
		for _, a := range root.Attr {
			switch {
			case a.Name.Space != "":
			case a.Name.Local == "width":
				width = pixels(a.Value)
			case a.Name.Local == "height":
				height = pixels(a.Value)
			case a.Name.Local == "viewBox":
				box = strings.FieldsFunc(a.Value, func(r rune) bool { return r == ',' || r <= ' ' })
			}
		}
		if (width == 0 || height == 0) && len(box) == 4 {
			width, height = pixels(box[2]), pixels(box[3])
		}
		if root.Name.Local != "svg" || width == 0 || height == 0 {
			return config, errNoSize
		}
		return image.Config{Width: int(math.Round(width)), Height: int(math.Round(height))}, nil
	}
}

// pixels reads a length in pixels; any other is 0.
func pixels(s string) float64 {
	n, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "px"), 64)
	if err != nil || !(n > 0 && n <= maxPixels) {
		return 0
	}
	return n
}
