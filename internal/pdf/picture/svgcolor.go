package picture

import (
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"
)

// rgba is a colour with components from 0 to 1.
type rgba struct {
	r, g, b float64
	clear   float64 // transparency
}

func (c rgba) opacity() float64 { return 1 - c.clear }

func (c rgba) bytes() [3]uint8 {
	return [3]uint8{uint8(c.r*255 + 0.5), uint8(c.g*255 + 0.5), uint8(c.b*255 + 0.5)}
}

// String formats the colour as operands.
func (c rgba) String() string {
	out := append(appendFine(nil, c.r), ' ')
	out = append(appendFine(out, c.g), ' ')
	return string(appendFine(out, c.b))
}

func parseColor(s string) (rgba, bool) {
	s = strings.ToLower(strings.TrimSpace(s))
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		return parseHex(hex)
	}
	name, inner, ok := strings.Cut(s, "(")
	if !ok {
		if s == "transparent" {
			return rgba{clear: 1}, true
		}
		v, ok := colornames.Map[s]
		if s == "rebeccapurple" {
			return parseHex("663399")
		}
		return rgba{float64(v.R) / 255, float64(v.G) / 255, float64(v.B) / 255, 0}, ok
	}
	inner, _, _ = strings.Cut(inner, ")")
	parts := strings.FieldsFunc(inner, func(r rune) bool { return r == ',' || r == ' ' || r == '/' || r == '\t' || r == '\n' })
	if name == "color" && len(parts) > 1 && (parts[0] == "srgb" || parts[0] == "display-p3") { // almost equal
		name, parts = "srgb", parts[1:]
	}
	if len(parts) != 3 && len(parts) != 4 {
		return rgba{}, false
	}
	alpha := 1.0
	if len(parts) == 4 {
		if alpha, ok = part(parts[3], 1); !ok {
			return rgba{}, false
		}
	}
	switch name {
	case "rgb", "rgba", "srgb":
		whole := 255.0
		if name == "srgb" {
			whole = 1
		}
		r, okR := part(parts[0], whole)
		g, okG := part(parts[1], whole)
		b, okB := part(parts[2], whole)
		return rgba{r, g, b, 1 - alpha}, okR && okG && okB
	case "hsl", "hsla", "hwb":
		turn, okH := angle(parts[0])
		x, okX := part(parts[1], 100)
		y, okY := part(parts[2], 100)
		c := hsl(turn, x, y)
		if name == "hwb" {
			c = hsl(turn, 1, 0.5)
			if x+y > 1 {
				x, y = x/(x+y), y/(x+y)
			}
			c = rgba{c.r*(1-x-y) + x, c.g*(1-x-y) + x, c.b*(1-x-y) + x, 0}
		}
		c.clear = 1 - alpha
		return c, okH && okX && okY
	case "oklab", "oklch":
		l, okL := part(parts[0], 1)
		a, okA := signed(parts[1], 0.4)
		b, okB := signed(parts[2], 0.4)
		if name == "oklch" {
			turn, ok := angle(parts[2])
			sin, cos := math.Sincos(turn * 2 * math.Pi)
			a, b, okB = max(a, 0)*cos, max(a, 0)*sin, ok
		}
		c := oklab(l, a, b)
		c.clear = 1 - alpha
		return c, okL && okA && okB
	}
	return rgba{}, false
}

// part parses a component, as a fraction of whole or a percentage.
func part(text string, whole float64) (float64, bool) {
	if text == "none" {
		return 0, true
	}
	digits, percent := strings.CutSuffix(text, "%")
	if percent {
		whole = 100
	}
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || v != v {
		return 0, false
	}
	return min(max(v/whole, 0), 1), true
}

// angle parses an angle, in turns.
func angle(text string) (turns float64, ok bool) {
	for _, unit := range []struct {
		name string
		turn float64
	}{{"turn", 1}, {"grad", 400}, {"rad", 2 * math.Pi}, {"deg", 360}, {"", 360}} {
		if digits, found := strings.CutSuffix(text, unit.name); found {
			v, err := strconv.ParseFloat(digits, 64)
			return v / unit.turn, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
		}
	}
	return 0, false
}

// hsl converts hue, saturation and lightness.
func hsl(turn, saturation, lightness float64) rgba {
	turn -= math.Floor(turn)
	at := func(n float64) float64 {
		k := math.Mod(n+turn*12, 12)
		return lightness - saturation*min(lightness, 1-lightness)*max(-1, min(k-3, 9-k, 1))
	}
	return rgba{at(0), at(8), at(4), 0}
}

// signed parses a component that may be negative, as a number or a percentage of whole.
func signed(text string, whole float64) (float64, bool) {
	digits, percent := strings.CutSuffix(strings.Replace(text, "none", "0", 1), "%")
	v, err := strconv.ParseFloat(digits, 64)
	if percent {
		v *= whole / 100
	}
	return v, err == nil && math.Abs(v) < 1e6
}

// oklab converts from Oklab. Components outside of sRGB are cut off.
func oklab(light, a, b float64) rgba {
	cube := func(v float64) float64 { return v * v * v }
	l := cube(light + 0.3963377774*a + 0.2158037573*b)
	m := cube(light - 0.1055613458*a - 0.0638541728*b)
	s := cube(light - 0.0894841775*a - 1.2914855480*b)
	curved := func(v float64) float64 {
		if v <= 0.0031308 {
			return max(12.92*v, 0)
		}
		return min(1.055*math.Pow(v, 1/2.4)-0.055, 1)
	}
	return rgba{
		r: curved(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		g: curved(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		b: curved(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
	}
}

func parseHex(hex string) (rgba, bool) {
	if len(hex) == 3 || len(hex) == 4 {
		long := make([]byte, 0, 8)
		for i := range len(hex) {
			long = append(long, hex[i], hex[i])
		}
		hex = string(long)
	}
	v, err := strconv.ParseUint(hex, 16, 32)
	switch {
	case err != nil || len(hex) != 6 && len(hex) != 8:
		return rgba{}, false
	case len(hex) == 6:
		v = v<<8 | 255
	}
	return rgba{float64(v>>24) / 255, float64(v>>16&255) / 255, float64(v>>8&255) / 255, 1 - float64(v&255)/255}, true
}

// maxValue limits the bytes of a value after substitution of variables.
const maxValue = 4096

// resolved substitutes variables and takes the light one of light-dark(). It returns "" if a variable is
// unknown.
func resolved(value string, variables map[string]string) string {
	for range 64 {
		at := strings.LastIndex(value, "var(")
		name := "var("
		if at < 0 {
			at, name = strings.LastIndex(value, "light-dark("), "light-dark("
		}
		if at < 0 {
			return strings.TrimSpace(value)
		}
		inside := value[at+len(name):]
		end := outside(inside, ")")
		inner, rest := inside[:end], inside[min(end+1, len(inside)):]
		comma := outside(inner, ",")
		first, second := strings.TrimSpace(inner[:comma]), ""
		if comma < len(inner) {
			second = strings.TrimSpace(inner[comma+1:])
		}
		if name == "var(" {
			known, ok := variables[first]
			if !ok && comma == len(inner) {
				return ""
			}
			if first = second; ok {
				first = known
			}
		}
		if value = value[:at] + first + rest; len(value) > maxValue {
			return ""
		}
	}
	return ""
}
