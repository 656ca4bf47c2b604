package importer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/frontmatter"
)

// The most values of a site that a page gets, and the most bytes of them.
const (
	maxValues     = 200
	maxValueBytes = 4 << 10
)

// secretName matches names of values that are not published.
var secretName = regexp.MustCompile(`(?i)secret|token|passw|credential|private|api_?key`)

// bring adds the values of the site's configuration that the content uses to the front
// matter. The members of the page win, also one with the name of the added one.
func (f *file) bring(values map[string]string) {
	front := octavo.Value{Kind: octavo.KindObject}
	if f.front != nil {
		front, _ = octavo.ValueOf(f.front) // it parsed before
	}
	if _, _, ok := member(front, dialect.SiteValues); ok || f.broken || len(values) == 0 {
		return
	}
	names := dialect.Of(string(f.dialect)).Expressions(f.content)
	slices.Sort(names)
	used, size := octavo.Value{Kind: octavo.KindObject}, 0
	for _, name := range slices.Compact(names) {
		value, ok := values[strings.ToLower(name)]
		if size += len(name) + len(value); !ok || secretName.MatchString(name) || size > maxValueBytes || len(used.Members) == maxValues {
			size -= len(name) + len(value)
			continue
		}
		used.Members = append(used.Members, octavo.Member{Name: name, Value: octavo.String(value)})
	}
	if len(used.Members) == 0 {
		return
	}
	front.Members = append(front.Members, octavo.Member{Name: dialect.SiteValues, Value: used})
	f.front = front.AppendJSON(nil)
	if f.raw == nil {
		return
	}
	format := map[byte]frontmatter.Format{'-': frontmatter.YAML, '+': frontmatter.TOML}[strings.TrimPrefix(*f.raw, "\ufeff")[0]]
	text, ok := frontmatter.Rewrite([]byte(*f.raw), format, f.front)
	raw := string(text)
	if f.raw = &raw; !ok {
		f.raw = nil // it is written anew
	}
}
