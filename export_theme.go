package octavo

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// ThemeTokens are the names that every format knows (decision 53).
func ThemeTokens() []string {
	return []string{"background", "text", "muted", "accent", "link", "border", "codeBackground", "codeText"}
}

// ThemeColours returns the default colours of text and background, dark or light.
func ThemeColours(dark bool) (text, background string) {
	if dark {
		return "#e3e7ec", "#14171c"
	}
	return "#1f2328", "#ffffff"
}

// MinContrast is the minimum contrast of readable text (WCAG 2.2, success criterion
// 1.4.3).
const MinContrast = 4.5

// rendering reads the look of the result.
func (x *exportReader) rendering(from *fields, format ExportFormat) ExportRendering {
	r := ExportRendering{Theme: ExportTheme{Name: SystemTheme}, EmbedAssets: true}
	f := from.nested("rendering")
	if f == nil {
		return r
	}
	r.Theme = x.theme(f, format)
	if assets := f.nested("assets"); assets != nil {
		if b, ok := assets.get("embed", KindBool); ok {
			r.EmbedAssets = b.Bool
		}
		if m := assets.nested("metadata"); m != nil {
			r.Metadata.Alt, r.Metadata.Caption = m.assetText("alt"), m.assetText("caption")
			if list, ok := m.get("tags", KindArray); ok {
				r.Metadata.Tags = m.assetTags(list.Items)
			}
			x.closed(m)
		}
		x.closed(assets)
	}
	x.closed(f)
	return r
}

// theme reads the name of the built-in theme, or an explicit one.
func (x *exportReader) theme(f *fields, format ExportFormat) ExportTheme {
	t := ExportTheme{Name: SystemTheme}
	v, ok := f.object.Get("theme")
	f.known = append(f.known, "theme")
	switch {
	case !ok || v.Kind == KindString && v.Str == SystemTheme:
		return t
	case v.Kind != KindObject:
		x.faults.Add("/rendering/theme", "must be \"system\", or an object with name and tokens")
		return t
	}
	o := readObject(v, "/rendering/theme", &x.faults)
	o.require("name", "tokens")
	if name := o.text("name"); name != "" {
		t.Name = name
	}
	if tokens, ok := o.get("tokens", KindObject); ok {
		t.Tokens = x.tokens(tokens, format)
		x.judge(t, format)
	}
	x.closed(o)
	return t
}

func (x *exportReader) tokens(v Value, format ExportFormat) map[string]string {
	tokens := map[string]string{}
	if n := len(v.Members); n > MaxThemeTokens {
		x.faults.Add("/rendering/theme/tokens", "must have at most %d tokens; it has %d", MaxThemeTokens, n)
		return tokens
	}
	for _, m := range v.Members {
		at := Pointer("/rendering/theme/tokens", m.Name)
		switch {
		case m.Value.Kind == KindNull: // a YAML comment: a colour without quotation marks
			x.faults.Add(at, "must be a colour such as \"#336699\", not null; in YAML, # begins a comment outside of quotation marks")
		case m.Value.Kind != KindString:
			x.faults.Add(at, "must be a string, not %s", article(m.Value.Kind))
		case !isHexColour(m.Value.Str):
			x.faults.Add(at, "must be a colour such as #336699 or #369")
		case slices.Contains(ThemeTokens(), m.Name), isTokenName(m.Name) && format == ExportHTML:
			tokens[m.Name] = m.Value.Str
		case isTokenName(m.Name):
			x.warn(at, "is not a known token, and only html makes variables of others")
		default:
			x.warn(at, "has no effect: names of tokens begin with a letter and have letters, digits, hyphens and underscores")
		}
	}
	return tokens
}

// judge warns of text with too little contrast, in each colour scheme of the theme.
func (x *exportReader) judge(t ExportTheme, format ExportFormat) {
	base := t.Base()
	for _, scheme := range []struct {
		name  string
		shown bool
	}{{"light", base != "dark"}, {"dark", base == "dark" || base == SystemTheme && format == ExportHTML}} {
		text, background := ThemeColours(scheme.name == "dark")
		text, background = cmp.Or(t.Tokens["text"], text), cmp.Or(t.Tokens["background"], background)
		if ratio := Contrast(text, background); scheme.shown && ratio < MinContrast {
			x.warn("/rendering/theme/tokens", "text has a contrast of %.2f:1 to its background in %s colours; readers need %.1f:1", math.Floor(ratio*100)/100, scheme.name, MinContrast)
		}
	}
}

// Base returns the built-in colours that replace missing tokens: light or dark, by the
// theme's background, or those of the reader's colour scheme for the built-in theme. An
// explicit theme looks the same to everyone, since half of its colours with half of a
// reader's would not be readable.
func (t ExportTheme) Base() string {
	background, ok := t.Tokens["background"]
	switch {
	case t.Name == SystemTheme || t.Name == "":
		return SystemTheme
	case ok && luminance(background) < luminance("#777777"):
		return "dark"
	}
	return "light"
}

// isTokenName reports whether a name matches ^[A-Za-z][A-Za-z0-9_-]*$.
func isTokenName(s string) bool {
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || !(c >= '0' && c <= '9' || c == '_' || c == '-')) {
			return false
		}
	}
	return s != "" && len(s) <= MaxExportText
}

// isHexColour reports whether s matches ^#([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$.
func isHexColour(s string) bool {
	if len(s) != 4 && len(s) != 7 || s[0] != '#' {
		return false
	}
	for _, c := range []byte(s[1:]) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return true
}

// Contrast returns the contrast ratio of two hex colours, from 1 to 21 (WCAG 2.2,
// "contrast ratio").
func Contrast(a, b string) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance returns the relative luminance of a hex colour (WCAG 2.2).
func luminance(hex string) float64 {
	var sum float64
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		digits := hex[1+i:2+i] + hex[1+i:2+i]
		if len(hex) == 7 {
			digits = hex[1+2*i : 3+2*i]
		}
		n, _ := strconv.ParseUint(digits, 16, 8) // it is a hex colour
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
