package include

import (
	"fmt"
	"regexp"
	"strings"
)

// Note tells of a line that is not rendered.
type Note struct {
	Line int // from 1
	Text string
}

// Dialect tells what is rendered.
type Dialect struct {
	Reads       func(line string) bool // reports whether the line is
	LiteralCode bool                   // nothing in code is replaced
	WikiLinks   bool                   // [[page]] is a link
}

// Unread finds what is not rendered: lines that include files, the first shortcode or
// template tag, and wiki links.
func Unread(content string, d Dialect) (notes []Note) {
	note := func(line int, format string, args ...any) {
		notes = append(notes, Note{line, fmt.Sprintf(format, args...)})
	}
	number, tags, first := 0, 0, 0
	fence, snippets, includes := "", false, may(content)
	tagged := strings.Contains(content, "{%") || strings.Contains(content, "{{")
	wiki, linkAt := !d.WikiLinks && strings.Contains(content, "]]"), 0
	code, codeAt := "", 0 // the code block to fill, and its line
	if !includes && !tagged && !wiki {
		return nil // the common case
	}
	for line := range strings.Lines(content) {
		number++
		directive := ""
		if includes && strings.ContainsAny(line, signs) {
			if directive = of(line, fence != ""); strings.TrimSpace(line) == "--8<--" { // files are listed between two such lines
				if snippets = !snippets; snippets {
					directive = "--8<--"
				}
			}
		}
		switch {
		case d.Reads(line):
		case directive != "":
			note(number, "includes another file, whose text is missing here: %.80s", directive)
		case tagged && fence != "" && d.LiteralCode:
		case tagged && (isTag(line) || fence == "" && called(line) != ""):
			if tags++; tags == 1 {
				first = number
			}
		}
		if wiki && linkAt == 0 && fence == "" && isWikiLink(line) {
			linkAt = number
		}
		before := fence
		fence = FenceAfter(fence, line)
		switch {
		case before == "":
			if fence != "" && includes {
				code, codeAt = fetched(line), number
			}
		case code != "" && strings.TrimSpace(line) != "":
			if fence == "" || strings.Contains(line, "://") {
				note(codeAt, "includes another file, whose text is missing here: %.80s", code)
			}
			code = ""
		}
	}
	if linkAt > 0 {
		note(linkAt, "links such as [[page]] are shown as text; with --dialect obsidian they lead to pages")
	}
	if tags > 0 {
		note(first, "template tags are kept in the text and not replaced; this is the first of %d lines with some", tags)
	}
	return notes
}

// wikiLink matches [[page]] outside of code and link texts.
var wikiLink = regexp.MustCompile("(?:^|[^`\\[\\\\])\\[\\[[^\\[\\]`]+\\]\\](?:[^(`]|$)")

func isWikiLink(line string) bool {
	return wikiLink.MatchString(line) && !strings.Contains(strings.ToLower(line), "toc")
}

// WikiLinks returns what a text names as [[page]], the first of each line.
func WikiLinks(content string) (names []string) {
	fence := ""
	if !strings.Contains(content, "]]") {
		return nil
	}
	for line := range strings.Lines(content) {
		if fence == "" && isWikiLink(line) {
			_, name, _ := strings.Cut(wikiLink.FindString(line), "[[")
			names = append(names, name[:strings.IndexAny(name, "]|#")])
		}
		fence = FenceAfter(fence, line)
	}
	return names
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

// FenceAfter returns the fence of the code block that is open after a line, "" for none.
// fence is the one open before it.
func FenceAfter(fence, line string) string {
	marker := fenceOf(line)
	switch {
	case fence == "":
		return marker
	case strings.HasPrefix(marker, fence) && strings.Trim(line, "`~ \t\r\n") == "":
		return ""
	}
	return fence
}

var codeSpan = regexp.MustCompile("`+[^`\n]+`+")

// WithoutCode blanks code blocks and code spans. It keeps the number of lines.
func WithoutCode(text string) string {
	var out strings.Builder
	out.Grow(len(text))
	fence := ""
	for line := range strings.Lines(text) {
		before := fence
		fence = FenceAfter(fence, line)
		switch {
		case before != "" || fence != "":
			line = "\n"
		case strings.Contains(line, "`") && (strings.Contains(line, "](") || strings.Contains(line, "=")):
			line = codeSpan.ReplaceAllString(line, "")
		}
		out.WriteString(line)
	}
	return out.String()
}
