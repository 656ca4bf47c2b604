package language

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestFoldersOfLanguages shows which folders are of a language, by trees as they are
// found in public.
func TestFoldersOfLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, files, want string }{
		{"Hugo", "content/en/docs/a.md content/ar/docs/a.md content/zh-cn/docs/b.md", "content/ar/docs/a.md=ar content/en/docs/a.md=en content/zh-cn/docs/b.md=zh-CN"},
		{"VitePress, English at the top", "guide/a.md guide/b.md index.md ar/guide/a.md ar/index.md", "ar/guide/a.md=ar ar/index.md=ar"},
		{"Docusaurus", "docs/a.md i18n/it/docusaurus-plugin-content-docs/current/a.md", "i18n/it/docusaurus-plugin-content-docs/current/a.md=it"},
		{"MkDocs", "docs/en/a.md docs/fa/a.md docs/pt_BR/a.md docs/zh-hant/a.md", "docs/en/a.md=en docs/fa/a.md=fa docs/pt_BR/a.md=pt-BR docs/zh-hant/a.md=zh-Hant"},
		{"a region", "he/a.md es-419/a.md", "es-419/a.md=es-419 he/a.md=he"},
		{"one with a region", "a.md pt-BR/b.md", "pt-BR/b.md=pt-BR"},
		{"a name of another meaning beside others", "de/a.md fr/b.md it/c.md", "de/a.md=de fr/b.md=fr it/c.md=it"},
		{"departments", "it/onboarding.md hr/onboarding.md pm/onboarding.md", ""},
		{"two departments", "it/a.md hr/a.md a.md", ""},
		{"words", "is/a.md as/a.md to/a.md no/a.md", ""},
		{"languages of programs", "cs/a.md ts/a.md js/a.md py/a.md a.md", ""},
		{"countries", "de/tax.md fr/tax.md us/tax.md uk/tax.md", ""},
		{"countries, and what all have", "de/a.md us/a.md a.md", "de/a.md=de"},
		{"one folder", "ar/a.md b.md", ""},
		{"a translation into Italian alone", "a.md b.md c/d.md it/a.md it/b.md it/c/d.md", "it/a.md=it it/b.md=it it/c/d.md=it"},
		{"below a language", "en/it/a.md en/de/a.md de/it/a.md", "de/it/a.md=de en/de/a.md=en en/it/a.md=en"},
		{"longer names", "english/a.md arabic/a.md docs-de/a.md", ""},
	} {
		said := OfFiles(slices.Values(strings.Fields(c.files)))
		var have []string
		for _, file := range slices.Sorted(maps.Keys(said)) {
			have = append(have, fmt.Sprintf("%s=%s", file, said[file]))
		}
		if have := strings.Join(have, " "); have != c.want {
			t.Errorf("%s:\nhave %s\nwant %s", c.name, have, c.want)
		}
	}
}
