package importer

import (
	"cmp"
	"slices"

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
		case !slices.ContainsFunc(shown, func(file string) bool { return reference.IsText(file) && include.Imports(l.Text, file) }):
			f.entry.note(f.line-1+l.Line, "not shown, and kept in the source: %.80s", l.Text)
		}
	}
	f.wiki = include.WikiLinks(f.content)
	for _, n := range include.Unread(f.content, include.Dialect{Reads: format.Reads(), LiteralCode: slices.Contains(literalCode, format.Dialect), WikiLinks: format.Dialect == octavo.DialectObsidian}) {
		f.entry.note(f.line-1+n.Line, "%s", n.Text)
	}
	return links, shown
}

// format returns the format of the file.
func (f *file) format(content string) markdown.Format {
	return markdown.FormatOf(content, f.path, f.front, f.dialect)
}

// literalCode are the dialects that replace nothing in code. Those with a template
// language do, and so may unknown ones.
var literalCode = []octavo.Dialect{octavo.DialectMkDocs, octavo.DialectDocusaurus, octavo.DialectMdBook, octavo.DialectVitePress, octavo.DialectMyST, octavo.DialectObsidian}
