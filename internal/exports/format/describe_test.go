package format_test

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
)

// TestImageDescriptions shows what an image says that its page says nothing of.
func TestImageDescriptions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	picture := r.asset("p.png", "no picture")
	href := octavo.AssetPath(picture.Key, picture.Name)
	r.page(exporttest.Published("a", "![]("+href+")\n\n![Own words]("+href+" \"Own title\")\n"))
	alt, caption := "A dot", "How it looks"
	in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished}
	in.Rendering.Metadata = octavo.AssetMetadata{Alt: &alt, Caption: &caption}
	files, _, _ := r.files(in)
	for _, want := range []string{`alt="A dot" title="How it looks"`, `alt="Own words" title="Own title"`} {
		if !strings.Contains(files["a.html"], want) {
			t.Errorf("no %s in %s", want, files["a.html"])
		}
	}
}

// TestThemesKeepToOneScheme shows that a theme which is spelled out does not
// follow the reader's colours in what it leaves out.
func TestThemesKeepToOneScheme(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.page(exporttest.Published("a", "x"))
	for want, theme := range map[string]octavo.ExportTheme{
		`class="oct oct-system"`: {Name: octavo.SystemTheme},
		`class="oct oct-dark"`:   {Name: "night", Tokens: map[string]string{"background": "#101010", "text": "#ffffff"}},
		`class="oct"`:            {Name: "day", Tokens: map[string]string{"accent": "#aa0000"}},
	} {
		in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished}
		in.Rendering.Theme = theme
		files, _, _ := r.files(in)
		if !strings.Contains(files["a.html"], want) {
			t.Errorf("%s: have no %s in %.300s", theme.Name, want, files["a.html"])
		}
	}
}

// TestBookLanguage shows which language an export has as a whole.
func TestBookLanguage(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ title, front, want string }{
		{"组件基础", `{}`, "zh"},
		{"Components", `{}`, "en"},
		{"Komponenten", `{"lang":"de-AT"}`, "de-AT"},
	} {
		r := newRig(t)
		n := exporttest.Published("a", "x")
		n.Title, n.Frontmatter = c.title, []byte(c.front)
		r.page(n)
		files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished})
		if want := `<html lang="` + c.want + `"`; !strings.Contains(files["index.html"], want) {
			t.Errorf("%s: have no %s", c.title, want)
		}
	}
}

// TestPagesFromRightToLeft shows that a page of such a language runs that way in
// a site of another.
func TestPagesFromRightToLeft(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.page(exporttest.Published("first", "x"))
	n := exporttest.Published("he", "x")
	n.Frontmatter = []byte(`{"lang":"he"}`)
	r.page(n)
	files, _, _ := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished})
	if !strings.Contains(files["he.html"], `<article lang="he" dir="rtl">`) || !strings.Contains(files["first.html"], "<article>") {
		t.Errorf("have %s", files["he.html"])
	}
}
