package dialect

import (
	"slices"
	"strings"
)

// SiteValues is the member of front matter with the values of the site's configuration
// that the page uses, by the names that its expressions have.
const SiteValues = "site_values"

// Definitions returns the definitions of abbreviations, *[label], and of addresses of links,
// [label], among the values of the site in front matter. MkDocs appends them to each page.
func Definitions(dialect string, front map[string]any) string {
	var lines []string
	site, _ := front[SiteValues].(map[string]any)
	for label, value := range site {
		if text, ok := value.(string); ok && dialect == "mkdocs" {
			lines = append(lines, label+": "+text+"\n\n")
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// Fill replaces the expressions in an address that values define.
func (d *Dialect) Fill(written string, values map[string]any) string {
	if d == nil || len(values) == 0 || !strings.Contains(written, "{{") {
		return written
	}
	var out strings.Builder
	from := 0
	d.expressions(written, func(name string, start, end int) {
		if text, ok := values[name].(string); ok {
			out.WriteString(written[from:start] + text)
			from = end
		}
	})
	return out.String() + written[from:]
}

// Expressions returns the names of the values that a text shows, with repetitions.
func (d *Dialect) Expressions(text string) (names []string) {
	d.expressions(text, func(name string, _, _ int) { names = append(names, name) })
	return names
}

func (d *Dialect) expressions(text string, found func(name string, start, end int)) {
	for i := 0; d != nil && d.Inline != nil; {
		next := strings.Index(text[i:], "{{")
		if next < 0 {
			return
		}
		i += next
		m, ok := d.Inline(text, i)
		if ok && m.LeftOut && m.Info != "" {
			found(m.Info, i, i+m.Width)
		}
		i += max(m.Width, 2)
	}
}
