package segment

import (
	"slices"
	"strings"
	"unicode"
)

// News pages use the words of the pages about the subject itself: release
// notes, changelogs, announcements, and instructions for upgrading from one
// version to another.

// newsNames are names of such pages, as words; one among other words is enough.
var newsNames = [][]string{
	{"changelog"},
	{"changelogs"},
	{"release", "notes"},
	{"releasenotes"},
	{"release", "history"},
	{"what", "s", "new"},
	{"whats", "new"},
	{"breaking", "changes"},
	{"announcement"},
	{"announcements"},
	{"announcing"},
}

// news reports whether a page is news, by its title, its slug and its tags.
func news(title, slug string, tags []string) bool {
	for _, tag := range tags {
		if named(nameWords(tag)) {
			return true
		}
	}
	words, path := nameWords(title), nameWords(slug)
	if named(words) || named(path) || slices.Equal(words, []string{"change", "log"}) || dated(path) {
		return true
	}
	if len(path) > 1 && (path[0] == "blog" || path[0] == "news") && !slices.Contains(words, path[0]) {
		return true // it lies in that folder
	}
	version := slices.IndexFunc(words, Version)
	switch {
	case version == 0:
		return strings.ContainsAny(words[0], ".") || len(words) == 1
	case len(words) > 1 && (words[0] == "version" || words[0] == "release") && startsWithDigit(words[1]):
		return true
	case version < 0:
		return false
	}
	return slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "upgrade", "upgrading", "migrate", "migrating", "migration", "released", "out":
			return true
		}
		return false
	})
}

// named reports whether words contain one of newsNames.
func named(words []string) bool {
	for i := range words {
		for _, name := range newsNames {
			if len(words)-i >= len(name) && slices.Equal(words[i:i+len(name)], name) {
				return true
			}
		}
	}
	return false
}

// dated reports whether words contain a date: 2024, 02, 29.
func dated(words []string) bool {
	for i := range len(words) - 2 {
		year, month, day := words[i], words[i+1], words[i+2]
		if len(year) == 4 && (year[:2] == "19" || year[:2] == "20") && len(month) == 2 && month <= "12" && len(day) == 2 && day <= "31" {
			return true
		}
	}
	return false
}

// Version reports whether a word in lower case is a version number: 2.0, v2, 2.x.
func Version(word string) bool {
	number, v := strings.CutPrefix(word, "v")
	if !startsWithDigit(number) || strings.Trim(number, "0123456789.x") != "" {
		return false
	}
	return v || strings.Contains(number, ".")
}

func startsWithDigit(word string) bool { return word != "" && '0' <= word[0] && word[0] <= '9' }

// nameWords splits a title or a slug into words in lower case. Dots within a
// word belong to it.
func nameWords(name string) []string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r != '.' && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
	for i := range words {
		words[i] = strings.Trim(words[i], ".")
	}
	return slices.DeleteFunc(words, func(word string) bool { return word == "" })
}
