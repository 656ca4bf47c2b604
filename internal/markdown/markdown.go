// Package markdown tells what the content of a page says beyond its rendering:
// the language that it is written in, its title, its links and what it shows.
// Package document reads the content, and its package reference what links mean.
package markdown

import (
	"bytes"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
)

// Format is the language in which content is written; the zero Format is Markdown.
type Format struct {
	MDX     bool
	Dialect octavo.Dialect
}

// Options returns how content of the format is read.
func (f Format) Options() document.Options {
	return document.Options{MDX: f.MDX, Dialect: string(f.Dialect)}
}

func parse(content string, format Format) *document.Document {
	return document.Parse(content, format.Options())
}

// Title returns the text of the heading that names content, or "".
func Title(content []byte, format Format) string {
	if heading := LeadingTitle(content); heading != "" {
		return heading
	}
	return title(string(content), format)
}

func title(content string, format Format) string {
	if h, _ := parse(content, format).Title(); h != nil {
		return h.Text
	}
	return ""
}

// LeadingTitle returns the title where content begins with it and its line alone
// tells it, whatever follows and in either format. Where it finds none Title may
// find one still.
func LeadingTitle(content []byte) string {
	line := bytes.TrimLeft(bytes.TrimPrefix(content, []byte("\uFEFF")), "\r\n")
	if len(line) < 2 || line[0] != '#' || line[1] != ' ' && line[1] != '\t' {
		return ""
	}
	if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	if bytes.ContainsAny(line, "[<{") { // may refer to what follows, or mean something else in MDX
		return ""
	}
	if text := line[2:]; !bytes.ContainsFunc(text, mayMark) {
		return oneLine(string(text))
	}
	return title(string(line), Format{})
}

// mayMark reports whether a character may be more than text, as nothing but letters,
// digits, spaces and commas of ASCII is known not to be.
func mayMark(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ' ' || r == ',')
}

// oneLine makes one line of valid text, with single spaces.
func oneLine(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' })
	return strings.ToValidUTF8(strings.Join(words, " "), "\uFFFD")
}
