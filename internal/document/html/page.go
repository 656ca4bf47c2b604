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

// Page is a complete page with a fragment. It has no scripts and loads nothing from other
// sites.
type Page struct {
	Title    string
	Language string // for HTML's lang, "" if unknown
	Theme    Theme
	Contents []document.Entry // often Contents(2, 3)
	Fragment []byte           // from Renderer.Fragment
}

// pageTemplate is the markup of a page. Its body is trusted.
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

// HTML returns the page and its Content-Security-Policy, which only allows pictures from the
// server itself.
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
		Titled      bool // the fragment already shows the title
		Body        template.HTML
	}{p, words.In(p.Language), direction.RightToLeft(p.Language), p.Theme.Class(), template.CSS(style), bytes.Contains(p.Fragment, []byte("<h1")), template.HTML(p.Fragment)})
	if err != nil {
		return nil, "", fmt.Errorf("write the page: %w", err)
	}
	hash := sha256.Sum256([]byte(style))
	return b.Bytes(), "default-src 'none'; img-src 'self' data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", nil
}
