package site

import (
	"strings"
	"testing"
	"time"
)

// TestWords shows that a site speaks its language, and what is on a page that of
// the page.
func TestWords(t *testing.T) {
	t.Parallel()
	b := small(
		[2]string{"eins", "## Teil\n\n:::note\nText\n:::\n\n## Mehr\n\n```js title=\"x\"\n1\n```\n"},
		[2]string{"deux", "## Partie\n\n:::warning\nTexte\n:::\n\n- [x] a\n"},
	)
	b.Language, b.Contents[0].Former = "de-CH", []string{"alt"}
	pages := b.Pages
	b.Pages = func(yield func(Page, error) bool) {
		for p, err := range pages {
			if p.Key == "deux" {
				p.Language = "fr"
			}
			p.Updated = time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)
			if !yield(p, err) {
				return
			}
		}
	}
	files, _ := write(t, b, plain())
	for file, texts := range map[string][]string{
		"eins.html":     {`>Zum Inhalt springen<`, `>Auf dieser Seite<`, `<span>Weiter</span>`, `placeholder="Suchen"`, `aria-label="Alle Seiten"`, `>Hinweis</p>`, `aria-label="Link zu „Teil“"`, `Zuletzt geändert am <time`},
		"deux.html":     {`>Zum Inhalt springen<`, `<span>Zurück</span>`, `<article lang="fr">`, `>Avertissement</p>`, `aria-label="Lien vers « Partie »"`, `aria-label="fait"`},
		"alt.html":      {`<html lang="de-CH">`, `<h1>Diese Seite ist umgezogen</h1>`, `<p>Sie steht jetzt hier: <a href="eins.html">eins</a></p>`},
		"index.html":    {`>Zu lesen beginnen<`},
		"site/words.js": {`"copied":"Kopiert"`, `"nothing":"Nichts gefunden."`},
	} {
		for _, text := range texts {
			if !strings.Contains(files[file], text) {
				t.Errorf("%s lacks %s:\n%s", file, text, files[file])
			}
		}
	}
}

func TestSitemap(t *testing.T) {
	t.Parallel()
	b := small([2]string{"one", "x\n"}, [2]string{"two", "x\n"})
	if files, _ := write(t, b, plain()); files["sitemap.xml"] != "" {
		t.Error("a site that lies nobody knows where has a sitemap")
	}
	b.Address = "https://docs.example.com/a&b/"
	pages := b.Pages
	b.Pages = func(yield func(Page, error) bool) {
		for p, err := range pages {
			if p.Key == "two" {
				p.Updated = time.Date(2026, 5, 4, 23, 0, 0, 0, time.UTC)
			}
			if !yield(p, err) {
				return
			}
		}
	}
	files, _ := write(t, b, plain())
	want := `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>https://docs.example.com/a&amp;b/</loc></url>
<url><loc>https://docs.example.com/a&amp;b/one.html</loc></url>
<url><loc>https://docs.example.com/a&amp;b/two.html</loc><lastmod>2026-05-04</lastmod></url>
</urlset>
`
	if have := files["sitemap.xml"]; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}
