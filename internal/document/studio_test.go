package document

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/octavo-docs/octavo/internal/document/element"
)

var placeholder = regexp.MustCompile(`\$\{([^}]*)\}`)

// What Studio offers to insert is shown as it is meant, and there is something of
// each kind to insert.
func TestStudioComponents(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../studio/src/editor/tools/components.json")
	if err != nil {
		t.Fatal(err)
	}
	var table struct {
		Parts      []struct{ ID, Both, Markdown, MDX string }
		Attributes struct {
			Markdown, MDX map[string]map[string][]string
		}
	}
	if err := json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	for _, format := range []struct {
		name  string
		mdx   bool
		known map[string]element.Kind
	}{{"Markdown", false, element.Containers}, {"MDX", true, element.Kinds}} {
		shown := map[element.Kind]bool{element.Formula: true} // which "$$" writes in both
		variants := map[string]bool{}
		for _, part := range table.Parts {
			snippet := part.Both + part.Markdown
			if format.mdx {
				snippet = part.Both + part.MDX
			}
			d := Parse(placeholder.ReplaceAllString(snippet, "$1"), Options{MDX: format.mdx})
			if len(d.Notices) > 0 {
				t.Errorf("%s, %s: have notices %s", part.ID, format.name, dumpNotices(d))
			}
			d.Walk(func(n Node) bool {
				switch n := n.(type) {
				case *Component:
					shown[n.Kind], variants[n.Variant] = true, true
					if n.Kind == element.Callout && n.Variant != part.ID {
						t.Errorf("%s, %s: have a callout of %s", part.ID, format.name, n.Variant)
					}
				case *Span:
					shown[n.Kind] = true
				}
				return true
			})
		}
		for name, kind := range format.known {
			if !shown[kind] {
				t.Errorf("%s: nothing inserts what %s is", format.name, name)
			}
		}
		for _, variant := range []string{"note", "tip", "info", "warning", "danger"} {
			if !variants[variant] {
				t.Errorf("%s: nothing inserts a callout of %s", format.name, variant)
			}
		}
	}
	for name := range table.Attributes.MDX {
		if element.KindOf(name) == element.NoKind {
			t.Errorf("attributes of MDX: %s is no component", name)
		}
	}
	for name := range table.Attributes.Markdown {
		if element.Containers[name] == element.NoKind && element.Variant(name) == "" {
			t.Errorf("attributes of Markdown: %s is no container", name)
		}
	}
	for _, variant := range table.Attributes.MDX["Callout"]["type"] {
		if element.Variant(variant) != variant {
			t.Errorf("have a callout of the type %q", variant)
		}
	}
}
