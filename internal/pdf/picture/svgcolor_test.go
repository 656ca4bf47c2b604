package picture

import "testing"

// TestNewColors holds that colours in Oklab are those of Chromium on white.
func TestNewColors(t *testing.T) {
	t.Parallel()
	for color, want := range map[string][3]uint8{
		"oklch(0.7 0.15 30)":            {237, 118, 101},
		"oklch(62.3% 0.214 259.815)":    {43, 127, 255},
		"oklch(0.97 0.01 200deg / 50%)": {246, 251, 251},
		"oklch(0.8 0.4 150)":            {0, 249, 0},
		"oklab(40% 0.1 -0.1)":           {99, 40, 123},
		"oklab(0.5 -20% 40%)":           {95, 109, 0},
	} {
		c, ok := parseColor(color)
		white := func(v float64) float64 { return v*c.opacity() + c.clear }
		if have := (rgba{white(c.r), white(c.g), white(c.b), 0}).bytes(); !ok || have != want {
			t.Errorf("%s: have %v, want %v", color, have, want)
		}
	}
	for _, color := range []string{"oklch(1 2)", "oklch(a 0 0)", "oklab(1 x 0)", "color-mix(in srgb, red, blue)", "lab(50 0 0)"} {
		if c, ok := parseColor(color); ok {
			t.Errorf("%s: have %v, want none", color, c)
		}
	}
}

// TestOmittedPartsAreNamed holds that what is not drawn as in a browser is named.
func TestOmittedPartsAreNamed(t *testing.T) {
	t.Parallel()
	for svg, want := range map[string]string{
		`<text y="1 2 3">abc</text>`:                                                   "y",
		`<text dy="1,2">ab</text>`:                                                     "dy",
		`<text direction="rtl">ab</text>`:                                              "direction",
		`<path d="M0 0H9" pathLength="10" stroke="red" stroke-dasharray="1"/>`:         "pathLength",
		`<style>[class="A" i]{fill:red}</style><rect class="a" width="1" height="1"/>`: "style",
	} {
		if _, left := drawn(t, svg); !left[want] {
			t.Errorf("%s: have %v, want %s", svg, left, want)
		}
	}
	for _, svg := range []string{`<text y="1" dy=" 2 ">a</text>`, `<rect y="1" width="1" height="1"/>`, `<style>[class="a b i"]{fill:red}</style>`} {
		if _, left := drawn(t, svg); len(left) > 0 {
			t.Errorf("%s: have %v, want nothing", svg, left)
		}
	}
}
