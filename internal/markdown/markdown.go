// Package markdown derives facts from the content of a page: its format, title, links
// and embedded files. Package document parses the content, and document/reference
// resolves links.
package markdown

import (
	"bytes"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
)

// Format is the language of content; the zero Format is Markdown.
type Format struct {
	MDX     bool
	Dialect octavo.Dialect
}

// Options returns the options to parse content of the format.
func (f Format) Options() document.Options {
	return document.Options{MDX: f.MDX, Dialect: string(f.Dialect)}
}

func parse(content string, format Format, front []byte) *document.Document {
	options := format.Options()
	options.Frontmatter = front
	return document.Parse(content, options)
}

// Title returns the text of the title heading, or "".
func Title(content []byte, format Format) string {
	if heading := LeadingTitle(content); heading != "" {
		return heading
	}
	return title(string(content), format)
}

func title(content string, format Format) string {
	doc := parse(content, format, nil)
	h, _ := doc.Title()
	if format.Dialect == octavo.DialectObsidian { // shows the name of the file
		h, _ = doc.Says("")
	}
	if h == nil {
		return ""
	}
	return h.Text
}

// LeadingTitle returns the title if the first line alone determines it, whatever follows
// and in any format. If it returns "", Title may still find one.
func LeadingTitle(content []byte) string {
	line := bytes.TrimLeft(bytes.TrimPrefix(content, []byte("\uFEFF")), "\r\n")
	if len(line) < 2 || line[0] != '#' || line[1] != ' ' && line[1] != '\t' {
		return ""
	}
	if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	if bytes.ContainsAny(line, "[<{") { // may depend on what follows or on MDX
		return ""
	}
	if text := line[2:]; !bytes.ContainsFunc(text, mayMark) {
		return oneLine(string(text))
	}
	return title(string(line), Format{})
}

// mayMark reports whether a character may be markup: all except ASCII letters, digits,
// spaces and commas.
func mayMark(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ' ' || r == ',')
}

// oneLine normalises white space.
func oneLine(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' })
	return strings.ToValidUTF8(strings.Join(words, " "), "\uFFFD")
}
