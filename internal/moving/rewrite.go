package moving

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// maxMarkdown limits a page of Markdown in bytes.
const maxMarkdown = 16 << 20

// rewriteLinks converts the addresses of links and pictures.
func rewriteLinks(text string, address func(address string, line int) string) string {
	doc := document.Parse(text, document.Options{Ranges: true})
	source, done := doc.Source(), document.Pos(0)
	var out strings.Builder
	for _, p := range doc.Ranges {
		if p.Kind > document.DefinitionRange || p.From < done {
			continue
		}
		to := address(p.Address, doc.Position(p.From).Line)
		if to == p.Address {
			continue
		}
		out.WriteString(source[done:p.From] + markup.Destination(to))
		done = p.To
	}
	out.WriteString(source[done:])
	return out.String()
}

// eachLine converts the lines outside of code blocks.
func eachLine(text string, change func(line string, number int) string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	fence := ""
	for i, line := range lines {
		mark := fenceOf(line)
		switch {
		case fence == "" && mark != "":
			fence = mark
		case fence != "" && strings.HasPrefix(mark, fence) && strings.TrimSpace(line) == mark:
			fence = ""
		case fence == "":
			lines[i] = change(line, i+1)
		}
	}
	return strings.Join(lines, "\n")
}

// fenceOf returns the fence at the start of a line.
func fenceOf(line string) string {
	line = strings.TrimLeft(line, " >\t")
	for _, mark := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 && (mark == "~" || !strings.Contains(line[n:], "`")) {
			return line[:n]
		}
	}
	return ""
}

var sized = regexp.MustCompile(`(!\[[^\]\n]*\]\([^\s()]+)\s+("[^"\n]*"\s+|"(?:[^"\n]*\s)?)?=(\d*%?)x(\d*%?)"?\s*\)`)

// sizes converts the notation of picture sizes.
func sizes(line string) string {
	if !strings.Contains(line, "=") || !strings.Contains(line, "![") {
		return line
	}
	return sized.ReplaceAllStringFunc(line, func(s string) string {
		m := sized.FindStringSubmatch(s)
		size := ""
		for i, side := range []string{"width", "height"} {
			if m[3+i] != "" {
				size += " " + side + "=" + m[3+i]
			}
		}
		title := strings.Trim(m[2], `" `)
		if title != "" {
			title = ` "` + title + `"`
		}
		if size != "" {
			size = "{" + size[1:] + "}"
		}
		return m[1] + title + ")" + size
	})
}

var (
	boldMarks = regexp.MustCompile("`[^`]*`|\\\\?\\*+") // runs of asterisks, and what is none
	emptyTask = regexp.MustCompile(`^(\s*(?:[-*+]|\d+\.) \[[ xX]\])\s*\\?\s*$`)
)

// asText converts marks that editors write as they come, and that Markdown does not
// read: tasks without a text, and bold that is empty or begins or ends within a word.
func asText(line string) string {
	line = emptyTask.ReplaceAllString(line, "$1 &nbsp;")
	line = boldMarks.ReplaceAllStringFunc(line, func(s string) string {
		if s == "****" { // bold that is empty, or ends where the next begins
			return ""
		}
		return s
	})
	var marks []int
	for _, m := range boldMarks.FindAllStringIndex(line, -1) {
		if line[m[0]:m[1]] == "**" {
			marks = append(marks, m[0])
		}
	}
	out, done := strings.Builder{}, 0
	for i := 0; len(marks)%2 == 0 && i < len(marks); i += 2 {
		open, end := marks[i], marks[i+1]
		outer, _ := utf8.DecodeLastRuneInString(line[:open])
		first, _ := utf8.DecodeRuneInString(line[open+2 : end])
		last, _ := utf8.DecodeLastRuneInString(line[open+2 : end])
		next, _ := utf8.DecodeRuneInString(line[end+2:])
		if !delimits(outer, first) || !delimits(next, last) {
			out.WriteString(line[done:open] + "<strong>" + line[open+2:end] + "</strong>")
			done = end + 2
		}
	}
	return out.String() + line[done:]
}

// delimits reports whether CommonMark accepts a mark between these characters.
func delimits(outside, inside rune) bool {
	return !unicode.IsSpace(inside) && (!unicode.In(inside, unicode.P, unicode.S) || outside == utf8.RuneError || unicode.IsSpace(outside) || unicode.In(outside, unicode.P, unicode.S))
}

// titleMark matches {#id} or {.class} behind a title.
var titleMark = regexp.MustCompile(`\s\{[#.][\w.\s-]+\}\s*$`)

// takeTitle removes a leading heading.
func takeTitle(text string) (title, rest string) {
	text = strings.TrimLeft(strings.TrimPrefix(text, "\uFEFF"), "\r\n")
	line, rest, _ := strings.Cut(text, "\n")
	if title, ok := strings.CutPrefix(line, "# "); ok {
		return strings.TrimSpace(titleMark.ReplaceAllString(title, "")), rest
	}
	return "", text
}

// headed puts the title of a page above a text that begins with another heading of the
// first level, which would be taken for the title.
func headed(title, text string) string {
	heading, _ := takeTitle(text)
	if heading == "" || letters(heading) == letters(title) {
		return text
	}
	return "# " + markup.Escape(title) + "\n\n" + text
}

func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
