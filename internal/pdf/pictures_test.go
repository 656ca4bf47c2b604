package pdf

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	plan9 "image/color/palette"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
)

// drawing is a picture in SVG.
const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 80">
<defs><linearGradient id="g"><stop offset="0" stop-color="#0b62c4"/><stop offset="1" stop-color="#6b3fa0"/></linearGradient></defs>
<rect x="2" y="2" width="80" height="50" rx="8" fill="url(#g)"/><circle cx="120" cy="27" r="25" fill="none" stroke="#b3261e" stroke-width="4"/>
<path d="M150 50 C 160 0, 190 0, 198 50 Z" fill="#19703a" opacity="0.6"/>
<marker id="m" orient="auto" viewBox="0 0 10 10" refX="10" refY="5"><path d="M0 0L10 5L0 10z"/></marker>
<line x1="85" y1="27" x2="94" y2="27" stroke="black" stroke-dasharray="2 1" marker-end="url(#m)"/>
<text x="42" y="70" font-size="12" text-anchor="middle">Drawn <tspan font-weight="bold">words</tspan></text></svg>`

// gradient returns a picture of that size.
func gradient(width, height int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.SetNRGBA(x, y, color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), 160, uint8(255 * (x + y) / (width + height))})
		}
	}
	return m
}

// picturesOf finds pictures of several formats by their names.
func picturesOf(t testing.TB) func(Page, string) ([]byte, bool) {
	t.Helper()
	var pngFile, jpegFile bytes.Buffer
	if err := png.Encode(&pngFile, gradient(300, 120)); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&jpegFile, gradient(900, 300), nil); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"picture.png": pngFile.Bytes(), "picture.jpg": jpegFile.Bytes(), "drawing.svg": []byte(drawing)}
	return func(_ Page, src string) ([]byte, bool) {
		name, _, _ := strings.Cut(src, "#")
		data, found := files[name]
		return data, found
	}
}

// hostile returns pictures that are not what they seem.
func hostile(t *testing.T) map[string][]byte {
	t.Helper()
	var small, still bytes.Buffer
	if err := png.Encode(&small, gradient(4, 4)); err != nil {
		t.Fatal(err)
	}
	frame := image.NewPaletted(image.Rect(0, 0, 16, 16), plan9.Plan9)
	many := &gif.GIF{}
	for range 500 {
		many.Image, many.Delay = append(many.Image, frame), append(many.Delay, 1)
	}
	if err := gif.EncodeAll(&still, many); err != nil {
		t.Fatal(err)
	}
	lie := bytes.Clone(small.Bytes())
	copy(lie[16:], []byte{0, 0, 0x27, 0x10, 0, 0, 0x27, 0x10}) // 10,000 by 10,000
	binary.BigEndian.PutUint32(lie[29:], crc32.ChecksumIEEE(lie[12:29]))
	return map[string][]byte{
		"lie.png":    lie,
		"cut.png":    small.Bytes()[:60],
		"text.png":   []byte("no picture"),
		"many.gif":   still.Bytes(),
		"script.svg": []byte(`<svg viewBox="0 0 9 9"><script>alert(1)</script><image href="http://192.0.2.1/x.png"/><a href="javascript:x"><rect width="9" height="9" fill="url(http://192.0.2.1/#a)"/></a></svg>`),
		"bomb.svg":   []byte(`<!DOCTYPE svg [<!ENTITY a "` + strings.Repeat("x", 500) + `"><!ENTITY b "&a;&a;&a;">]><svg viewBox="0 0 9 9"><path d="` + strings.Repeat("M1 1z", 100_000) + `"/>&b;</svg>`),
		"empty":      nil,
	}
}

// TestHostilePictures checks that a picture that cannot be shown is told of, and
// that none breaks the book or gets into it as a script.
func TestHostilePictures(t *testing.T) {
	t.Parallel()
	for name, data := range hostile(t) {
		o := Options{Image: func(Page, string) ([]byte, bool) { return data, true }}
		file, report := write(t, o, "![what it shows]("+name+")\n")
		shown := name == "many.gif" || name == "bomb.svg" || name == "script.svg"
		if quiet := name == "many.gif" || name == "bomb.svg"; (len(report.Notices) == 0) != quiet {
			t.Errorf("%s: have notices %v", name, report.Notices)
		}
		text := unpacked(t, file)
		if strings.Contains(text, "/Subtype/Image") != (name == "many.gif") || strings.Contains(text, "/S/Figure") != shown {
			t.Errorf("%s: have a picture or none against its nature", name)
		}
		for _, bad := range []string{"192.0.2.1", "javascript", "alert"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s: %s is in the file", name, bad)
			}
		}
	}
}
