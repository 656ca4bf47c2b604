package picture

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

const square = "<rect width='10' height='10'"

// drawn returns the operators of a drawing of 200 × 100 pixels, and what it leaves
// out.
func drawn(t *testing.T, text string) (operators string, left map[string]bool) {
	t.Helper()
	if !strings.Contains(text, "</svg>") {
		text = "<svg>" + text + "</svg>"
	}
	tree, err := read([]byte(text))
	if err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	d := newDrawing(tree, spelled(), writer.New(io.Discard, writer.Info{}), [2]float64{200, 100}, &effort{})
	if err := d.all(); err != nil {
		t.Fatalf("%.200s: %v", text, err)
	}
	return string(d.out), d.left
}

// TestSelectors holds which rules of a style sheet count for an element: here the
// rectangle, which is red by its attribute.
func TestSelectors(t *testing.T) {
	t.Parallel()
	const blue, red = "0 0 1 rg", "1 0 0 rg"
	for sheet, want := range map[string]string{
		"#m .node rect{fill:#00f}":                                        blue,
		"#m .other rect{fill:#00f}":                                       red,
		"svg > g > g > rect{fill:#00f}":                                   blue,
		"svg > rect{fill:#00f}":                                           red,
		".node.wide rect{fill:#00f}":                                      blue,
		".node.tall rect{fill:#00f}":                                      red,
		"rect[data-kind]{fill:#00f}":                                      blue,
		`rect[data-kind="box"]{fill:#00f}`:                                blue,
		`[class~=wide] rect[data-kind^=bo]{fill:#00f}`:                    blue,
		`[data-kind$=xx]{fill:#00f}`:                                      red,
		"title + rect{fill:#00f}":                                         blue,
		"title ~ rect:last-child{fill:#00f}":                              blue,
		"rect:first-child{fill:#00f}":                                     red,
		"rect:not(.a){fill:#00f}":                                         blue,
		"rect:not([data-kind]){fill:#00f}":                                red,
		"rect:not(.a, [data-kind]){fill:#00f}":                            red,
		":is(.x, .node) rect{fill:#00f}":                                  blue,
		":where(#m) rect{fill:#00f} rect{fill:#f00}":                      red,
		":is(#x, #m) rect{fill:#00f} .node rect{fill:#f00}":               blue,
		"rect:is(.a, .b){fill:#00f}":                                      red,
		"rect:first-of-type{fill:#00f}":                                   blue,
		"rect:nth-child(2){fill:#00f}":                                    blue,
		"rect:nth-child(even){fill:#00f}":                                 blue,
		"rect:nth-child( 2n + 1 ){fill:#00f}":                             red,
		"rect:nth-child(-n+2){fill:#00f}":                                 blue,
		"rect:nth-child(n+3){fill:#00f}":                                  red,
		"rect:nth-last-child(1){fill:#00f}":                               blue,
		"rect:nth-of-type(odd):only-of-type{fill:#00f}":                   blue,
		"rect:only-child{fill:#00f}":                                      red,
		"*{fill:#00f}":                                                    blue,
		":root rect, nothing{fill:#00f}":                                  blue,
		"rect{fill:#00f} rect{fill:#f00}":                                 red,
		"#m rect{fill:#00f} rect{fill:#f00}":                              blue,
		".node rect{fill:#00f !important} #m rect{fill:#f00}":             blue,
		"rect:hover{fill:#00f}":                                           red,
		"@media (prefers-color-scheme: dark){rect{fill:#00f}}":            red,
		"@media screen{rect{fill:#00f}}":                                  blue,
		"@supports (fill: light-dark(red,red)){g{a:b} rect{fill:#00f}}":   blue,
		"@keyframes x{from{fill:red}to{fill:red}} rect{fill:#00f}":        blue,
		"@import url('a.css'); rect{fill:#00f}":                           blue,
		":root{--c:#00f} rect{fill:var(--c)}":                             blue,
		"g{--c:#00f} svg{--c:red} rect{fill:var(--none, var(--c, red))}":  blue,
		"rect{fill:var(--none)}":                                          red,
		"rect{fill:nonsense}":                                             red,
		"rect{fill:light-dark(#00f, var(--x, #fff))}":                     blue,
		"rect{fill:hsl(240, 100%, 50%)}":                                  blue,
		"rect{fill:hsla(240deg 100% 50% / 1)}":                            blue,
		"rect{fill:rgb(0% 0% 100%)}":                                      blue,
		"rect{fill:color(display-p3 0 0 1)}":                              blue,
		"rect{fill:color(xyz 0 0 1)}":                                     red,
		"svg{fill:#00f} rect{fill:inherit}":                               blue,
		"/* rect{fill:red} */ <!-- .x{} --> rect{/* a;b{} */ fill:#00f;}": blue,
	} {
		out, left := drawn(t, "<svg id='m'><style><![CDATA["+sheet+"]]></style><g class='node wide'><g><title/>"+square+" fill='#f00' data-kind='box'/></g></g></svg>")
		if !strings.Contains(out, want) || left["style"] {
			t.Errorf("%s: have %q, %v, want %s", sheet, out, left, want)
		}
	}
	for _, selector := range []string{":has(rect)", ":nth-child(2n of .a)", ":nth-child(x)", ":is(a b)", ":is()", "rect:empty"} {
		if _, left := drawn(t, "<style>"+selector+"{fill:red}</style>"); !left["style"] {
			t.Errorf("%s, which is not understood: have no note", selector)
		}
	}
	if _, left := drawn(t, square+" style='fill:lch(1 0 0)'/>"); !left["lch()"] {
		t.Error("a colour that is not understood: have no note")
	}
}

// TestEncodings checks that drawings are read in the encoding that they say.
func TestEncodings(t *testing.T) {
	t.Parallel()
	for head, text := range map[string]string{
		"us-ascii": "A", "US-ASCII": "A", "utf-8": "ü", "ISO-8859-1": "\xfc", "windows-1252": "\xfc", "iso-8859-15": "\xfc", "windows-1251": "\xfc", "koi8-r": "\xfc", "GB2312": "\xd6\xd0", "gb18030": "\xd6\xd0", "Big5": "\xa4\xa4", "Shift_JIS": "\x93\xfa", "EUC-KR": "\xc7\xd1",
	} {
		out, _ := drawn(t, `<?xml version="1.0" encoding="`+head+`"?><svg><text>`+text+`</text></svg>`)
		want := map[string]string{"windows-1251": "ь", "koi8-r": "Э", "GB2312": "中", "gb18030": "中", "Big5": "中", "Shift_JIS": "日", "EUC-KR": "한", "us-ascii": "A", "US-ASCII": "A"}[head]
		if want == "" {
			want = "ü"
		}
		if !strings.Contains(out, "["+want+" ") {
			t.Errorf("%s: have %q, want %s", head, out, want)
		}
	}
	var wide []byte
	for _, r := range `<?xml version="1.0" encoding="UTF-16"?><svg width="9" height="9"><text>ü</text></svg>` {
		wide = append(wide, byte(r), byte(r>>8))
	}
	if p, err := Write(writer.New(io.Discard, writer.Info{}), append([]byte("\xff\xfe"), wide...), spelled()); err != nil || p.Width != 9 {
		t.Errorf("UTF-16: have %+v, %v", p, err)
	}
	if _, err := read([]byte(`<?xml version="1.0" encoding="nonsense"?><svg/>`)); err == nil {
		t.Error("an encoding that is not known: have no error")
	}
}

// TestEntities checks that entities of a drawing's own document type are replaced.
func TestEntities(t *testing.T) {
	t.Parallel()
	out, _ := drawn(t, `<?xml version="1.0"?><!DOCTYPE svg PUBLIC "x" "y" [ <!ENTITY c "#0000ff"> <!ENTITY d '&c;'> <!ENTITY e SYSTEM "file:///etc/passwd"> ]>
<svg><rect width="1" height="1" fill="&d;"/><text>&e;</text></svg>`)
	if !strings.Contains(out, "0 0 1 rg") || strings.Contains(out, "root") {
		t.Errorf("have %q", out)
	}
}

// TestLengths holds what lengths are of: percentages of what is shown.
func TestLengths(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<rect width='100%' height='50%'/>":                                                                                      "0 0 200 50 re",
		"<rect x='10%' y='10%' width='1in' height='1pc'/>":                                                                       "20 10 96 16 re",
		"<line x2='100%' y2='100%' stroke='red'/>":                                                                               "200 100 l",
		"<ellipse cx='50%' cy='50%' rx='10%' ry='10%'/>":                                                                         "120 44.477153 120 50 c",
		"<rect width='2em' height='1rem' font-size='5'/>":                                                                        "0 0 10 16 re",
		"<svg width='50' height='20' viewBox='0 0 10 10'><rect width='50%' height='5'/></svg>":                                   "0 0 5 5 re",
		"<style>rect{rx:5px;width:50%}</style><rect width='20' height='20'/>":                                                    "5 0 m",
		"<text x='50%' y='25%' font-size='10'>a</text>":                                                                          "10 0 0 -10 100 25 cm",
		"<linearGradient id='g' gradientUnits='userSpaceOnUse' x2='50%'><stop/></linearGradient>" + square + " fill='url(#g)'/>": "/G0 sh",
	} {
		if out, _ := drawn(t, "<svg>"+text+"</svg>"); !strings.Contains(out, want) {
			t.Errorf("%s: have %q, want %s", text, out, want)
		}
	}
}

// TestSizes holds how large a drawing is that says nothing of it, or a part.
func TestSizes(t *testing.T) {
	t.Parallel()
	for attributes, want := range map[string][2]float64{
		"": {300, 150}, "width='100%' height='60'": {300, 60}, "width='40'": {40, 150}, "viewBox='0 0 20 10'": {20, 10}, "viewBox='0 0 20 10' width='40'": {40, 20},
	} {
		tree, err := read([]byte("<svg " + attributes + "/>"))
		if err != nil {
			t.Fatal(err)
		}
		if _, width, height := viewBox(tree.root); width != want[0] || height != want[1] {
			t.Errorf("%q: have %v × %v, want %v", attributes, width, height, want)
		}
	}
}

// TestClipped holds what limits shapes: clipping paths, masks, and gradients that
// are not solid.
func TestClipped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<clipPath id='c'><circle cx='4' cy='4' r='3'/></clipPath>" + square + " clip-path='url(#c)'/>":                                                                          "h\nW n\n0 0 0 rg\n",
		"<clipPath id='c'><path d='M0 0h5v5z' clip-rule='evenodd'/></clipPath><g style='clip-path:url(#c)'>" + square + "/></g>":                                                 "W* n\n",
		"<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>" + square + " clip-path='url(#c)'/>":                                        "0 0 m\n5 0 l\n5 10 l\n0 10 l\nh\nW n\n",
		"<rect id='r' width='2' height='2'/><clipPath id='c'><use href='#r' x='3'/></clipPath>" + square + " clip-path='url(#c)'/>":                                              "3 0 m\n5 0 l\n5 2 l\n3 2 l\nh\nW n\n",
		"<clipPath id='c' transform='translate(1)'/>" + square + " clip-path='url(#c)'/>":                                                                                        "0 0 0 0 re\nW n\n",
		"<mask id='m'><rect fill='#fff' width='5' height='5'/></mask>" + square + " mask='url(#m)'/>":                                                                            "/E0 gs\n0 0 0 rg\n",
		"<linearGradient id='g'><stop stop-opacity='0'/></linearGradient>" + square + " fill='url(#g)'/>":                                                                        "/E0 gs\n/G0 sh\n",
		"<pattern id='p' width='.5' height='.5'><rect width='1' height='1'/></pattern>" + square + " fill='url(#p)'/>":                                                           "1 0 0 1 5 5 cm\n/X0 Do\n",
		"<pattern id='p' width='4' height='4' patternUnits='userSpaceOnUse' patternTransform='rotate(45)'><rect width='1' height='1'/></pattern>" + square + " fill='url(#p)'/>": "/X0 Do\n",
		"<marker id='m' overflow='visible'>" + square + "/></marker><line x1='5' x2='5' stroke='red' marker-start='url(#m)'/>":                                                   "1 0 0 1 0 0 cm\nq\n0 0 0 rg\n",
		"<marker id='m' orient='auto'><rect width='1' height='1' fill='context-stroke'/></marker><path d='M0 0H5V5' fill='none' stroke='#f00' marker-mid='url(#m)'/>":            "1 0 0 rg\n0 0 1 1 re\n",
	} {
		out, left := drawn(t, text)
		if !strings.Contains(out, want) || len(left) > 0 {
			t.Errorf("%s: have %q, %v, want %q", text, out, left, want)
		}
	}
}

// TestTextOfDrawings holds where text stands: along a path, in places of its own
// letters, in its width, and as HTML.
func TestTextOfDrawings(t *testing.T) {
	t.Parallel()
	const html = "<foreignObject width='100' height='40'><div style='%s'>%s</div></foreignObject>"
	for text, want := range map[string]string{
		"<path id='p' d='M10 60L90 60'/><text font-size='10'><textPath href='#p'>ab</textPath></text>":                                     "10 0 0 -10 15 60 cm\n[b ",
		"<path id='p' d='M10 60V90'/><text font-size='10'><textPath href='#p' startOffset='50%' text-anchor='middle'>ab</textPath></text>": "0 10 10 0 10 70 cm\n[a ",
		"<text x='1 20 30' font-size='10'>abcd</text>":                                                                                     "10 0 0 -10 30 0 cm\n[c ",
		"<text font-size='10' textLength='40'>abcd</text>":                                                                                 "20 0 0 -10 0 0 cm\n[abcd ",
		"<text style='font: italic bold 10px/2 monospace'>a</text>":                                                                        "[a true true ",
		"<text dominant-baseline='central' font-size='10'><tspan>a</tspan></text>":                                                         "10 0 0 -10 0 3.2 cm",
		"<text visibility='hidden'>a<tspan visibility='visible'>b</tspan></text>":                                                          "[b ",
		fmt.Sprintf(html, "text-align:center;font-size:10px;line-height:2", "a <b>b</b><br/>c"):                                            "10 0 0 -10 42.5 13.5 cm\n[a  false",
		fmt.Sprintf(html, "font-size:10px;color:#f00", "<p>one two three four</p> five"):                                                   "[one two three four false false [255 0 0]]",
		fmt.Sprintf(html, "font-size:10px;width:50px", "one two three four"):                                                               "[three four false",
		"<switch>" + fmt.Sprintf(html, "display:flex;align-items:unsafe center;justify-content:unsafe center;width:80px;height:1px;padding-top:40px;margin-left:10px;font-size:10px", "<div>ab</div>") + "<text>no</text></switch>": "10 0 0 -10 45 44 cm\n[ab ",
		"<switch>" + fmt.Sprintf(html, "", "<img/>") + "<text>yes</text></switch>": "[yes ",
	} {
		out, left := drawn(t, text)
		if !strings.Contains(out, want) || strings.Contains(out, "[no ") || len(left) > 0 {
			t.Errorf("%s: have %q, %v, want %q", text, out, left, want)
		}
	}
}

// TestEdgesOfText checks that text is drawn as its edges are, that it may be filled with
// a gradient, and how far its letters stand apart.
func TestEdgesOfText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<text font-size='10' fill='#fff' stroke='#f00'>a</text>":                         "[a false false [255 255 255]]\n[a edge 0.1 [255 0 0]]\n",
		"<text font-size='10' fill='none' stroke='#f00' stroke-width='2'>a</text>":        "cm\n[a edge 0.2 [255 0 0]]\n",
		"<text font-size='10' stroke='#f00' style='paint-order: stroke fill'>a</text>":    "[a edge 0.1 [255 0 0]]\n[a false false [0 0 0]]\n",
		"<text font-size='10' stroke='#f00' stroke-width='0'>a</text>":                    "cm\n[a false false [0 0 0]]\nQ",
		"<text font-size='10' stroke='#f00' stroke-opacity='.5'>a</text>":                 "/E0 gs\n10 0 0 -10 0 0 cm\n[a ",
		"<text font-size='10' letter-spacing='.5em'>ab\u0301</text>":                      "10 0 0 -10 10 0 cm\n[b\u0301 ",
		"<text font-size='10' letter-spacing='5' text-anchor='end'>ab</text>":             "10 0 0 -10 -20 0 cm\n[a ",
		"<text font-size='10'>a<tspan baseline-shift='super'>b</tspan></text>":            "10 0 0 -10 5 -4 cm\n[b ",
		"<text font-size='10'>a<tspan baseline-shift='-2'>b</tspan></text>":               "10 0 0 -10 5 2 cm\n[b ",
		"<linearGradient id='g'><stop/></linearGradient><text fill='url(#g)'>a</text>":    "/E0 gs\n/X0 Do\nQ\nq\n16 0 0 -16 0 0 cm\nQ\n",
		"<pattern id='p'/><text font-size='10' color='#f00' fill='url(#p)'>a</text>":      "[a false false [255 0 0]]",
		"<text font-size='10' text-transform='uppercase'>ab</text>":                       "[AB ",
		"<text font-size='10' text-decoration='underline'>ab</text>":                      "[ab false false [0 0 0]]\n0 0 0 rg\n0 -0.13 1 0.06 re\n",
		"<g transform='rotate(90)' style='transform-origin: 50% 20px'><text>a</text></g>": "1 0 0 1 100 20 cm\n0 1 -1 0 0 0 cm\n1 0 0 1 -100 -20 cm\n",
		"<g transform='scale(2)' transform-origin='right top'><text>a</text></g>":         "1 0 0 1 200 0 cm\n2 0 0 2 0 0 cm\n1 0 0 1 -200 0 cm\n",
	} {
		out, left := drawn(t, text)
		if !strings.Contains(out, want) || len(left) > 0 && !left["pattern"] {
			t.Errorf("%s: have %q, %v, want %q", text, out, left, want)
		}
	}
}

// TestSeenThrough checks that a group is transparent as a whole, and that gradients are
// drawn along lines as well.
func TestSeenThrough(t *testing.T) {
	t.Parallel()
	const gradient = "<linearGradient id='g'><stop stop-color='#f00'/><stop offset='1' stop-opacity='.2'/></linearGradient>"
	for text, want := range map[string]string{
		"<g opacity='.5'>" + square + "/>" + square + "/></g>":         "q\n/E0 gs\n/X0 Do\nQ\n",
		"<g opacity='.5'>" + square + "/></g>":                         "/E0 gs\n0 0 0 rg\n0 0 10 10 re\n",
		gradient + "<path d='M0 0L9 9' stroke='url(#g)' fill='none'/>": "q\n/E0 gs\n/X0 Do\nQ\n",
		gradient + "<path d='M0 0H9' stroke='url(#g)'/>":               " RG\n",
		square + " stroke='#f00' style='paint-order:stroke'/>":         "0 0 10 10 re\nS\n0 0 10 10 re\nf\n",
		"<pattern id='p' x='2' width='4' height='4' patternUnits='userSpaceOnUse'>" + square + "/></pattern><rect width='4' height='4' fill='url(#p)'/>": "1 0 0 1 2 0 cm\n/X0 Do\n",
	} {
		if out, left := drawn(t, text); !strings.Contains(out, want) || len(left) > 0 {
			t.Errorf("%s: have %q, %v, want %q", text, out, left, want)
		}
	}
}

// TestEmbeddedPictures draws embedded pictures but no external ones.
func TestEmbeddedPictures(t *testing.T) {
	t.Parallel()
	const svg = "data:image/svg+xml,%3Csvg width='4' height='2' xmlns='http://www.w3.org/2000/svg'%3E%3Crect width='4' height='2'/%3E%3C/svg%3E"
	out, left := drawn(t, `<image x="5" width="8" height="8" href="`+svg+`"/>`)
	if !strings.Contains(out, "2 0 0 2 0 2 cm\n4 0 0 -2 0 2 cm\n") || !strings.Contains(out, "/X0 Do") || len(left) > 0 {
		t.Errorf("have %q, %v", out, left)
	}
	for name, data := range pictures(t) {
		text := fmt.Sprintf(`<image width="8" href="data:image/x;base64,%s"/>`, base64.StdEncoding.EncodeToString(data))
		if out, left := drawn(t, text); !strings.Contains(out, " Do\n") || len(left) > 0 {
			t.Errorf("%s: have %q, %v", name, out, left)
		}
	}
}

// TestLeft checks that what is not drawn is noted, and what draws nothing is not.
func TestLeft(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<image href='http://example.org/a.png'/>":                                                             "image",
		"<image href='data:image/png;base64,AAAA'/>":                                                           "image",
		"<foreignObject><video/></foreignObject>":                                                              "foreignObject",
		square + " filter='url(#f)'/>":                                                                         "filter",
		square + " style='filter: drop-shadow(1px 1px red)'/>":                                                 "filter",
		square + " clip-path='inset(1px)'/>":                                                                   "clip-path",
		"<clipPath id='c'><text>a</text></clipPath>" + square + " clip-path='url(#c)'/>":                       "clipPath",
		"<pattern id='p' width='1e-9' height='1'><g/></pattern>" + square + " fill='url(#p)'/>":                "pattern",
		"<text><textPath href='#none'>a</textPath></text>":                                                     "textPath",
		"<use href='other.svg#a'/>":                                                                            "use",
		"<nonsense/>":                                                                                          "nonsense",
		square + " style='mix-blend-mode: multiply'/>":                                                         "mix-blend-mode",
		square + " style='rotate: 20deg'/>":                                                                    "rotate",
		"<path style='d: path(\"M0 0\")'/>":                                                                    "d",
		square + " vector-effect='non-scaling-stroke'/>":                                                       "vector-effect",
		square + " transform='scale(2)' style='transform-box: fill-box; transform-origin: center'/>":           "transform-box",
		square + "><animate attributeName='x'/></rect>":                                                        "animate",
		square + "><set attributeName='x'/></rect>":                                                            "set",
		"<text rotate='20'>a</text>":                                                                           "rotate",
		"<text writing-mode='tb'>a</text>":                                                                     "writing-mode",
		"<text text-decoration='line-through'>a</text>":                                                        "text-decoration",
		"<text word-spacing='3'>a</text>":                                                                      "word-spacing",
		"<style>g{rect{fill:red}}</style>":                                                                     "style",
		"<linearGradient id='g' spreadMethod='repeat'><stop/></linearGradient>" + square + " fill='url(#g)'/>": "spreadMethod",
		"<text writing-mode='horizontal-tb' word-spacing='0' text-decoration='none'>a</text>":                  "",
		"<path d='M0 0' style='mix-blend-mode: normal; vector-effect: none'/>":                                 "",
		"<g xmlns:i='http://i'><i:a/></g><title/><script/><view/>":                                             "",
		"<defs><filter/><mask/></defs>":                                                                        "",
	} {
		_, left := drawn(t, text)
		if want == "" && len(left) > 0 || want != "" && !left[want] {
			t.Errorf("%s: have %v, want %s", text, left, want)
		}
	}
}

// TestBounds checks that hostile drawings take little time and room, whatever comes
// of them.
func TestBounds(t *testing.T) {
	t.Parallel()
	const head = "<svg viewBox='0 0 100 100'>"
	variables := ""
	for i := range 40 {
		variables += fmt.Sprintf("--v%d:var(--v%d)var(--v%d);", i+1, i, i)
	}
	laughs := ""
	for i := range 40 {
		laughs += fmt.Sprintf("<!ENTITY e%d '&e%d;&e%d;'>", i+1, i, i)
	}
	inner := "<svg width='9' height='9'/>"
	for range 8 {
		inner = "<svg width='9' height='9'><image href='data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(inner)) + "'/></svg>"
	}
	for name, text := range map[string]string{
		"variables":  head + "<style>svg{--v0:aaaaaaaa;" + variables + "fill:var(--v40)}</style>" + strings.Repeat("<g/>", 1000) + "</svg>",
		"entities":   "<!DOCTYPE svg [<!ENTITY e0 'aaaaaaaa'>" + laughs + "]>" + head + "<text>&e40;</text></svg>",
		"many uses":  "<!DOCTYPE svg [<!ENTITY e '" + strings.Repeat("a", 4000) + "'>]>" + head + "<text>" + strings.Repeat("&e;", 100_000) + "</text></svg>",
		"selectors":  head + "<style>" + strings.Repeat("g g g g g g g g g g g g g > a{x:y}", 500) + "</style>" + strings.Repeat("<g>", 60) + strings.Repeat("<a/>", 20_000) + strings.Repeat("</g>", 60) + "</svg>",
		"siblings":   head + "<style>g~g~g~g~g~g~b{x:y}</style>" + strings.Repeat("<g/>", 30_000) + strings.Repeat("<b/>", 1000) + "</svg>",
		"masks":      head + "<mask id='m'><g mask='url(#m)'>" + square + "/></g></mask>" + strings.Repeat(square+" mask='url(#m)'/>", 10_000) + "</svg>",
		"patterns":   head + "<pattern id='p' width='.02' height='.02'><rect width='9' height='9' fill='url(#p)'/></pattern>" + strings.Repeat(square+" fill='url(#p)'/>", 20_000) + "</svg>",
		"clips":      head + "<clipPath id='c' clip-path='url(#c)'><path d='" + strings.Repeat("M0 0L1 1", 2_000) + "'/></clipPath>" + strings.Repeat(square+" clip-path='url(#c)'/>", 20_000) + "</svg>",
		"text paths": head + "<path id='p' d='M0 0" + strings.Repeat("h1v1", 5_000) + "'/>" + strings.Repeat("<text><textPath href='#p'>"+strings.Repeat("a", 200)+"</textPath></text>", 2000) + "</svg>",
		"marks":      head + "<marker id='m'>" + square + "/></marker><path marker-mid='url(#m)' d='" + strings.Repeat("M0 0L1 1", 50_000) + "'/></svg>",
		"prose":      head + strings.Repeat("<foreignObject width='9' height='9'>"+strings.Repeat("a ", 5000)+"</foreignObject>", 200) + "</svg>",
		"pictures":   inner,
	} {
		var out bytes.Buffer
		_, err := Write(writer.New(&out, writer.Info{}), []byte(text), spelled())
		if out.Len() > 64<<20 {
			t.Errorf("%s: have %d bytes, %v", name, out.Len(), err)
		}
	}
}
