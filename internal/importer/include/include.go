// Package include finds the lines of Markdown by which generators include other files, and
// others that are not rendered. It does not read those files.
package include

import (
	"regexp"
	"slices"
	"strings"
)

// signs are characters; each line that includes a file has one of them.
const signs = "{<@[!:"

// may reports whether a text may have lines that include files.
func may(text string) bool {
	return fetchesCode(text) || hasAny(text, "{{", "{!", "{%", "{include}", "{literalinclude}", "<<", "<!--", "<Snippet", "<snippet", "<include", "8<-", "@[code", "@import", "@include", "[!", "::", "':include", "!!!include(", "![[")
}

func hasAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}

// fetchesCode reports whether a text may have code blocks whose first line names the
// source of the code.
func fetchesCode(text string) bool {
	for _, marks := range []string{"```", "~~~"} {
		_, rest, found := strings.Cut(text, marks)
		for found {
			var line string
			if line, rest, _ = strings.Cut(rest, "\n"); hasAny(line, " file=", " src=", " reference") {
				return true
			}
			_, rest, found = strings.Cut(rest, marks)
		}
	}
	return false
}

// fetched returns the first line of a code block that a generator fills, "" for others.
// A block with content and without an address has its code.
func fetched(line string) string {
	if !fetchesCode(line) {
		return ""
	}
	for i, word := range strings.Fields(line) {
		if strings.HasPrefix(word, "file=") || strings.HasPrefix(word, "src=") || word == "reference" && i > 0 {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

var (
	// call matches a call in Jinja, such as a macro of MkDocs.
	call = regexp.MustCompile(`(?:^|[\s>|(*"])\{\{-?\s*([\w.]+)\(`)
	// namesFile matches a line or comment with the word include and a file name.
	namesFile = regexp.MustCompile("^@include +\\S+\\.\\w+[\"']?$|(?:^|[^`])<!-- *include +\\S+\\.\\w+[\"']? *-->")
)

// called returns the name of the macro that a line calls outside of code, or "".
func called(line string) string {
	if !strings.Contains(line, "{{") {
		return ""
	}
	at := call.FindStringSubmatchIndex(line)
	if at == nil || strings.Count(line[:at[0]], "`")%2 == 1 {
		return ""
	}
	return line[at[2]:at[3]]
}

// of returns the directive by which a line includes a file, or "". In code only
// directives of preprocessors count.
func of(line string, code bool) string {
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
		case !found || strings.HasSuffix(before, "`") || strings.HasSuffix(before, ";") || strings.HasSuffix(before, `\`):
		case mark == "{!" && !strings.Contains(after, "!}"):
		case strings.Contains(mark, "8<") && (strings.TrimSpace(after) == "" || strings.Contains(after, "[start:") || strings.Contains(after, "[end:")):
		default:
			return true
		}
	}
	return false
}

func isDirective(text string) bool {
	if name := called(text); strings.HasPrefix(name, "read_") || strings.HasPrefix(name, "include") {
		return true // read_csv and others of the table reader plugin of MkDocs
	}
	if !strings.Contains("<.@:iI!{`~", text[:1]) && !hasAny(text, "<!--", "[!", "':", ":::") {
		return false // the common case
	}
	lower := strings.ToLower(text)
	for _, mark := range []string{"<!--include:", "<!-- include:", "<!--#include", "<!-- #include", "[!include", "[!code-", "':include", ":::code "} {
		if before, _, found := strings.Cut(lower, mark); found && !strings.HasSuffix(before, "`") {
			return true
		}
	}
	if strings.Contains(lower, "include ") && namesFile.MatchString(lower) {
		return true
	}
	for _, start := range []string{
		"<<< ", "![[", "<<[", "<<(", "<<{", "<<<@", ".. include::", ".. literalinclude::", ".. mdinclude::", "@include(", "@[code", "@import \"", "<snippet file=",
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
