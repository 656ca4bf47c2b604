package importer

import "strings"

// includeSigns are characters of which every line that includes a file has one.
const includeSigns = "{<@[!:"

// mayInclude reports whether a text has any of what lines that include others
// have. Each begins with a byte that is rare in prose.
func mayInclude(text string) bool {
	for _, mark := range []string{"{{#", "{!", "{%", "{{<", "{{%", "{include}", "{literalinclude}", "<<<", "<!--", "<Snippet", "<snippet", "<include", "8<-", "@[code", "@import", "@include", "[!", "::", "':include", "!!!include("} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// include returns how a line takes in the text of another file, "" where it does
// not. Preprocessors do it in code as well, which is said.
func include(line string, code bool) string {
	text := strings.TrimSpace(line)
	for _, mark := range []string{"{{#include", "{{#rustdoc_include", "{{#playground", "{{#playpen", "{{#template", "--8<--", "-8<- ", "{!", "<!--@include", "<!-- @include"} {
		before, after, found := strings.Cut(text, mark)
		switch {
		case !found || strings.HasSuffix(before, "`") || strings.HasSuffix(before, ";"):
		case mark == "{!" && !strings.Contains(after, "!}"):
		case strings.Contains(mark, "8<") && (strings.TrimSpace(after) == "" || strings.Contains(after, "[start:") || strings.Contains(after, "[end:")):
		default:
			return text
		}
	}
	if code {
		return ""
	}
	lower := strings.ToLower(text)
	for _, mark := range []string{"<!--include:", "<!-- include:", "<!--#include", "<!-- #include", "[!include", "[!code-", "':include", ":::code "} {
		if before, _, found := strings.Cut(lower, mark); found && !strings.HasSuffix(before, "`") {
			return text
		}
	}
	for _, start := range []string{
		"<<< ", "<<<@", ".. include::", ".. literalinclude::", ".. mdinclude::", "@include(", "@[code", "@import \"", "<snippet file=",
		"<include from=", "<include file=", "<include src=", "::include{", "include::", "!!!include(", "{% include", "{%- include", "{%include",
		"{% partial", "{{< include", "{{% include", "{{< readfile", "{{% readfile", "{{< code file", "{{< partial", "{{< snippet",
	} {
		if strings.HasPrefix(lower, start) {
			return text
		}
	}
	if directive := strings.TrimLeft(lower, "`~:"); directive != lower {
		for _, start := range []string{"{include}", "{literalinclude}"} {
			if strings.HasPrefix(strings.TrimSpace(directive), start) {
				return text
			}
		}
	}
	return ""
}
