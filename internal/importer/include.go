package importer

import (
	"slices"
	"strings"
)

// includeSigns are characters of which every line that includes a file has one.
const includeSigns = "{<@[!:"

// mayInclude reports whether a text has any of what lines that include others
// have. Each begins with a byte that is rare in prose.
func mayInclude(text string) bool {
	return hasAny(text, "{{#", "{!", "{%", "{{<", "{include}", "{literalinclude}", "<<<", "<!--", "<Snippet", "<snippet", "<include", "8<-", "@[code", "@import", "@include", "[!", "::", "':include", "!!!include(")
}

func hasAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// include returns how a line takes in the text of another file, "" where it does
// not. Preprocessors do it in code as well, which is said.
func include(line string, code bool) string {
	text := strings.TrimSpace(line)
	if hasAny(text, "{", "<") && isPreprocessed(text) || !code && isDirective(text) {
		return text
	}
	return ""
}

// isPreprocessed reports whether a preprocessor replaces the line.
func isPreprocessed(text string) bool {
	for _, mark := range []string{"{{#include", "{{#rustdoc_include", "{{#playground", "{{#playpen", "{{#template", "--8<--", "-8<- ", "{!", "<!--@include", "<!-- @include"} {
		before, after, found := strings.Cut(text, mark)
		switch {
		case !found || strings.HasSuffix(before, "`") || strings.HasSuffix(before, ";"):
		case mark == "{!" && !strings.Contains(after, "!}"):
		case strings.Contains(mark, "8<") && (strings.TrimSpace(after) == "" || strings.Contains(after, "[start:") || strings.Contains(after, "[end:")):
		default:
			return true
		}
	}
	return false
}

// isDirective reports whether the line is a directive of a generator.
func isDirective(text string) bool {
	if !strings.Contains("<.@:iI!{`~", text[:1]) && !hasAny(text, "<!--", "[!", "':", ":::") {
		return false // as most lines
	}
	lower := strings.ToLower(text)
	for _, mark := range []string{"<!--include:", "<!-- include:", "<!--#include", "<!-- #include", "[!include", "[!code-", "':include", ":::code "} {
		if before, _, found := strings.Cut(lower, mark); found && !strings.HasSuffix(before, "`") {
			return true
		}
	}
	for _, start := range []string{
		"<<< ", "<<<@", ".. include::", ".. literalinclude::", ".. mdinclude::", "@include(", "@[code", "@import \"", "<snippet file=",
		"<include from=", "<include file=", "<include src=", "::include{", "include::", "!!!include(", "{% include", "{%- include", "{%include",
		"{% partial", "{{< include", "{{% include", "{{< readfile", "{{% readfile", "{{< code file", "{{< partial", "{{< snippet",
	} {
		if strings.HasPrefix(lower, start) {
			return true
		}
	}
	marks := strings.TrimLeft(lower, "`~:")
	directive := strings.TrimSpace(marks)
	return marks != lower && (strings.HasPrefix(directive, "{include}") || strings.HasPrefix(directive, "{literalinclude}"))
}
