package portal

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
	"text/template"

	"github.com/octavo-docs/octavo"
)

//go:generate go test -run TestErrorsPage -update .

var update = flag.Bool("update", false, "write docs/errors.md anew")

const errorsPage = "../../docs/errors.md"

// TestErrorsPage holds docs/errors.md to the explanations that the server
// shows. `go generate ./internal/portal` writes it anew.
func TestErrorsPage(t *testing.T) {
	t.Parallel()
	explained, err := explanations()
	if err != nil {
		t.Fatal(err)
	}
	page := template.Must(template.New("errors.md.tmpl").Funcs(template.FuncMap{
		"explain": func(of octavo.ProblemType) explanation { return explained[of] },
		"example": func(info octavo.ProblemInfo) string { return explained[info.Type].example(info) },
		"cell":    func(text string) string { return strings.ReplaceAll(text, "|", "\\|") },
	}).ParseFiles("testdata/errors.md.tmpl"))
	var want bytes.Buffer
	if err := page.Execute(&want, octavo.ProblemTypes()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(errorsPage, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(errorsPage)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want.Bytes()) {
		t.Errorf("%s is not what the explanations say; write it anew with: go generate ./internal/portal", errorsPage)
	}
}
