package moving

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// outline reads the Markdown export of Outline: a folder per collection, a file per
// document with its children in the folder of that name, and uploads.
type outline struct{}

func (outline) name() string { return "outline" }

var uploaded = regexp.MustCompile(`(^|/)(uploads|public)/[0-9a-f]{8}-[0-9a-f-]{27}/`)

func (outline) finds(_ fs.FS, names []string, asked bool) bool {
	for _, name := range names {
		if uploaded.MatchString(name) || asked && path.Ext(name) == ".md" {
			return true
		}
	}
	return false
}

// placeholder finds template placeholders, !!text!!, and code, which keeps them.
var placeholder = regexp.MustCompile("`[^`]*`|!![^!`\\s][^!`]*!!")

func (outline) read(t *Tree) error {
	f := newFolder(t)
	for _, file := range t.listed {
		if ext := path.Ext(file); ext != ".md" || uploaded.MatchString(file) {
			f.keep(file)
			continue
		}
		key := strings.TrimSuffix(file, ".md")
		title := path.Base(key)
		if text, err := readLimited(t.export, file, maxMarkdown); err == nil {
			if heading, _ := takeTitle(string(text)); heading != "" {
				title = heading
			}
		}
		f.addLeaf(key, file, path.Base(key), title)
	}
	f.general("history", "earlier versions, comments, names of authors and the order of documents are not in the export")
	f.general("address", "the addresses that documents had in Outline are not in the export: nothing redirects from them")
	f.arrange()
	f.fill(func(l *leaf, _ *front, text []byte, _ losing) (string, error) {
		_, body := takeTitle(string(text))
		body = eachLine(body, func(line string, _ int) string {
			if strings.TrimSpace(line) == `\` {
				line = "" // an empty paragraph
			}
			return placeholder.ReplaceAllStringFunc(sizes(asText(line)), func(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "!!"), "!!") })
		})
		return headed(l.title, rewriteLinks(body, f.address(l))), nil
	}, maxMarkdown)
	return nil
}
