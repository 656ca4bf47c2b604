package octavo

import (
	"cmp"
	"encoding/json"
	"strings"
)

// Language returns the language in front matter, a BCP 47 tag in its member lang or
// language, or "".
func Language(frontmatter json.RawMessage) string {
	for _, name := range []string{"lang", "language"} {
		if text := FrontText(frontmatter, name); isLanguage(text) {
			return text
		}
	}
	return ""
}

// PageLanguage returns the language of a page (decision 87): that of its front matter,
// or else of its import; "" means that of the site.
func PageLanguage(frontmatter json.RawMessage, imported string) string {
	return cmp.Or(Language(frontmatter), imported)
}

// CheckLanguage returns what is wrong with a language tag, or "".
func CheckLanguage(text string) string {
	if isLanguage(text) {
		return ""
	}
	return "must be a language tag such as en or pt-BR"
}

// InLanguage reports whether a language is another one or a variant of it, as pt-BR is
// of pt (RFC 4647, section 3.3.1).
func InLanguage(language, of string) bool {
	rest, found := strings.CutPrefix(strings.ToLower(language), strings.ToLower(of))
	return found && (rest == "" || rest[0] == '-')
}

// isLanguage reports whether text has the form of a language tag (RFC 5646, section
// 2.1): groups of letters and digits, the first only of letters.
func isLanguage(text string) bool {
	for i, group := range strings.Split(text, "-") {
		if len(group) < 1 || len(group) > 8 || i == 0 && len(group) == 1 {
			return false
		}
		for _, c := range []byte(group) {
			letter := 'a' <= c|0x20 && c|0x20 <= 'z'
			if !letter && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}
