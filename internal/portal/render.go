package portal

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/url"

	"github.com/octavo-docs/octavo"
)

//go:embed templates/*.html
var templates embed.FS

// Content-Security-Policy: pages may load the style sheet and the icon, the reference also
// its scripts and the document, all from this server. Redoc adds inline styles, which need
// 'unsafe-inline'; it does not need eval.
const (
	pagePolicy      = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	referencePolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'; " +
		"img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// frame is what every view has in common.
type frame struct {
	Title   string
	Here    string // the path of the page, below Root
	Root    string // path of the public address, usually ""
	Version string // of the static files
	Product string
}

type startView struct {
	frame
	BaseURL  string
	Versions []string
	API      string // the address of the first version
	Studio   string // "" means none
}

type referenceView struct{ frame }

type problemsView struct {
	frame
	Problems []octavo.ProblemInfo
}

type problemView struct {
	frame
	explanation
	Info           octavo.ProblemInfo
	Example        string
	Previous, Next octavo.ProblemType // "" at the ends
}

// render renders every page, by path.
func (p *packer) render(o Options, version string) (map[string]file, error) {
	files := make(map[string]file)
	page := func(path, name, policy string, view any) error {
		f, err := p.execute(name, view)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		f.policy = policy
		files[path] = f
		return nil
	}
	base, err := url.Parse(o.BaseURL)
	if err != nil {
		return nil, err
	}
	at := func(path, title string) frame {
		return frame{Title: title, Here: path, Root: base.Path, Version: version, Product: o.Product}
	}

	start := startView{at("/", "Octavo"), o.BaseURL, o.Versions, o.BaseURL + "/" + o.Versions[0], o.Studio}
	if err := page("/", "start.html", pagePolicy, start); err != nil {
		return nil, err
	}
	reference := referenceView{at("/reference", "API reference · Octavo")}
	if err := page("/reference", "reference.html", referencePolicy, reference); err != nil {
		return nil, err
	}
	explained, err := explanations()
	if err != nil {
		return nil, err
	}
	problems := octavo.ProblemTypes()
	index := problemsView{at("/problems", "Problems · Octavo"), problems}
	if err := page("/problems", "problems.html", pagePolicy, index); err != nil {
		return nil, err
	}
	for i, info := range problems {
		path := "/problems/" + string(info.Type)
		view := problemView{frame: at(path, info.Title+" · Octavo"), Info: info, explanation: explained[info.Type]}
		view.Example = view.explanation.example(info)
		if i > 0 {
			view.Previous = problems[i-1].Type
		}
		if i+1 < len(problems) {
			view.Next = problems[i+1].Type
		}
		if err := page(path, "problem.html", pagePolicy, view); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func (p *packer) execute(name string, view any) (file, error) {
	t, err := template.New("layout.html").Option("missingkey=error").
		ParseFS(templates, "templates/layout.html", "templates/"+name)
	if err != nil {
		return file{}, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, view); err != nil {
		return file{}, err
	}
	return p.file("text/html; charset=utf-8", b.Bytes())
}
