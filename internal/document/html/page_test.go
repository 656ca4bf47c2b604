package html

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

func TestPage(t *testing.T) {
	t.Parallel()
	const attack = `</title></style><script>alert("1")</script>`
	d := document.Parse("## One "+attack+"\n\n### Two\n\ntext\n", document.Options{})
	p := Page{
		Title: attack, Language: "de", Theme: Theme{Name: "dark", Tokens: map[string]string{"accent": "#ff0000", "text": attack}},
		Contents: d.Contents(2, 3), Fragment: New(highlight.New(0)).Fragment(t.Context(), d, Options{}).HTML,
	}
	page, policy, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	s := string(page)
	for _, want := range []string{
		`<html lang="de">`, `<body class="oct oct-dark">`, "<h1>&lt;/title&gt;", `<nav class="oct-contents" aria-label="Auf dieser Seite">`,
		`<li><a href="#two">Two</a></li>`, "--oct-accent: #ff0000;", "<p>text</p>",
	} {
		if !strings.Contains(s, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
	for _, not := range []string{"<script", "http:", "https:", "//", " src=", "@import", "url("} {
		if strings.Contains(s, not) {
			t.Errorf("the page has %s", not)
		}
	}
	_, style, _ := strings.Cut(s, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	hash := sha256.Sum256([]byte(style))
	if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"; !strings.Contains(policy, want) {
		t.Errorf("policy: have %s, want %s", policy, want)
	}
}

func TestPageTitleOnce(t *testing.T) {
	t.Parallel()
	for fragment, want := range map[string]int{"<h1 id=\"a\">a</h1>": 1, "<p>b</p>": 1} {
		page, _, err := Page{Title: "T", Fragment: []byte(fragment)}.HTML()
		if have := strings.Count(string(page), "<h1"); err != nil || have != want {
			t.Errorf("%s: have %d h1, %v, want %d", fragment, have, err, want)
		}
	}
}
