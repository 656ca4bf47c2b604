package dialect

import (
	"cmp"
	"path"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/octavo-docs/octavo/internal/document/reference"
)

// vitepressLine parses a line of VitePress that includes a file:
// "<<< @/file.js#region{2,4 js} [Title]" for code, <!--@include: ./file.md{3,10}--> for
// Markdown; of VuePress @[code{2-4} js](file.js), whose aliases are in the configuration. Or
// it parses a component of Nuxt Content.
func vitepressLine(line string) (Mark, bool) {
	if rest, found := strings.CutPrefix(line, "@[code"); found {
		options, name, ok := strings.Cut(strings.TrimSuffix(rest, ")"), "](")
		lines, language, _ := strings.Cut(options, " ")
		file, named := fileOf(name, strings.Trim(lines, "{}")).found(ok)
		file.Name = reference.ByName(file.Name, "")
		return Mark{Include: &file, Code: true, Info: cmp.Or(language, strings.TrimPrefix(path.Ext(name), "."))}, named
	}
	if rest, found := strings.CutPrefix(line, "<<<"); found && rest != "" {
		return snippetOf(strings.TrimSpace(rest))
	}
	inside, found := strings.CutPrefix(line, "<!--")
	inside, closed := strings.CutSuffix(inside, "-->")
	name, named := strings.CutPrefix(strings.TrimSpace(inside), "@include:")
	if !found || !closed || !named {
		return mdcLine(line)
	}
	name, lines, _ := strings.Cut(strings.TrimSpace(name), "{")
	file := fileOf(name, strings.TrimSuffix(lines, "}"))
	file.Section = true
	file, ok := file.found(true)
	return Mark{Include: &file}, ok
}

func snippetOf(rest string) (Mark, bool) {
	name, title, titled := strings.Cut(rest, "[")
	name, options, _ := strings.Cut(strings.TrimSpace(name), "{")
	options, _, _ = strings.Cut(options, "}")
	file := fileOf(name, "")
	lines, language := "", ""
	for word := range strings.FieldsSeq(options) {
		if strings.Trim(word, "0123456789,-") == "" {
			lines = " {" + word + "}"
		} else {
			language = word
		}
	}
	if language == "" {
		language = strings.TrimPrefix(path.Ext(file.Name), ".")
	}
	m := Mark{Include: &file, Code: true, Info: language + lines}
	if titled {
		m.Info += " [" + strings.TrimSuffix(strings.TrimSpace(title), "]") + "]"
	}
	found, ok := file.found(true)
	m.Include = &found
	return m, ok
}

// fileOf parses a file name with an optional region, and lines.
func fileOf(name, lines string) File {
	f := File{Name: strings.TrimSpace(name), Part: strings.ReplaceAll(lines, ",", ":")}
	f.Name = strings.TrimPrefix(strings.TrimPrefix(f.Name, "@"), "/")
	if name, region, found := strings.Cut(f.Name, "#"); found {
		f.Name, f.Part = name, region
	}
	return f
}

// vitepressText parses an emoji, attributes of code, or an expression: {{ "text" }} gives the text.
func vitepressText(text string, at int) (Mark, bool) {
	if text[at] == ':' {
		if m, ok := mdcText(text, at); ok {
			return m, true
		}
		return emojiAt(text[at:min(len(text), at+maxReach)])
	}
	if m, ok := codeAttributes(text, at); ok {
		return m, true
	}
	before := text[max(0, at-maxReach):at]
	if i := strings.LastIndex(before, "v-pre"); i >= 0 && !strings.Contains(before[i:], "</") {
		return Mark{}, false
	}
	return output(text[at:])
}

// output parses {{ expression }}: a string gives its text, anything else nothing, unless the page
// defines what Info says.
func output(s string) (Mark, bool) {
	s = s[:min(len(s), maxReach)]
	inside, _, closed := strings.Cut(strings.TrimPrefix(s, "{{"), "}}")
	if !strings.HasPrefix(s, "{{") || !closed {
		return Mark{}, false
	}
	m := Mark{Width: len(inside) + 4}
	inside = strings.TrimSpace(strings.Trim(inside, "-"))
	if inside == "" || inside[0] == '<' || inside[0] == '%' || inside[0] == '#' {
		return Mark{}, false
	}
	word := inside[:wordEnd(inside)]
	rest := strings.TrimSpace(inside[len(word):])
	if plain := unquote(word); plain != word && (rest == "" || rest == "| relative_url" || rest == "| absolute_url") {
		m.Text = plain
		if text, err := strconv.Unquote(`"` + plain + `"`); err == nil {
			m.Text = text
		}
	} else {
		m.LeftOut, m.Info = word != "site.baseurl", inside
	}
	return m, true
}

// vitepressAnchor returns the anchor of a heading: without accents, hyphens for spaces and
// punctuation, an underscore before a leading digit.
func vitepressAnchor(text string) string {
	text = strings.Join(strings.FieldsFunc(strings.Map(func(r rune) rune {
		if r >= '\u0300' && r <= '\u036f' || r < ' ' {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text)), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("~`!@#$%^&*()-_+=[]{}|\\;:\"'“”‘’<>,.?/", r)
	}), "-")
	if text != "" && text[0] >= '0' && text[0] <= '9' {
		return "_" + text
	}
	return text
}

// vitepressCode replaces a text of code that is one string in braces.
func vitepressCode(language, text string) string {
	if m, ok := output(text); ok && language == "" && m.Width == len(text) && m.Text != "" {
		return m.Text
	}
	return text
}
