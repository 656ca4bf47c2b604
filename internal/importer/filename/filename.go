// Package filename derives properties of pages from the names of files and addresses.
// Package importer decides which file becomes which page.
package filename

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// SplitNumber splits off a leading number that orders a file among its siblings, as in
// 01-intro; name has no extension. Dates, years, versions and amounts, as in 2023-updates
// and 5-minute-guide, belong to the name; a number before a dot is none of these.
func SplitNumber(name string) (number int64, rest string, ok bool) {
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
	if err != nil || digits == 4 && 1900 <= number && number < 2100 || name[0] != '0' && behind[0] != '.' && isAmount(rest) {
		return 0, name, false
	}
	return number, rest, true
}

// isAmount reports whether the word after a number makes it an amount.
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

// PathParts splits a path into names without ordering numbers and without the extension.
// A folder in parentheses, as in Next.js, is in no address.
func PathParts(file string) (parts []string) {
	names := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	for i, name := range names {
		if _, name, _ = SplitNumber(name); i == len(names)-1 || !strings.HasPrefix(name, "(") || !strings.HasSuffix(name, ")") {
			parts = append(parts, name)
		}
	}
	return parts
}

// Title derives a title from a file name, or the folder name for a folder's page:
// 02-getting_started.md becomes Getting started. A name with blanks is one already.
func Title(file string) string {
	if IsFolderPage(file) && path.Dir(file) != "." {
		file = path.Dir(file) + ".md"
	}
	parts := PathParts(file)
	name := strings.ReplaceAll(parts[len(parts)-1], "\x00", "")
	if !strings.Contains(name, " ") {
		name = strings.NewReplacer("-", " ", "_", " ").Replace(name)
	}
	name = strings.Join(strings.Fields(name), " ")
	if name == "" {
		return "Untitled"
	}
	first, size := utf8.DecodeRuneInString(name)
	return strings.ToUpper(string(first)) + name[size:]
}

// AddressParts splits the path of a web address, such as /docs/intro.html#top.
func AddressParts(address string) []string {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	address = strings.TrimSuffix(strings.TrimSuffix(address, "/"), ".html")
	address = strings.TrimSuffix(address, "/index")
	return strings.FieldsFunc(address, func(r rune) bool { return r == '/' })
}

// IsNavigation reports whether the name is that of a navigation file that an import does
// not read.
func IsNavigation(name string) bool {
	base := strings.ToLower(path.Base(name))
	stem, _, _ := strings.Cut(strings.TrimPrefix(base, "."), ".")
	switch path.Ext(base) {
	case ".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".jsx", ".tsx", ".json":
		return strings.HasPrefix(stem, "sidebar") || slices.Contains([]string{"_meta", "meta", "docs", "mint", "_sidebar", "navigation", "nav"}, stem)
	case ".yml", ".yaml":
		return stem != "gitbook" && (strings.Contains(stem, "nav") || strings.Contains(stem, "sidebar") || slices.Contains([]string{"toc", "_toc", "_quarto", "_order", "fern", "docs"}, stem))
	case ".md":
		return slices.Contains([]string{"summary", "toc", "_sidebar", "_navbar"}, stem)
	}
	return base == ".pages" || base == ".order"
}

func IsHidden(file string) bool { return strings.Contains("/"+file, "/.") }

// Beside returns the whole path of one that may be relative to the folder of another.
func Beside(other, written string) string {
	if strings.HasPrefix(written, "/") {
		return written
	}
	return path.Join("/", path.Dir("/"+other), written)
}

var numbered = regexp.MustCompile(`^(?:\d[\d._:T-]*[-_ ]+)?(.*?)(?:[-_. (]+v?\d[\d._:T-]*\)?)*$`)

// WithoutNumber strips date, version and number from the name of a folder or archive.
func WithoutNumber(name string) string {
	if short := numbered.FindStringSubmatch(name); short != nil && strings.ContainsFunc(short[1], unicode.IsLetter) {
		return short[1]
	}
	return name
}
