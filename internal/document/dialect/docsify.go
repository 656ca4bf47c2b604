package dialect

import (
	"path"
	"strings"
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
