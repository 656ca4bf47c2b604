package dialect

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// Docsify parses a line that shows a file as in Docsify, in any dialect:
// [name](file ':include :type=code js :fragment=name').
func Docsify(line string) (Mark, bool) {
	_, target, link := strings.Cut(line, "](")
	target, closed := strings.CutSuffix(target, ")")
	name, title, titled := strings.Cut(target, " ")
	title = strings.TrimSpace(title)
	options, include := strings.CutPrefix(unquote(title), ":include")
	if line[0] != '[' || !link || !closed || !titled || !include || unquote(title) == title {
		return Mark{}, false
	}
	file := File{Name: strings.TrimPrefix(strings.Trim(name, "<>"), "/")}
	kind, language := "", strings.TrimPrefix(path.Ext(file.Name), ".")
	for word := range strings.FieldsSeq(options) {
		option, value, _ := strings.Cut(word, "=")
		switch {
		case option == ":type":
			kind = value
		case option == ":fragment":
			file.Part = value
		case option[0] != ':' && kind == "code":
			language = option
		}
	}
	file, ok := file.found(true)
	m := Mark{Form: Leaf, Include: &file, Code: kind == "code", Info: language}
	markdown := language == "md" || language == "markdown"
	return m, ok && (kind == "code" || kind == "markdown" || kind == "" && markdown)
}

// Titled splits the options of Docsify off the title of a link or picture, as in
// ':size=50x100 Title', and adds the size to its attributes.
func Titled(written string, attributes attribute.List) (title string, _ attribute.List) {
	if !strings.HasPrefix(written, ":") {
		return written, attributes
	}
	var words []string
	for word := range strings.FieldsSeq(written) {
		switch option, value, _ := strings.Cut(word, "="); {
		case option == ":include":
			return "", attributes
		case option == ":size":
			width, height, both := strings.Cut(value, "x")
			if attributes = with(attributes, "width", width); both {
				attributes = with(attributes, "height", height)
			}
		case option[0] != ':' || strings.HasSuffix(option, ":"): // not another option
			words = append(words, word)
		}
	}
	return strings.Join(words, " "), attributes
}

// shortLine is the length up to which a line above a lower-case letter is a title.
const shortLine = 40

// Untitled reports whether the words behind the kind of an alert are its text, as in Docsify:
// nothing follows, or the sentence goes on. below is the text up to the next block.
func Untitled(words, below string, more bool) bool {
	below = strings.TrimSpace(below)
	first, _ := utf8.DecodeRuneInString(below)
	return words != "" && (below == "" && !more || len(words) > shortLine && unicode.IsLower(first))
}
