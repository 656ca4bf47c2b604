// Package callout knows the names of callouts: boxes such as notes and warnings, as
// many generators and programs have them.
package callout

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Variant returns the variant of a callout by the name of an admonition, alert or
// component in lower case: note, tip, info, warning or danger; "" for a name that is
// none.
func Variant(name string) string {
	switch name {
	case "note", "abstract", "summary", "example", "quote", "cite", "seealso", "canary", "experimental", "remark":
		return "note"
	case "tip", "hint", "check", "success", "recap", "done", "best-practice":
		return "tip"
	case "info", "important", "todo", "question", "help", "faq", "announcement", "youwilllearn", "wip":
		return "info"
	case "warning", "caution", "attention", "pitfall", "warn", "deprecated":
		return "warning"
	case "danger", "error", "bug", "failure", "fail", "critical", "rootcause":
		return "danger"
	}
	return ""
}

// Title returns what a callout is called that has no title, by its name as it is
// written; "" where that is only what its variant is called, in whatever language.
func Title(written string) string {
	name := strings.ToLower(written)
	switch name {
	case "note", "tip", "hint", "info", "important", "warning", "warn", "caution", "attention", "danger", "error", "seealso":
		return ""
	}
	if Variant(name) != "" {
		written = name // [!EXAMPLE]
	}
	first, width := utf8.DecodeRuneInString(written)
	return string(unicode.ToTitle(first)) + strings.ReplaceAll(written[width:], "-", " ")
}
