package importer

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// splitNumber parts a leading number that orders a file among its siblings,
// as in 01-intro, from its name without extension. Dates, years, versions and
// amounts, as in 2023-updates and 5-minute-guide, are part of the name.
func splitNumber(name string) (number int64, rest string, ok bool) {
	digits := strings.IndexFunc(name, func(r rune) bool { return r < '0' || r > '9' })
	if digits < 1 || digits > 9 {
		return 0, name, false
	}
	behind := strings.TrimLeft(name[digits:], " ")
	rest = strings.TrimLeft(behind, "-_. ")
	if rest == "" || strings.IndexByte("-_.", behind[0]) < 0 || rest[0] >= '0' && rest[0] <= '9' {
		return 0, name, false
	}
	number, err := strconv.ParseInt(name[:digits], 10, 32)
	if err != nil || digits == 4 && 1900 <= number && number < 2100 || name[0] != '0' && isAmount(rest) {
		return 0, name, false
	}
	return number, rest, true
}

// isAmount reports whether the word behind a number makes an amount of it.
func isAmount(rest string) bool {
	word := strings.ToLower(rest)
	if end := strings.IndexAny(word, "-_. "); end >= 0 {
		word = word[:end]
	}
	return slices.Contains([]string{
		"second", "minute", "min", "hour", "day", "week", "month", "year", "bit", "byte", "step", "factor", "way", "click", "phase", "tier",
		"column", "point", "thing", "tip", "reason", "rule", "lesson", "zip", "fold", "dimensional",
	}, strings.TrimSuffix(word, "s"))
}

// pathParts splits a path in a tree into names without ordering numbers; the
// last one is without its extension.
func pathParts(file string) []string {
	parts := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	for i, part := range parts {
		_, parts[i], _ = splitNumber(part)
	}
	return parts
}

// addressParts splits a path of a web site, such as /docs/intro.html#top.
func addressParts(address string) []string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	address = strings.TrimSuffix(strings.TrimSuffix(address, "/"), ".html")
	address = strings.TrimSuffix(address, "/index")
	return strings.FieldsFunc(address, func(r rune) bool { return r == '/' })
}
