package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// pictures returns pictures of 3 × 2 pixels in several formats.
func pictures(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	encode := func(name string, m image.Image, encode func(io.Writer, image.Image) error) {
		var b bytes.Buffer
		if err := encode(&b, m); err != nil {
			t.Fatal(err)
		}
		all[name] = b.Bytes()
	}
	bounds := image.Rect(0, 0, 3, 2)
	opaque, clear := image.NewNRGBA(bounds), image.NewNRGBA(bounds)
	for i := range opaque.Pix {
		opaque.Pix[i] = 255
	}
	clear.SetNRGBA(1, 1, color.NRGBA{1, 2, 3, 128})
	paletted := image.NewPaletted(bounds, color.Palette{color.Black, color.White})
	toJPEG := func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }
	encode("png rgb", opaque, png.Encode)
	encode("png alpha", clear, png.Encode)
	encode("png gray", image.NewGray(bounds), png.Encode)
	encode("png palette", paletted, png.Encode)
	encode("png deep", image.NewGray16(bounds), png.Encode)
	encode("jpeg rgb", opaque, toJPEG)
	encode("jpeg gray", image.NewGray(bounds), toJPEG)
	encode("gif", paletted, func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) })
	return all
}

func TestWrite(t *testing.T) {
	t.Parallel()
	all := pictures(t)
	for name, want := range map[string]string{
		"png rgb":     "/ColorSpace/DeviceRGB/Filter/FlateDecode/DecodeParms",
		"png gray":    "/ColorSpace/DeviceGray/Filter/FlateDecode/DecodeParms",
		"png palette": "/ColorSpace[/Indexed/DeviceRGB 1<000000ffffff>]/Filter/FlateDecode",
		"png alpha":   "/ColorSpace/DeviceRGB/SMask",
		"png deep":    "/ColorSpace/DeviceRGB/Filter/FlateDecode/Length",
		"jpeg rgb":    "/ColorSpace/DeviceRGB/Filter/DCTDecode",
		"jpeg gray":   "/ColorSpace/DeviceGray/Filter/DCTDecode",
		"gif":         "/ColorSpace/DeviceRGB/Filter/FlateDecode/Length",
	} {
		var out bytes.Buffer
		p, err := Write(writer.New(&out, writer.Info{}), all[name])
		if err != nil || p.Width != 3 || p.Height != 2 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: have %+v, %v, want %s in\n%.400q", name, p, err, want, out.String())
		}
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	for name, data := range pictures(t) {
		for cut := range len(data) - 4 {
			_, _ = Write(writer.New(io.Discard, writer.Info{}), data[:cut]) // must not panic
		}
		if _, err := Write(writer.New(io.Discard, writer.Info{}), data[:len(data)/2]); err == nil {
			t.Errorf("half of %s: have no error", name)
		}
	}
	huge := pictures(t)["png gray"]
	copy(huge[16:], []byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff})
	for name, data := range map[string][]byte{"nothing": nil, "text": []byte("<svg/>"), "huge": huge} {
		if _, err := Write(writer.New(io.Discard, writer.Info{}), data); err == nil {
			t.Errorf("%s: have no error", name)
		}
	}
}
