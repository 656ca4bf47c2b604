package site

import (
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The files of a site other than pages. Pages end in .html and are in the root, so their names never
// collide.
const (
	indexFile    = "index.html"
	siteFolder   = "site/"
	assetsFolder = "assets/"
)

// maxName limits a file name without extension. Archive tools support at least 255 bytes.
const maxName = 120

// names assigns unique file names, which must differ in more than case, as on many file systems. The
// value is the next number for a name.
type names map[string]int

// take returns a free name similar to base.
func (n names) take(folder, base, extension string) string {
	wanted := nameKey(folder + base + extension)
	for try := max(n[wanted], 1); ; try++ {
		name := folder + base + extension
		if try > 1 {
			name = folder + base + "-" + strconv.Itoa(try) + extension
		}
		if !n.has(name) {
			n[nameKey(name)] = 2
			n[wanted] = try + 1
			return name
		}
	}
}

// has reports whether a name is taken.
func (n names) has(name string) bool { return n[nameKey(name)] > 0 }

// nameKey folds case and Unicode normal form.
func nameKey(name string) string { return norm.NFC.String(strings.ToLower(name)) }

// safeBase derives a name that is valid on all systems: ASCII letters and digits in groups joined by
// hyphens, underscores or dots.
func safeBase(text, otherwise string) string {
	var b strings.Builder
	joint := byte(0)
	for i := 0; i < len(text) && b.Len() < maxName; i++ {
		c := text[i]
		if 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' {
			if joint != 0 && b.Len() > 0 {
				b.WriteByte(joint)
			}
			joint = 0
			b.WriteByte(c)
			continue
		}
		switch {
		case joint != 0:
		case c == '_' || c == '.':
			joint = c
		default:
			joint = '-'
		}
	}
	name := b.String()
	switch stem, _, _ := strings.Cut(strings.ToLower(name), "."); stem {
	case "":
		return otherwise
	case "con", "prn", "aux", "nul", "com0", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
		"lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9": // device names on Windows
		return otherwise + "-" + name
	}
	return name
}

// pageFile takes a file name for a page.
func (n names) pageFile(slug string) string {
	return n.take("", strings.ToLower(safeBase(slug, "page")), ".html")
}

// assetFile takes a file name for an asset and keeps its extension.
func (n names) assetFile(name string) string {
	base := path.Base("/" + strings.ReplaceAll(name, `\`, "/"))
	extension := strings.ToLower(path.Ext(base))
	if letters := strings.TrimPrefix(extension, "."); letters == "" || len(letters) > 8 || safeBase(letters, "") != letters {
		extension = ""
	}
	return n.take(assetsFolder, safeBase(strings.TrimSuffix(base, path.Ext(base)), "file"), extension)
}
