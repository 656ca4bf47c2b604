package analysis

import (
	"testing"
	"unicode/utf8"
)

func TestStemmersKnowFormsWithoutAccents(t *testing.T) {
	t.Parallel()
	for language, sets := range map[string][][]string{
		"de":    {{"Einstellung", "Einstellungen"}, {"Schlüssel", "Schlüssels"}, {"Verzeichnis", "Verzeichnisse"}, {"Häuser", "Häusern"}},
		"de-AT": {{"Datei", "Dateien"}},
		"fr":    {{"configuré", "configurer", "configurée", "configurées"}, {"installation", "installations"}, {"propriété", "propriétés"}},
		"es":    {{"configuración", "configuraciones", "configuracion"}, {"contraseña", "contraseñas"}, {"versión", "versiones"}},
		"pt-BR": {{"configuração", "configurações"}},
		"ru":    {{"настройка", "настройки", "настройками"}, {"новый", "новые", "новых"}, {"сервер", "серверов"}},
		"it":    {{"pagina", "pagine"}},
		"sv":    {{"inställning", "inställningar"}},
		"en":    {{"configure", "configuration"}},
		"":      {{"configure", "configuration"}},
	} {
		stemmer := StemmerOf(language)
		for _, forms := range sets {
			want := stemmer.Stem(folded(forms[0]))
			for _, form := range forms[1:] {
				if have := stemmer.Stem(folded(form)); have != want {
					t.Errorf("%s: %s: have %q, want %q as of %s", language, form, have, want, forms[0])
				}
			}
		}
	}
}

// folded returns the term of a word.
func folded(word string) (term string) {
	new(Scanner).Scan(word, 0, func(t Token) { term = string(t.Text) })
	return term
}

func FuzzStemmers(f *testing.F) {
	f.Add("configurations")
	f.Add("ääßен\u0640")
	f.Fuzz(func(t *testing.T, word string) {
		for s := range Stemmers {
			if stem := s.Stem(word); utf8.ValidString(word) && !utf8.ValidString(stem) {
				t.Errorf("stemmer %d: %q becomes %q", s, word, stem)
			}
		}
	})
}
