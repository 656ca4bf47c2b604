package pdf

import (
	"strings"
	"testing"
)

// TestFragments checks that a link within a page may have its fragment encoded,
// as links to other pages may.
func TestFragments(t *testing.T) {
	t.Parallel()
	for fragment, want := range map[string]string{
		"größe":            "",
		"":                 "",
		"Top":              "",
		"Größe":            "#Größe → #größe",
		"gro-sse":          "#gro-sse",
		"gr%C3%B6%C3%9Fe":  "",
		"gr%c3%b6%c3%9fe":  "",
		"gr%C3%B6%C3%9Fer": "#gr%C3%B6%C3%9Fer",
		"gr%F6%DFe":        "#gr%F6%DFe",
		"100%":             "#100%",
	} {
		_, report := write(t, Options{}, "[x](#"+fragment+")\n\n## Größe\n")
		var have []string
		for _, n := range report.Notices {
			have = append(have, n.Text)
		}
		if strings.Join(have, " ") != want {
			t.Errorf("#%s: have notices of %q, want %q", fragment, have, want)
		}
	}
}
