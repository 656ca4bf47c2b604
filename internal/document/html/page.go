package html

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/document/words"
)

// Page is a whole page around a fragment, for people to look at. It has no
// scripts and asks no other site for anything.
type Page struct {
	Title    string
	Language string // as of HTML's lang, "" for unknown
	Theme    Theme
	Contents []document.Entry // what the page says about itself, often Contents(2, 3)
	Fragment []byte           // from Renderer.Fragment
}

// pageTemplate is the markup of a page. Its body comes from Renderer.
var pageTemplate = template.Must(template.New("page").Parse(`<!DOCTYPE html>
<html{{with .Language}} lang="{{.}}"{{end}}{{if .RightToLeft}} dir="rtl"{{end}}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{{.Title}}</title>
<style>{{.Style}}</style>
</head>
<body class="{{.Class}}">
<div class="oct-page">
<main>
{{if not .Titled}}<h1>{{.Title}}</h1>
{{end}}{{.Body}}</main>
{{if .Contents}}<nav class="oct-contents" aria-label="{{.Words.OnThisPage}}">
<p>{{.Words.OnThisPage}}</p>
{{template "entries" .Contents}}</nav>
{{end}}</div>
</body>
</html>
{{define "entries"}}<ul>
{{range .}}<li><a href="#{{.Anchor}}">{{.Text}}</a>{{if .Entries}}
{{template "entries" .Entries}}{{end}}</li>
{{end}}</ul>
{{end}}`))

// HTML returns the page, and the Content-Security-Policy to send with it, which
// lets it load pictures from the server itself and nothing else.
func (p Page) HTML() (page []byte, policy string, err error) {
	tokens, _ := p.Theme.CSS()
	style := fragmentSheet + pageSheet + tokens
	var b bytes.Buffer
	err = pageTemplate.Execute(&b, struct {
		Page
		Words       words.Words
		RightToLeft bool
		Class       string
		Style       template.CSS
		Titled      bool // whether the page says its title itself
		Body        template.HTML
	}{p, words.In(p.Language), direction.RightToLeft(p.Language), p.Theme.Class(), template.CSS(style), bytes.Contains(p.Fragment, []byte("<h1")), template.HTML(p.Fragment)})
	if err != nil {
		return nil, "", fmt.Errorf("write the page: %w", err)
	}
	hash := sha256.Sum256([]byte(style))
	return b.Bytes(), "default-src 'none'; img-src 'self' data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", nil
}
