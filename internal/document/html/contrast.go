package html

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// MinContrast is the least contrast of text that people with weak sight can
// read (WCAG 2.2, 1.4.3).
const MinContrast = 4.5

// Contrast tells how far the text of a theme stands out from its background:
// from 1, not at all, to 21.
type Contrast struct {
	Scheme           string // light or dark
	Text, Background string // as CSS writes them
	Ratio            float64
}

// The colours of style.css where a theme has none of its own.
const (
	lightText, lightBackground = "#1f2328", "#ffffff"
	darkText, darkBackground   = "#e3e7ec", "#14171c"
)

// LowContrast returns where text and background of the theme are closer than
// MinContrast: a theme that follows the reader's colour scheme has two such
// pairs. Colours that only a browser knows are not judged.
func (t Theme) LowContrast() []Contrast {
	tokens, _ := t.accepted()
	pick := func(name, otherwise string) string {
		if value := tokens[name]; value != "" {
			return value
		}
		return otherwise
	}
	var pairs []Contrast
	if t.Name != "dark" {
		pairs = append(pairs, Contrast{Scheme: "light", Text: pick("text", lightText), Background: pick("background", lightBackground)})
	}
	if t.Name != "light" {
		pairs = append(pairs, Contrast{Scheme: "dark", Text: pick("text", darkText), Background: pick("background", darkBackground)})
	}
	low := pairs[:0]
	for _, pair := range pairs {
		text, okText := parseColor(pair.Text)
		background, okBackground := parseColor(pair.Background)
		if !okText || !okBackground {
			continue
		}
		if pair.Ratio = contrast(text, background); pair.Ratio < MinContrast {
			low = append(low, pair)
		}
	}
	return low
}

// contrast returns the ratio of the luminances of two colours.
func contrast(a, b color.RGBA) float64 {
	high, low := luminance(a), luminance(b)
	if high < low {
		high, low = low, high
	}
	return (high + 0.05) / (low + 0.05)
}

func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// parseColor reads a colour without transparency: #rgb, #rrggbb, rgb(), hsl()
// or a name.
func parseColor(s string) (c color.RGBA, ok bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if digits, ok := strings.CutPrefix(s, "#"); ok {
		if len(digits) == 3 {
			digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
		}
		v, err := strconv.ParseUint(digits, 16, 32)
		return color.RGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}, err == nil && len(digits) == 6
	}
	name, inner, call := strings.Cut(s, "(")
	if !call {
		c, ok = colornames.Map[s]
		return c, ok
	}
	parts := strings.FieldsFunc(strings.TrimSuffix(inner, ")"), func(r rune) bool { return r == ',' || r == ' ' })
	if len(parts) != 3 {
		return c, false
	}
	switch name {
	case "rgb", "rgba":
		return parseRGB(parts)
	case "hsl", "hsla":
		return parseHSL(parts)
	}
	return c, false
}

func parseRGB(parts []string) (color.RGBA, bool) {
	var channels [3]uint8
	for i, part := range parts {
		number, percent := strings.CutSuffix(part, "%")
		v, err := strconv.ParseFloat(number, 64)
		if percent {
			v *= 2.55
		}
		if err != nil || v < 0 || v > 255 {
			return color.RGBA{}, false
		}
		channels[i] = uint8(math.Round(v))
	}
	return color.RGBA{R: channels[0], G: channels[1], B: channels[2], A: 0xff}, true
}

func parseHSL(parts []string) (color.RGBA, bool) {
	var v [3]float64
	for i, part := range parts {
		var err error
		if v[i], err = strconv.ParseFloat(strings.TrimRight(part, "%deg"), 64); err != nil || i > 0 && (v[i] < 0 || v[i] > 100) {
			return color.RGBA{}, false
		}
	}
	hue, saturation, light := math.Mod(math.Mod(v[0], 360)+360, 360), v[1]/100, v[2]/100
	channel := func(n float64) uint8 {
		k := math.Mod(n+hue/30, 12)
		return uint8(math.Round(255 * (light - saturation*min(light, 1-light)*max(-1, min(k-3, 9-k, 1)))))
	}
	return color.RGBA{R: channel(0), G: channel(8), B: channel(4), A: 0xff}, true
}
