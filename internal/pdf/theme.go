package pdf

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/token"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
)

// Theme is the colours of a book (decision 53). A system theme is light in print.
type Theme struct {
	Name   string            // light, dark or system; "" is light
	Tokens map[string]string // values by name; invalid colours are ignored
}

// palette is a theme with all colours and styles.
type palette struct {
	background, text, muted, accent, link, border, codeBackground, codeText layout.Color
	variants                                                                map[string]layout.Color
	classes                                                                 map[token.Class]layout.Color
	paper                                                                   bool // the background is white
	body                                                                    *layout.Style
}

const bodySize = 10

func rgb(hex uint32) layout.Color {
	return layout.Color{uint8(hex >> 16), uint8(hex >> 8), uint8(hex)}
}

// withDefaults completes the colours of a theme.
func (t Theme) withDefaults() palette {
	p := palette{
		background: rgb(0xffffff), text: rgb(0x1f2328), muted: rgb(0x59636e), accent: rgb(0x0b62c4), link: rgb(0x0b62c4),
		border: rgb(0xd4dae1), codeBackground: rgb(0xf5f7f9), codeText: rgb(0x1f2328),
		variants: map[string]layout.Color{
			"note": rgb(0x59636e), "tip": rgb(0x19703a), "info": rgb(0x0b62c4), "warning": rgb(0x8a5a00), "danger": rgb(0xb3261e),
		},
		classes: classColors(0xa01a7d, 0x1c5f2d, 0x8a4b00, 0x5f6b76, 0x0b57b5, 0x6b3fa0, 0xb3261e),
	}
	if t.Name == "dark" {
		p.background, p.text, p.muted, p.accent, p.link = rgb(0x14171c), rgb(0xe3e7ec), rgb(0x9aa5b1), rgb(0x79b2f7), rgb(0x79b2f7)
		p.border, p.codeBackground, p.codeText = rgb(0x333b45), rgb(0x1c2128), rgb(0xe3e7ec)
		p.variants = map[string]layout.Color{
			"note": rgb(0x9aa5b1), "tip": rgb(0x7fd19a), "info": rgb(0x79b2f7), "warning": rgb(0xe6b35c), "danger": rgb(0xf29088),
		}
		p.classes = classColors(0xe59bd0, 0x93d3a2, 0xe6b35c, 0x93a0ad, 0x8fbcf5, 0xc3a6f0, 0xf29088)
	}
	for _, token := range []struct {
		name string
		to   *layout.Color
	}{
		{"background", &p.background},
		{"text", &p.text},
		{"muted", &p.muted},
		{"accent", &p.accent},
		{"link", &p.link},
		{"border", &p.border},
		{"codeBackground", &p.codeBackground},
		{"codeText", &p.codeText},
	} {
		if c, ok := parseColor(t.Tokens[token.name]); ok {
			*token.to = c
		}
	}
	p.paper = p.background == rgb(0xffffff)
	p.body = &layout.Style{Size: bodySize, Color: p.text}
	return p
}

// classColors maps token classes to colours.
func classColors(keyword, text, number, comment, name, kind, removed uint32) map[token.Class]layout.Color {
	return map[token.Class]layout.Color{
		token.Comment: rgb(comment), token.Output: rgb(comment), token.Keyword: rgb(keyword), token.Directive: rgb(keyword),
		token.Type: rgb(kind), token.Attribute: rgb(kind), token.Function: rgb(name), token.Tag: rgb(name), token.Heading: rgb(name),
		token.Number: rgb(number), token.Constant: rgb(number), token.String: rgb(text), token.Added: rgb(text), token.Removed: rgb(removed),
	}
}

func (p *palette) heading(level int) *layout.Style {
	sizes := [...]float64{23, 16.5, 13, 11, 10, 10}
	s := &layout.Style{Font: font.Bold, Size: sizes[min(max(level, 1), len(sizes))-1], Color: p.text}
	if level > 5 {
		s.Color = p.muted
	}
	return s
}

// mix blends two colours; share is that of a.
func mix(a, b layout.Color, share float64) layout.Color {
	var out layout.Color
	for i := range out {
		out[i] = uint8(float64(a[i])*share + float64(b[i])*(1-share) + 0.5)
	}
	return out
}

// parseColor parses #rgb or #rrggbb.
func parseColor(s string) (layout.Color, bool) {
	digits, ok := strings.CutPrefix(s, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	v, err := strconv.ParseUint(digits, 16, 32)
	return rgb(uint32(v)), ok && err == nil && len(digits) == 6
}
