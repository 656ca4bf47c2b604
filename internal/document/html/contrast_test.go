package html

import (
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestContrastOfStyleSheet checks that the judge of themes has the colours
// of the style sheet where a theme has none of its own.
func TestContrastOfStyleSheet(t *testing.T) {
	t.Parallel()
	light, dark, _ := strings.Cut(StyleSheet(), ".oct-dark {")
	for isDark, sheet := range map[bool]string{false: light, true: dark} {
		text, background := octavo.ThemeColours(isDark)
		if !strings.Contains(sheet, "--oct-text: "+text+";") || !strings.Contains(sheet, "--oct-background: "+background+";") {
			t.Errorf("style.css lacks %s on %s", text, background)
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
				if ratio := octavo.Contrast(colour, colours[behind]); ratio < octavo.MinContrast {
					t.Errorf("%s: %s %s on %s %s has contrast %.2f, want %.1f", name, token, colour, behind, colours[behind], ratio, octavo.MinContrast)
				}
			}
		}
	}
}
