package importer

import "strings"

// include returns how a line takes in the text of another file, "" where it does
// not. Preprocessors do it in code as well, which is said.
func include(line string, code bool) string {
	text := strings.TrimSpace(line)
	if !strings.ContainsAny(text, "<{[.@:'") {
		return ""
	}
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
