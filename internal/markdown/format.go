package markdown

import (
	"bytes"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// FormatOf determines the format of a page (decisions 55 and 86): the dialects markdown
// and mdx are explicit; otherwise it depends on the path of the imported file, "" for
// none, on front matter as a JSON object, and on the content.
func FormatOf(content, path string, frontmatter []byte, dialect octavo.Dialect) Format {
	if dialect == octavo.DialectMarkdown || dialect == octavo.DialectMDX {
		return Format{dialect == octavo.DialectMDX, dialect}
	}
	declared := ""
	if strings.HasSuffix(strings.ToLower(path), ".mdx") {
		declared = "mdx"
	} else if bytes.Contains(frontmatter, []byte(`"format"`)) { // most have none, and some are large
		if front, err := octavo.ValueOf(frontmatter); err == nil {
			format, _ := front.Get("format")
			declared = format.Str
		}
	}
	switch dialect {
	case octavo.DialectMkDocs, octavo.DialectHugo, octavo.DialectMdBook, octavo.DialectVitePress, octavo.DialectObsidian, octavo.DialectMyST, octavo.DialectJekyll:
		return Format{strings.EqualFold(declared, "mdx"), dialect} // these tools do not use MDX
	}
	return Format{isMDX(content, declared), dialect}
}

// Reads returns a function that reports whether a line begins with syntax of the dialect.
func (f Format) Reads() func(line string) bool { return dialect.Of(string(f.Dialect)).Reads }

// isMDX reports whether content is MDX (decision 55): front matter says so, or there is
// an import, an export, or a capitalised element at the start of a line, outside of code
// blocks.
func isMDX(content, frontmatterFormat string) bool {
	if strings.EqualFold(frontmatterFormat, "mdx") {
		return true
	}
	if !strings.Contains(content, "import") && !strings.Contains(content, "export") && !strings.Contains(content, "<") {
		return false
	}
	fence, rest := "", content // fence of the current code block
	afterBlank := true
	for len(rest) > 0 {
		source := rest
		line, after, _ := strings.Cut(rest, "\n")
		rest = after
		text := strings.TrimSpace(line)
		mark := fenceMark(text)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && len(mark) == len(text) {
				fence = ""
			}
		case mark != "":
			fence = mark
		case afterBlank && inline.StartsModule(source), startsComponent(line):
			return true
		}
		afterBlank = len(text) == 0
	}
	return false
}

// fenceMark returns the fence at the start of text, or "".
func fenceMark(text string) string {
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return ""
	}
	n := inline.RunLength(text, text[0])
	if n < 3 || text[0] == '`' && strings.IndexByte(text[n:], '`') >= 0 {
		return ""
	}
	return text[:n]
}

// startsComponent reports whether a line starts with a capitalised element that is not
// HTML such as <BR>.
func startsComponent(line string) bool {
	indent := inline.RunLength(line, ' ')
	line = line[indent:]
	if indent > 3 || len(line) < 3 || line[0] != '<' || line[1] < 'A' || 'Z' < line[1] {
		return false
	}
	n := 1
	for n < len(line) && (inline.IsLetter(line[n]) || inline.IsDigit(line[n]) || line[n] == '.' || line[n] == '_') {
		n++
	}
	if n < len(line) && strings.IndexByte(" \t\r/>", line[n]) < 0 {
		return false
	}
	name := line[1:n]
	return name != strings.ToUpper(name) || !isElement(strings.ToLower(name))
}

// isElement reports whether HTML has an element with that name, of those common in pages.
func isElement(name string) bool {
	switch name {
	case "a", "abbr", "b", "br", "cite", "code", "del", "em", "font", "i", "img", "ins", "kbd", "q", "s", "samp",
		"small", "span", "strike", "strong", "sub", "sup", "tt", "u", "var", "video":
		return true
	}
	return inline.StartsHTML(name)
}

// Outdent removes the blanks at the start of the lines of a page in HTML, which would be code
// in Markdown. Those in its front matter and in its elements for code stay.
func Outdent(text string) string {
	var out strings.Builder
	front, code := 0, false
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n") + "\n"; line == text[:3]+"\n" {
			front++
		} else if front > 1 && !code {
			line = strings.TrimLeft(line, " \t")
		}
		if open, end := strings.LastIndex(line, "<pre"), strings.LastIndex(line, "</pre"); open != end {
			code = open > end
		}
		out.WriteString(line)
	}
	return out.String()
}
