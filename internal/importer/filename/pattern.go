package filename

import (
	"regexp"
	"strings"
)

// Limits of patterns: bytes of all and of one, and brackets in one. The time to read a
// pattern grows with the product of the last two.
const (
	maxPatterns = 256 << 10
	maxPattern  = 1000
	maxBrackets = 50
)

// Matching returns a matcher for patterns of .gitignore, which may contain {a,b}. What is
// beyond the limits matches every file, so that nothing is published by mistake.
func Matching(patterns string) func(file string) bool {
	type line struct {
		*regexp.Regexp
		not bool
	}
	var lines []line
	if len(patterns) > maxPatterns {
		return func(string) bool { return true }
	}
	for text := range strings.Lines(strings.TrimPrefix(patterns, "\uFEFF")) {
		text = strings.TrimSpace(text)
		text, not := strings.CutPrefix(text, "!")
		if text = strings.TrimPrefix(text, "./"); text == "" || text[0] == '#' {
			continue
		}
		begin, end := "(?:^|/)", "(?:/|$)"
		if strings.Contains(strings.TrimSuffix(text, "/"), "/") {
			begin = "^"
		}
		if strings.HasSuffix(text, "/") {
			end = "/"
		}
		if len(text) > maxPattern || strings.Count(text, "[")+strings.Count(text, "{") > maxBrackets {
			lines = append(lines, line{Regexp: everyFile})
			continue
		}
		for braces.MatchString(text) { // innermost braces first
			text = braces.ReplaceAllStringFunc(text, func(list string) string {
				return "\x01" + strings.ReplaceAll(list[1:len(list)-1], ",", "\x02") + "\x03"
			})
		}
		form := globMark.ReplaceAllStringFunc(strings.Trim(text, "/"), globForm)
		if re, err := regexp.Compile(begin + form + end); err == nil {
			lines = append(lines, line{re, not})
		}
	}
	return func(file string) bool {
		out := false
		for _, l := range lines {
			if l.MatchString(file) {
				out = !l.not
			}
		}
		return out
	}
}

var (
	everyFile = regexp.MustCompile("")
	braces    = regexp.MustCompile(`\{[^{}]*,[^{}]*\}`)
	globMark  = regexp.MustCompile(`\\.|\*\*/|\*\*|\[[!^]?\]?(?:\[:\w+:\]|\\.|[^\]/])*\]|.`)
)

// globForm returns the regular expression for a part of a pattern.
func globForm(part string) string {
	if form, ok := map[string]string{
		"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]", "\x01": "(?:", "\x02": "|", "\x03": ")",
	}[part]; ok {
		return form
	}
	if part[0] == '[' && len(part) > 2 {
		class := strings.Replace(part, "[!", "[^", 1)
		if _, err := regexp.Compile(class); err != nil {
			return "[^/]"
		}
		return class
	}
	if part[0] == '\\' {
		part = part[1:]
	}
	return regexp.QuoteMeta(part)
}
