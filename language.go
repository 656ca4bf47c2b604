package octavo

import (
	"encoding/json"
	"strings"
)

// Language returns the language that front matter says a page has, a tag of BCP
// 47 in its member lang or language, and "" where it does not say it.
func Language(frontmatter json.RawMessage) string {
	for _, name := range []string{"lang", "language"} {
		if text := FrontText(frontmatter, name); isLanguage(text) {
			return text
		}
	}
	return ""
}

// isLanguage reports whether text has the form of a language tag (RFC 5646,
// section 2.1): groups of letters and digits, of which the first are letters.
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
