package direction

import "strings"

// RightToLeft reports whether the language of a BCP 47 tag is written from right to left.
func RightToLeft(language string) bool {
	tag := strings.ToLower(language)
	primary, rest, _ := strings.Cut(tag, "-")
	switch script, _, _ := strings.Cut(rest, "-"); script {
	case "arab", "hebr", "syrc", "thaa", "nkoo", "adlm", "rohg":
		return true
	case "latn", "cyrl", "deva":
		return false
	}
	switch primary {
	case "ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "ckb", "dv", "syr", "nqo":
		return true
	}
	return false
}
