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
		"png alpha":   "/ColorSpace/DeviceRGB/DecodeParms<</Predictor 15/Colors 3/Columns 3>>/SMask",
		"png deep":    "/ColorSpace/DeviceRGB/DecodeParms",
		"jpeg rgb":    "/ColorSpace/DeviceRGB/Filter/DCTDecode",
		"jpeg gray":   "/ColorSpace/DeviceGray/Filter/DCTDecode",
		"gif":         "/ColorSpace/DeviceRGB/DecodeParms",
	} {
		var out bytes.Buffer
		p, err := Write(writer.New(&out, writer.Info{}), all[name], Letters{})
		if err != nil || p.Width != 3 || p.Height != 2 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: have %+v, %v, want %s in\n%.400q", name, p, err, want, out.String())
		}
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	for name, data := range pictures(t) {
		for cut := range len(data) - 4 {
			_, _ = Write(writer.New(io.Discard, writer.Info{}), data[:cut], Letters{}) // must not panic
		}
		if _, err := Write(writer.New(io.Discard, writer.Info{}), data[:len(data)/2], Letters{}); err == nil {
			t.Errorf("half of %s: have no error", name)
		}
	}
	huge := pictures(t)["png gray"]
	copy(huge[16:], []byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff})
	for name, data := range map[string][]byte{"nothing": nil, "text": []byte("<svg/>"), "huge": huge} {
		if _, err := Write(writer.New(io.Discard, writer.Info{}), data, Letters{}); err == nil {
			t.Errorf("%s: have no error", name)
		}
	}
}

func TestDrawing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inside, want string }{
		{`<rect x="1" y="2" width="3" height="4" fill="#ff0000"/>`, "1 0 0 rg\n1 2 3 4 re\nf\n"},
		{`<path d="M1 2l3,4h-1V9z" fill="none" stroke="black" stroke-width="2"/>`, "0 0 0 RG\n2 w\n1 2 m\n4 6 l\n3 6 l\n3 9 l\nh\nS\n"},
		{`<path d="M0 0C1 1 2 2 3 3S5 5 6 6"/>`, "0 0 m\n1 1 2 2 3 3 c\n4 4 5 5 6 6 c\nf\n"},
		{`<path d="M0 0q3 3 6 0" style="fill-rule:evenodd"/>`, "0 0 m\n2 2 4 2 6 0 c\nf*\n"},
		{`<path d="M.5.5-1-1"/>`, "0.5 0.5 m\n-1 -1 l\n"},
		{`<path d="M0 0a1 1 0 012 0"/>`, " 2 0 c\n"},
		{`<g transform="translate(5) rotate(90)"><line x2="1" stroke="red"/></g>`, "1 0 0 1 5 0 cm\n0 1 -1 0 0 0 cm\n"},
		{`<linearGradient id="a"><stop stop-color="#000"/><stop stop-color="#fff"/></linearGradient><rect x="1" y="2" width="3" height="4" fill="url(#a)"/>`, "1 2 3 4 re\nW n\n3 0 0 4 1 2 cm\n/G0 sh\nQ\n"},
		{`<linearGradient id="a"><stop stop-color="#000"/><stop stop-color="#fff"/></linearGradient><line x2="1" stroke="url(#a)"/>`, "0.5 0.5 0.5 RG\n"},
		{`<script>x</script><text>y</text><image href="http://example.org/"/>`, ""},
		{`<path d="nonsense"/><path d="M"/><path d="M1 1 A"/>`, ""},
	} {
		tree, err := read([]byte("<svg>" + c.inside + "</svg>"))
		if err != nil {
			t.Fatal(err)
		}
		d := newDrawing(tree, Letters{})
		err = d.inside(tree.root, d.styled(defaultStyle(), tree.root))
		if err != nil || !strings.Contains(string(d.out), c.want) {
			t.Errorf("%s: have %q, %v, want %q", c.inside, d.out, err, c.want)
		}
	}
}

func TestHostileDrawings(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"deep":     "<svg viewBox='0 0 1 1'>" + strings.Repeat("<g>", 10_000),
		"many":     "<svg viewBox='0 0 1 1'>" + strings.Repeat("<g/>", maxElements+1),
		"no size":  "<svg/>",
		"entities": `<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1">&a;<`,
		"no svg":   "<html><svg/></html>",
	} {
		if _, err := Write(writer.New(io.Discard, writer.Info{}), []byte(data), Letters{}); err == nil {
			t.Errorf("%s: have no error", name)
		}
	}
}
