package importer

import (
	"path"
	"strconv"
	"strings"
)

// splitNumber parts a leading number that orders a file among its siblings,
// as in 01-intro, from its name. Dates and versions are part of the name.
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
	return number, rest, err == nil
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
