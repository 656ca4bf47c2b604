package importer

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/include"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// readMarkup reads the content: the title heading if front matter has no title, unrendered
// constructs, links and picture addresses. body excludes even unreadable front matter.
func (f *file) readMarkup(body []byte) (links []markdown.Link, shown []string) {
	format := f.format(f.content)
	if f.meta.title == "" {
		f.heading = oneLine(cmp.Or(markdown.Title(body, format), home.Read(f.front).Name))
	}
	f.meta.publication.readModule(f.content, format, f.line)
	var left []markdown.LeftOut
	links, shown, f.anchors, left = markdown.LinksAndAnchors(f.content, format, f.front)
	for _, l := range left {
		switch {
		case l.Near:
			f.entry.note(f.line-1+l.Line, "shown as its content or a link: %s", l.Text)
		case !slices.ContainsFunc(shown, func(file string) bool { return reference.IsText(file) && importsFile(l.Text, file) }):
			f.entry.note(f.line-1+l.Line, "kept in the text and not rendered: %.80s", l.Text)
		}
	}
	f.scanLines(format)
	return links, shown
}

// format returns the format of the file.
func (f *file) format(content string) markdown.Format {
	return markdown.FormatOf(content, f.path, f.front, f.dialect)
}

// scanLines notes what is not rendered: lines that include files, the first shortcode or
// template tag, and wiki links. Constructs of the dialect are rendered.
func (f *file) scanLines(format markdown.Format) {
	reads := format.Reads()
	number, tags, first := f.line-1, 0, 0
	fence, snippets, includes := "", false, include.May(f.content)
	tagged := strings.Contains(f.content, "{%") || strings.Contains(f.content, "{{")
	wiki, linkAt := format.Dialect != octavo.DialectObsidian && strings.Contains(f.content, "]]"), 0
	code, codeAt := "", 0 // the code block to fill, and its line
	if !includes && !tagged && !wiki {
		return
	}
	for line := range strings.Lines(f.content) {
		number++
		directive := ""
		if includes && strings.ContainsAny(line, include.Signs) {
			if directive = include.Of(line, fence != ""); strings.TrimSpace(line) == "--8<--" { // files are listed between two such lines
				if snippets = !snippets; snippets {
					directive = "--8<--"
				}
			}
		}
		switch {
		case reads(line):
		case directive != "":
			f.entry.note(number, "includes another file, whose text is missing here: %.80s", directive)
		case tagged && fence != "" && slices.Contains(literalCode, format.Dialect):
		case tagged && (isTag(line) || fence == "" && include.Called(line) != ""):
			if tags++; tags == 1 {
				first = number
			}
		}
		if wiki && linkAt == 0 && fence == "" && wikiLink.MatchString(line) && !strings.Contains(strings.ToLower(line), "toc") {
			linkAt = number
		}
		before := fence
		fence = fenceAfter(fence, line)
		switch {
		case before == "":
			if fence != "" && includes {
				code, codeAt = include.Fetched(line), number
			}
		case code != "" && strings.TrimSpace(line) != "":
			if fence == "" || strings.Contains(line, "://") {
				f.entry.note(codeAt, "includes another file, whose text is missing here: %.80s", code)
			}
			code = ""
		}
	}
	if linkAt > 0 {
		f.entry.note(linkAt, "links such as [[page]] are shown as text; with --dialect obsidian they lead to pages")
	}
	if tags > 0 {
		f.entry.note(first, "template tags are kept in the text and not replaced; this is the first of %d lines with some", tags)
	}
}

// literalCode are the dialects that replace nothing in code. Those with a template
// language do, and so may unknown ones.
var literalCode = []octavo.Dialect{octavo.DialectMkDocs, octavo.DialectDocusaurus, octavo.DialectMdBook, octavo.DialectVitePress, octavo.DialectMyST, octavo.DialectObsidian}

// wikiLink matches [[page]] outside of code and link texts.
var wikiLink = regexp.MustCompile("(?:^|[^`\\[\\\\])\\[\\[[^\\[\\]`]+\\]\\](?:[^(`]|$)")

// importsFile reports whether a statement imports a file, named as by References.
func importsFile(statement, file string) bool {
	_, from, _ := strings.Cut(statement, " from ")
	from = strings.Trim(from, " ;\r\n")
	return len(from) > 1 && markdown.Names(file, from[1:len(from)-1])
}

// isTag reports whether a line has a tag of a template language, {{< x >}}, {{% x %}} or
// {% x %}. Tags that are commented out, {{</* x */>}}, or understood do not count.
func isTag(line string) bool {
	for _, open := range []string{"{{<", "{{%", "{%"} {
		if _, after, found := strings.Cut(line, open); found && !strings.HasPrefix(after, "/*") && strings.Contains(after, "}") && (open != "{%" || !understood.MatchString(line)) {
			return true
		}
	}
	return false
}

// understood matches the Liquid tags that pages may contain.
var understood = regexp.MustCompile(`^\s*\{%-?\s*((end)?(raw|comment)\s*-?%\}\s*$|(end)?highlight\b)`)

// fenceOf returns the fence characters of a line that may open or close a code block.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if rest := strings.TrimLeft(line, mark); len(line)-len(rest) >= 3 {
			return line[:len(line)-len(rest)]
		}
	}
	return ""
}

// fenceAfter returns the fence of the code block that is open after a line, "" for none.
// fence is the one open before it.
func fenceAfter(fence, line string) string {
	marker := fenceOf(line)
	switch {
	case fence == "":
		return marker
	case strings.HasPrefix(marker, fence) && strings.Trim(line, "`~ \t\r\n") == "":
		return ""
	}
	return fence
}
