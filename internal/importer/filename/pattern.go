package filename

import (
	"regexp"
	"strings"
)

// Matching returns a matcher for patterns of .gitignore, which may contain {a,b}.
func Matching(patterns string) func(file string) bool {
	type line struct {
		*regexp.Regexp
		not bool
	}
	var lines []line
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
	braces   = regexp.MustCompile(`\{[^{}]*,[^{}]*\}`)
	globMark = regexp.MustCompile(`\\.|\*\*/|\*\*|\[[!^]?\]?(?:\[:\w+:\]|\\.|[^\]/])*\]|.`)
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
