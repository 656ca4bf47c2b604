package site

import (
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// The files of a site that are no pages. Pages end in .html and lie at the top,
// so that none can take these names.
const (
	indexFile    = "index.html"
	siteFolder   = "site/"
	assetsFolder = "assets/"
)

// maxName is how long the name of a file may be without its extension; what
// unpacks archives takes 255 bytes at least.
const maxName = 120

// names hands out names of files, each once. Names that differ in case alone
// are the same on many disks. The value is the number that a name gets when it
// is wanted next.
type names map[string]int

// take returns a name like the one wanted that nobody has.
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

// nameKey is the same for names that differ in capitals or in normal form alone.
func nameKey(name string) string { return norm.NFC.String(strings.ToLower(name)) }

// safeBase makes of any text a name that is one on every disk: letters and
// digits of ASCII in groups joined by hyphens, underscores or dots.
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
		"lpt0", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9": // devices, to Windows
		return otherwise + "-" + name
	}
	return name
}

// pageFile takes a name for the file of a page.
func (n names) pageFile(slug string) string {
	return n.take("", strings.ToLower(safeBase(slug, "page")), ".html")
}

// assetFile takes a name for an asset, with the extension that it has.
func (n names) assetFile(name string) string {
	base := path.Base("/" + strings.ReplaceAll(name, `\`, "/"))
	extension := strings.ToLower(path.Ext(base))
	if letters := strings.TrimPrefix(extension, "."); letters == "" || len(letters) > 8 || safeBase(letters, "") != letters {
		extension = ""
	}
	return n.take(assetsFolder, safeBase(strings.TrimSuffix(base, path.Ext(base)), "file"), extension)
}
