package picture

import (
	"bytes"
	"fmt"
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
	for name, data := range map[string][]byte{"nothing": nil, "text": []byte("<svg viewBox='0 0 0 0'/>"), "huge": huge} {
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
		d := newDrawing(tree, Letters{}, writer.New(io.Discard, writer.Info{}), [2]float64{300, 150}, &effort{})
		err = d.all()
		if err != nil || !strings.Contains(string(d.out), c.want) {
			t.Errorf("%s: have %q, %v, want %q", c.inside, d.out, err, c.want)
		}
	}
}

// doubled is a group that uses another twice, which uses a third twice, and so on.
func doubled(times int) string {
	all := "<rect id='g0' width='1' height='1'/>"
	for i := range times {
		all += fmt.Sprintf("<g id='g%d'><use href='#g%d'/><use href='#g%d'/></g>", i+1, i, i)
	}
	return all
}

// TestRulesOfDrawings checks that style sheets take no time that grows with the
// product of rules and elements.
func TestRulesOfDrawings(t *testing.T) {
	t.Parallel()
	text := "<svg viewBox='0 0 1 1'><style>" + strings.Repeat("/**/.a{fill:red;stroke:blue;stroke-width:3}", 60_000) + "</style>" + strings.Repeat("<g class='a'/>", 50_000) + "</svg>"
	if _, err := Write(writer.New(io.Discard, writer.Info{}), []byte(text), Letters{}); err != nil {
		t.Error(err)
	}
}

func TestHostileDrawings(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"deep":     "<svg viewBox='0 0 1 1'>" + strings.Repeat("<g>", 10_000),
		"many":     "<svg viewBox='0 0 1 1'>" + strings.Repeat("<g/>", maxElements+1),
		"no size":  "<svg viewBox='0 0 0 9'/>",
		"entities": `<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1">&a;<`,
		"no svg":   "<html><svg/></html>",
		"used":     "<svg viewBox='0 0 1 1'><path id='p' d='" + strings.Repeat("M0 0L1 1", 50_000) + "'/>" + strings.Repeat("<use href='#p'/>", 50_000) + "</svg>",
		"groups":   "<svg viewBox='0 0 1 1'><g id='g' opacity='.5'><g/><g/></g>" + strings.Repeat("<use href='#g'/>", 50_000) + "</svg>",
		"doubled":  "<svg viewBox='0 0 1 1'>" + doubled(40) + "</svg>",
	} {
		w := writer.New(io.Discard, writer.Info{})
		if _, err := Write(w, []byte(data), Letters{}); err == nil {
			t.Errorf("%s: have no error", name)
		}
		if err := w.Close(""); err != nil && strings.Contains(err.Error(), "reserved") {
			t.Errorf("%s: the file cannot be finished: %v", name, err)
		}
	}
}

// spelled are letters of which each is half as wide as high.
func spelled() Letters {
	return Letters{Set: func(text string, look Look) ([]byte, float64) {
		if look.Edge > 0 {
			return fmt.Appendf(nil, "[%s edge %v %v]\n", text, look.Edge, look.Color), float64(len(text)) / 2
		}
		return fmt.Appendf(nil, "[%s %v %v %v]\n", text, look.Bold, look.Mono, look.Color), float64(len(text)) / 2
	}}
}

// TestDrawingsOfPrograms holds what drawing programs and diagrams use beside
// shapes.
func TestDrawingsOfPrograms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ inside, want string }{
		{`<text x="3" y="20" font-size="10" font-weight="bold" fill="#f00">Hello</text>`, "10 0 0 -10 3 20 cm\n[Hello true false [255 0 0]]\n"},
		{`<text x="50" y="5" font-size="10" text-anchor="middle">four</text>`, "10 0 0 -10 40 5 cm\n[four"},
		{`<text font-size="10">a <tspan>b</tspan> c</text>`, "10 0 0 -10 10 0 cm\n[b "},
		{`<text font-size="10"><tspan x="0" dy="1.2em">b</tspan></text>`, "10 0 0 -10 0 12 cm\n[b "},
		{`<defs><rect id="r" width="1" height="2"/></defs><use href="#r" x="5" y="6"/>`, "1 0 0 1 5 6 cm\nq\n0 0 0 rg\n0 0 1 2 re\nf\n"},
		{`<symbol id="s" viewBox="0 0 10 10"><rect width="1" height="2"/></symbol><use href="#s" width="20" height="20"/>`, "2 0 0 2 0 0 cm\n"},
		{`<g opacity=".5"><rect width="1" height="2" fill-opacity="50%"/></g>`, "/E0 gs\n0 0 0 rg\n"},
		{`<rect width="1" height="2" fill="#ff000080"/>`, "/E0 gs\n1 0 0 rg\n"},
		{`<line x2="1" stroke="red" stroke-dasharray="4 2" stroke-linecap="round"/>`, "1 J\n[4 2 ] 0 d\n"},
		{`<style>/* c */ .a, b { fill: #00ff00 } rect.d{stroke:blue}</style><rect class="a d" fill="red" width="1" height="2"/>`, "0 1 0 rg\n0 0 1 RG\n"},
		{`<marker id="m" orient="auto" refX="1"><path d="M0 0L1 1"/></marker><path d="M0 0V5" stroke="red" stroke-width="2" marker-end="url(#m)"/>`, "0 2 -2 0 0 5 cm\n1 0 0 1 -1 0 cm\n"},
		{`<switch><foreignObject/><text font-size="4">t</text></switch>`, "[t "},
		{`<switch><text systemLanguage="de,fr">d</text><text systemLanguage="nl, en-GB">e</text><text>f</text></switch>`, "[e "},
		{`<switch><text systemLanguage="end">d</text><text>f</text></switch>`, "[f "},
		{`<g visibility="hidden"><rect visibility="visible" width="1" height="2"/></g>`, "re\nf\n"},
		{`<rect width="1" height="2" fill="rgb(1e400,NaN,5)"/>`, ""},
		{`<rect width="1" height="2" fill="rgb(1e30,-4,0)"/>`, "1 0 0 rg\n"},
		{`<rect width="1" height="2" fill="rebeccapurple"/><rect width="1" height="2" fill="slateblue"/>`, "rg\n"},
	} {
		tree, err := read([]byte("<svg>" + c.inside + "</svg>"))
		if err != nil {
			t.Fatal(err)
		}
		d := newDrawing(tree, spelled(), writer.New(io.Discard, writer.Info{}), [2]float64{300, 150}, &effort{})
		if err := d.all(); err != nil {
			t.Error(err)
		}
		out := string(d.out)
		if !strings.Contains(out, c.want) || strings.Contains(out, "NaN") || strings.Contains(out, "Inf") || strings.Count(out, "q\n") != strings.Count(out, "Q\n") {
			t.Errorf("%s: have %q, want %q", c.inside, out, c.want)
		}
	}
}

// TestAspectOfDrawings checks that a drawing is not distorted unless it asks for
// it.
func TestAspectOfDrawings(t *testing.T) {
	t.Parallel()
	for attributes, want := range map[string][6]float64{
		"":                                     {1, 0, 0, 1, 150, 0},
		`preserveAspectRatio="xMinYMin meet"`:  {1, 0, 0, 1, 0, 0},
		`preserveAspectRatio="xMaxYMid"`:       {1, 0, 0, 1, 300, 0},
		`preserveAspectRatio="none"`:           {4, 0, 0, 1, 0, 0},
		`preserveAspectRatio="xMidYMid slice"`: {4, 0, 0, 4, 0, -150},
	} {
		tree, err := read([]byte(`<svg width="400" height="100" viewBox="0 0 100 100" ` + attributes + `/>`))
		if err != nil {
			t.Fatal(err)
		}
		box, width, height := viewBox(tree.root)
		if have := fit(tree.root, box, width, height); have != want {
			t.Errorf("%s: have %v, want %v", attributes, have, want)
		}
	}
}

// TestGradientsOfGradients checks that gradients which have their stops from each
// other come out the same each time.
func TestGradientsOfGradients(t *testing.T) {
	t.Parallel()
	const text = `<svg viewBox="0 0 9 9"><linearGradient id="a" href="#b"/><linearGradient id="b" href="#c"/><linearGradient id="c" href="#d"/>
<linearGradient id="d"><stop stop-color="#000"/><stop offset="1" style="stop-color:red"/></linearGradient><linearGradient id="e" href="#e"/>
<rect width="5" height="5" fill="url(#a)"/><rect width="5" height="5" fill="url(#e)"/></svg>`
	for range 50 {
		tree, err := read([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		d := newDrawing(tree, Letters{}, writer.New(io.Discard, writer.Info{}), [2]float64{9, 9}, &effort{})
		if err := d.all(); err != nil || len(d.shadings) != 1 || !strings.Contains(d.shadings[0], "/G0<</ShadingType 2") {
			t.Fatalf("have %v, %q", err, d.shadings)
		}
	}
}

// TestTurnedPictures checks that a picture is shown as the camera was held.
func TestTurnedPictures(t *testing.T) {
	t.Parallel()
	plain := pictures(t)["jpeg rgb"]
	for turn := range 10 {
		exif := append([]byte("Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00"), byte(turn), 0, 0)
		data := append([]byte{0xff, 0xd8, 0xff, 0xe1, 0, byte(2 + len(exif))}, exif...)
		data = append(data, plain[2:]...)
		p, err := Write(writer.New(io.Discard, writer.Info{}), data, Letters{})
		if err != nil {
			t.Fatal(err)
		}
		want, width := Turn(turn), 3
		if turn == 9 {
			want = 0
		}
		if turn >= 5 && turn <= 8 {
			width = 2
		}
		if p.Turn != want || p.Width != width {
			t.Errorf("orientation %d: have %d and %d wide, want %d and %d", turn, p.Turn, p.Width, want, width)
		}
		m := want.Matrix()
		for _, corner := range [][2]float64{{0, 0}, {1, 1}} { // stays in the unit square
			x, y := m[0]*corner[0]+m[2]*corner[1]+m[4], m[1]*corner[0]+m[3]*corner[1]+m[5]
			if x < 0 || x > 1 || y < 0 || y > 1 {
				t.Errorf("orientation %d: %v comes to %v, %v", turn, corner, x, y)
			}
		}
	}
	scan := bytes.Index(plain, []byte{0xff, 0xda})
	if _, err := Write(writer.New(io.Discard, writer.Info{}), append(plain[:scan:scan], 0xff, 0xd9), Letters{}); err == nil {
		t.Error("a JPEG without a scan: have no error")
	}
}
