package search

import (
	"fmt"
	"testing"
)

// TestFormsByPageLanguage: what is asked in other forms
// than a page has is found where they are forms in its language.
func TestFormsByPageLanguage(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	for n, page := range [][3]string{
		{"de", "Die Verzeichnisse werden in den Einstellungen gewählt.", "verzeichnis"},
		{"fr-CA", "Les propriétés sont configurées ici.", "proprietes"},
		{"ru", "Новые серверы и их настройки.", "servery"},
		{"es", "Las configuraciones de las versiones.", "configuraciones"},
		{"en", "How exporters were configured.", "exporters"},
		{"", "The transformation of libraries.", "none"},
		{"tlh", "Directories of the gardens.", "unknown"},
	} {
		mustApply(t, index, int64(n), put(&Document{ID: page[2], Language: page[0], Title: "x", Slug: fmt.Sprint(n), Published: true, Sections: []Section{{Text: page[1]}}}))
	}
	for _, c := range []struct {
		query     string
		languages []string
		want      string
	}{
		{"Verzeichnis Einstellung", nil, "verzeichnis"},
		{"propriété configurer", nil, "proprietes"},
		{"сервер настройка", nil, "servery"},
		{"configuración versión", nil, "configuraciones"},
		{"configuracion", []string{"es"}, "configuraciones"},
		{"exporter configuration", []string{"en"}, "exporters"},
		{"library", nil, "none"},
		{"garden", nil, "unknown"},
		{"Einstellung", []string{"de"}, "verzeichnis"},
		{"Einstellung", []string{"fr"}, ""},
	} {
		have := ""
		if answer := mustSearch(t, index, Query{Text: c.query, Languages: c.languages, Limit: 5}); len(answer.Hits) > 0 {
			have = answer.Hits[0].ID
		}
		if have != c.want {
			t.Errorf("%s in %q: have %q, want %q", c.query, c.languages, have, c.want)
		}
	}
}
