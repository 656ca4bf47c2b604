package html

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

func TestLowContrast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		theme Theme
		want  string
	}{
		{Theme{}, ""},
		{Theme{Name: "light", Tokens: map[string]string{"text": "#767676"}}, ""}, // 4.54
		{Theme{Name: "light", Tokens: map[string]string{"text": "#777"}}, "light 4.48"},
		{Theme{Name: "dark", Tokens: map[string]string{"text": "#777"}}, "dark 4.01"},
		{Theme{Tokens: map[string]string{"background": "white"}}, "dark 1.24"},
		{Theme{Tokens: map[string]string{"text": "rgb(255, 255, 255)", "background": "hsl(0 0% 100%)"}}, "light 1.00, dark 1.00"},
		{Theme{Tokens: map[string]string{"text": "hsl(120, 100%, 50%)", "background": "lime"}}, "light 1.00, dark 1.00"},
		{Theme{Tokens: map[string]string{"text": "url(x)"}}, ""}, // is left out
		{Theme{Name: "light", Tokens: map[string]string{"text": "oklch(0.9 0.1 20)"}}, ""},
		{Theme{Name: "light", Tokens: map[string]string{"text": "#zzz"}}, ""},
	} {
		var have []string
		for _, low := range c.theme.LowContrast() {
			have = append(have, fmt.Sprintf("%s %.2f", low.Scheme, low.Ratio))
		}
		if have := strings.Join(have, ", "); have != c.want {
			t.Errorf("%+v: have %q, want %q", c.theme, have, c.want)
		}
	}
}

func TestContrastKnowsTheStyleSheet(t *testing.T) {
	t.Parallel()
	light, dark, _ := strings.Cut(StyleSheet(), ".oct-dark {")
	for sheet, colours := range map[string][2]string{light: {lightText, lightBackground}, dark: {darkText, darkBackground}} {
		if !strings.Contains(sheet, "--oct-text: "+colours[0]) || !strings.Contains(sheet, "--oct-background: "+colours[1]) {
			t.Errorf("style.css lacks %s on %s", colours[0], colours[1])
		}
	}
}

// TestContrast looks at every colour of the style sheet.
func TestContrast(t *testing.T) {
	t.Parallel()
	for name, theme := range map[string]string{"light": ".oct {", "dark": "\t.oct-dark {", "system": "\t.oct-system {"} {
		_, rule, found := strings.Cut(StyleSheet(), "\n"+theme)
		rule, _, _ = strings.Cut(rule, "}")
		colours := map[string]string{}
		for _, m := range regexp.MustCompile(`--oct-(\w+): (#[0-9a-f]{6});`).FindAllStringSubmatch(rule, -1) {
			colours[m[1]] = m[2]
		}
		if !found || len(colours) < 18 {
			t.Fatalf("%s: have colours %v", name, colours)
		}
		for token, colour := range colours {
			if token == "background" || token == "border" || token == "codeBackground" {
				continue
			}
			for _, behind := range []string{"background", "codeBackground"} {
				front, ok := parseColor(colour)
				back, okBack := parseColor(colours[behind])
				if ratio := contrast(front, back); !ok || !okBack || ratio < MinContrast {
					t.Errorf("%s: %s %s on %s %s has contrast %.2f, want %.1f", name, token, colour, behind, colours[behind], ratio, MinContrast)
				}
			}
		}
	}
}
