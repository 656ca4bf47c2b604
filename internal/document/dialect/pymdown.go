package dialect

import (
	"cmp"
	"html"
	"path"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// slashes parses the start of a PyMdown block, "/// kind | Title", which ends at a line with
// the same number of slashes. Indented lines directly below are options.
func slashes(line string) (Mark, bool) {
	run := inline.RunLength(line, '/')
	kind, title, _ := strings.Cut(line[run:], "|")
	kind, title = strings.TrimSpace(kind), strings.TrimSpace(title)
	m := Mark{Form: Fenced, Title: title, End: line[:run], Name: "Callout", Attributes: with(nil, "type", kind), Below: true}
	switch {
	case kind == "tab":
		m.Name, m.Attributes = "Tab", attribute.List{{Name: "first", Value: false}, {Name: "default", Value: false}}
	case kind == "details":
		m.Name, m.Attributes = "Accordion", with(nil, "open", false)
	case strings.HasSuffix(kind, "caption"):
		m.Name, m.Title, m.Attributes = "figcaption", "", nil
	case kind == "html" || kind == "define":
		m.Name, m.Title, m.Attributes = "", "", nil
	}
	m.With = func(m Mark, options attribute.List) Mark {
		switch kind {
		case "tab":
			m.Attributes = attribute.List{{Name: "first", Value: options.Bool("new")}, {Name: "default", Value: options.Bool("select")}}
		case "details":
			m.Attributes = with(nil, "open", options.Bool("open"))
			if kind := options.String("type"); title == "" {
				m.Title = capital(cmp.Or(kind, "details"))
			}
		case "admonition":
			m.Attributes = with(nil, "type", cmp.Or(options.String("type"), "note"))
		}
		return m
	}
	return m, attribute.IsName(kind)
}

// apiText parses an API object of mkdocstrings, "::: package.name".
func apiText(name string) (Mark, bool) {
	if name == "" || strings.ContainsAny(name, " \t{}[]|\"") || strings.IndexByte(name, '.') < 0 {
		return Mark{}, false
	}
	return Mark{Form: Indented, Hidden: true, LeftOut: true, Title: "`" + name + "`"}, true
}

// exampleCode parses a line of FastAPI that includes code: {* file.py ln[1:5] hl[3] *}.
func exampleCode(inside string) (Mark, bool) {
	inside, closed := strings.CutSuffix(inside, "*}")
	words := strings.Fields(inside)
	if !closed || len(words) == 0 {
		return Mark{}, false
	}
	file := File{Name: words[0]}
	m := Mark{Include: &file, Code: true, Info: strings.TrimPrefix(path.Ext(words[0]), ".")}
	for _, word := range words[1:] {
		if lines, ok := strings.CutPrefix(word, "ln["); ok {
			file.Part = strings.ReplaceAll(strings.TrimSuffix(lines, "]"), ",", ";")
		} else if lines, ok := strings.CutPrefix(word, "hl["); ok {
			m.Info += ` hl_lines="` + strings.ReplaceAll(strings.TrimSuffix(lines, "]"), ":", "-") + `"`
		}
	}
	var ok bool
	file, ok = file.found(true)
	return m, ok
}

var (
	colours = regexp.MustCompile(`</?(?:font|span|b|u|i)(?: [^<>]*)?>`) // in the output of a terminal
	hyphens = regexp.MustCompile(`[ -]+`)
)

// mkdocsCode strips the language from inline code, #!py x, and the marks that keep lines
// from including files.
func mkdocsCode(language, text string) string {
	if language == "console" && strings.Contains(text, "</font>") { // coloured by a script of the site
		return html.UnescapeString(colours.ReplaceAllString(text, ""))
	}
	for _, mark := range []string{"#!", ":::"} {
		name, code, found := strings.Cut(strings.TrimPrefix(text, mark), " ")
		if found && language == "" && strings.HasPrefix(text, mark) && attribute.IsName(name) && strings.IndexByte(text, '\n') < 0 {
			return strings.TrimLeft(code, " ")
		}
	}
	return strings.ReplaceAll(text, ";"+scissors, scissors)
}

// mkdocsLabel reports whether plugins or snippet files may define a label,
// [text][package.name], [`package.name`][].
func mkdocsLabel(label string) bool {
	before, behind, dotted := strings.Cut(strings.Trim(label, "`"), ".")
	return dotted && attribute.IsName(before) && behind != "" && !strings.ContainsAny(label, " \n")
}

// mkdocsAnchor returns the anchor of a heading as Python-Markdown makes it: without accents,
// and with one hyphen for several. In other scripts it is that of GitHub, since sites
// configure one like it.
func mkdocsAnchor(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		switch {
		case r > unicode.MaxASCII && unicode.IsLetter(r):
			return inline.Anchor(text)
		case r == ' ' || r == '-' || r == '_' || r <= unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return hyphens.ReplaceAllString(strings.TrimSpace(b.String()), "-")
}

// mkdocsAddress returns an address, unless only a plugin can resolve it.
func mkdocsAddress(written string) (string, bool) {
	if strings.HasPrefix(written, "{") && strings.HasSuffix(written, "}") {
		return "", false
	}
	return written, true
}
