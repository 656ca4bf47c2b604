package moving

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
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

// outlineMarks matches what only Outline reads: placeholders of templates, marked and
// underlined text, mentions, files with their size, names of emoji. It skips code and addresses.
var outlineMarks = regexp.MustCompile("`[^`]*`|!!([^!`\\s][^!`]*)!!|==([^=`\\s][^=`]*)==|\\b__([^_`\\s][^_`]*)__\\b|@\\[([^\\]`]*)\\]\\(mention:[^)\\s]*\\)|(\\[[^\\]`]+\\.\\w{1,5}) \\d+(\\]\\([^)\\s]*\\))|\\]\\([^)\\s]*\\)|<[^>\\s]*>|:[a-z][a-z0-9_]*:")

// outlineText converts the marks of Outline in a page.
func outlineText(text string, lost losing) string {
	open, head := []int(nil), "" // toggles have longer marks the more toggles are inside
	return eachLine(text, func(line string, number int) string {
		mark := strings.TrimSpace(line)
		switch n := len(mark); {
		case mark == `\`: // an empty paragraph
			return ""
		case n > 2 && strings.Trim(mark, "+") == "" && len(open) > 0 && open[len(open)-1] == n:
			open = open[:len(open)-1]
			return strings.Repeat(":", n)
		case n > 2 && strings.Trim(mark, "+") == "":
			open = append(open, n)
			head = strings.Repeat(":", n) + "details "
			return ""
		case head != "" && mark != "": // its title
			line, head = head+strings.TrimLeft(mark, "# "), ""
		}
		line = asText(sizes(line))
		return outlineMarks.ReplaceAllStringFunc(line, func(s string) string {
			m := outlineMarks.FindStringSubmatch(s)
			switch {
			case m[2] != "":
				return "<mark>" + m[2] + "</mark>"
			case m[3] != "":
				return "<u>" + m[3] + "</u>"
			case m[4] != "":
				lost(number, "mention", "a mention is text")
				return "@" + m[4]
			}
			return cmp.Or(m[1], m[5]+m[6], dialect.Emoji(s))
		})
	})
}

func (outline) read(t *Tree) error {
	inCollection := slices.ContainsFunc(t.listed, func(file string) bool { return path.Ext(file) == ".md" && path.Dir(file) == "." })
	if u, ok := t.export.(unwrapped); ok && u.around != nil && inCollection {
		names, _, err := list(u.around)
		if err != nil {
			return err
		}
		t.export, t.listed = u.around, names
		t.Name, _, _ = strings.Cut(names[0], "/")
	}
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
	f.fill(func(l *leaf, _ *front, text []byte, lost losing) (string, error) {
		_, body := takeTitle(string(text))
		before := strings.Count(string(text), "\n") - strings.Count(body, "\n")
		body = outlineText(body, func(line int, construct, words string) { lost(line+before, construct, words) })
		return headed(l.title, rewriteLinks(body, f.address(l))), nil
	}, maxMarkdown)
	return nil
}
