package settings

import (
	"encoding/json"
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

// definition matches that of an abbreviation or an address on one line.
var (
	definition = regexp.MustCompile(`^ {0,3}(\*?\[[^\[\]]+\]):[ \t]*(\S.*?)\s*$`)
	comments   = regexp.MustCompile(`(?s)<!--.*?-->`)
)

// Define adds the definitions of abbreviations, *[label], and addresses of links, [label], in a
// text to values. It reports whether there is anything else.
func Define(values map[string]string, text string) (more bool) {
	for line := range strings.Lines(comments.ReplaceAllString(text, "")) {
		if m := definition.FindStringSubmatch(line); m != nil {
			values[m[1]] = m[2]
		} else {
			more = more || strings.TrimSpace(line) != ""
		}
	}
	return more
}

// defined returns the definitions among values that a text may use.
func defined(values map[string]string, content string) (names []string) {
	lower := ""
	for name := range values {
		label, abbreviated := strings.CutPrefix(name, "*[")
		switch {
		case abbreviated:
			if strings.Contains(content, strings.TrimSuffix(label, "]")) {
				names = append(names, name)
			}
		case strings.HasPrefix(name, "["):
			if lower == "" {
				lower = strings.ToLower(content)
			}
			if strings.Contains(lower, strings.ToLower(name)) {
				names = append(names, name)
			}
		}
	}
	return names
}

// AddValues adds the values of the site's configuration that a page of a dialect uses to its
// front matter, parsed and as it was written. raw is nil without front matter, and if that
// has to be written anew. A member of the page with the name of the added one stays.
func AddValues(front json.RawMessage, raw *string, by, content string, values map[string]string) (json.RawMessage, *string) {
	said := octavo.Value{Kind: octavo.KindObject}
	if front != nil {
		said, _ = octavo.ValueOf(front) // it parsed before
	}
	if len(values) == 0 || slices.ContainsFunc(said.Members, func(m octavo.Member) bool { return strings.EqualFold(m.Name, dialect.SiteValues) }) {
		return front, raw
	}
	names := append(dialect.Of(by).Expressions(content), defined(values, content)...)
	slices.Sort(names)
	used, size := octavo.Value{Kind: octavo.KindObject}, 0
	for _, name := range slices.Compact(names) {
		value, ok := values[name]
		if !ok {
			value, ok = values[strings.ToLower(name)]
		}
		if size += len(name) + len(value); !ok || secretName.MatchString(name) && !strings.Contains(name, "[") || size > maxValueBytes || len(used.Members) == maxValues {
			size -= len(name) + len(value)
			continue
		}
		used.Members = append(used.Members, octavo.Member{Name: name, Value: octavo.String(value)})
	}
	if len(used.Members) == 0 {
		return front, raw
	}
	said.Members = append(said.Members, octavo.Member{Name: dialect.SiteValues, Value: used})
	front = said.AppendJSON(nil)
	if raw == nil {
		return front, nil
	}
	format := map[byte]frontmatter.Format{'-': frontmatter.YAML, '+': frontmatter.TOML}[strings.TrimPrefix(*raw, "\ufeff")[0]]
	text, ok := frontmatter.Rewrite([]byte(*raw), format, front)
	if !ok {
		return front, nil
	}
	return front, new(string(text))
}
