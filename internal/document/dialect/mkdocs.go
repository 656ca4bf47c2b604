package dialect

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// mkdocsLine reads a line of MkDocs and of what its themes add: admonitions,
// details and tabs, which hold what is indented below them.
func mkdocsLine(line string) (Mark, bool) {
	if len(line) < 3 {
		return Mark{}, false
	}
	switch rest := line[3:]; line[:3] {
	case "!!!", "???":
		return admonition(line[0] == '?', rest)
	case "===":
		if rest != "" && (rest[0] == '!' || rest[0] == '+') {
			rest = rest[1:]
		}
		title, behind, ok := quoted(strings.TrimSpace(rest))
		return Mark{
			Form: Indented, Name: "Tab", Title: title,
			Attributes: attribute.List{{Name: "first", Value: strings.HasPrefix(line, "===!")}, {Name: "default", Value: strings.HasPrefix(line, "===+")}},
		}, ok && behind == ""
	}
	return Mark{}, false
}

// admonition reads what follows !!! or ???: what kind it is of, further classes,
// and a title in quotes.
func admonition(folds bool, rest string) (Mark, bool) {
	open := folds && strings.HasPrefix(rest, "+")
	if open {
		rest = rest[1:]
	}
	rest = strings.TrimSpace(rest)
	classes, _, _ := strings.Cut(rest, `"`)
	title, behind, titled := quoted(rest[len(classes):])
	kind, _, _ := strings.Cut(classes, " ")
	if kind == "" || !attribute.IsName(kind) || behind != "" || !titled && rest != classes {
		return Mark{}, false
	}
	m := Mark{Form: Indented, Name: "Callout", Title: title, Attributes: attribute.List{{Name: "type", Value: kind}}}
	if folds {
		m.Name, m.Attributes = "Accordion", attribute.List{{Name: "open", Value: open}}
		if title == "" {
			m.Title = strings.ToUpper(kind[:1]) + kind[1:]
		}
	}
	return m, true
}

// mkdocsText reads what stands in a text of MkDocs.
func mkdocsText(string, int) (Mark, bool) { return Mark{}, false }
