package format

import (
	"io/fs"
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// archiveNames assigns names to the files of an archive. Each is unique by
// nameKey, stays inside its folder, and is valid on every system.
type archiveNames struct {
	files, folders map[string]bool // by nameKey
	next           map[string]int  // the next number for a name that is taken
}

func newArchiveNames() *archiveNames {
	return &archiveNames{map[string]bool{}, map[string]bool{}, map[string]int{}}
}

// take takes a name, or one with a number if that is taken.
func (p *archiveNames) take(name string) string {
	ext, key := path.Ext(name), nameKey(name)
	for n := max(p.next[key], 1); ; n++ {
		candidate := name
		if n > 1 {
			candidate = strings.TrimSuffix(name, ext) + "-" + strconv.Itoa(n) + ext
		}
		if p.free(candidate) {
			p.keep(candidate)
			p.next[key] = n + 1
			return candidate
		}
	}
}

func (p *archiveNames) free(name string) bool {
	name = nameKey(name)
	if p.files[name] || p.folders[name] {
		return false
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if p.files[dir] {
			return false
		}
	}
	return true
}

func (p *archiveNames) keep(name string) {
	name = nameKey(name)
	p.files[name] = true
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		p.folders[dir] = true
	}
}

// nameKey is the same for names that differ only in case or normal form.
func nameKey(name string) string { return norm.NFC.String(strings.ToLower(name)) }

// maxPath and maxPart limit, in bytes, a name in an archive and each part of it.
const (
	maxPath = 1000
	maxPart = 200
)

// safeName reports whether an archive may use a name unchanged.
func safeName(name string) bool {
	if !fs.ValidPath(name) || name == "." || len(name) > maxPath || strings.ContainsAny(name, `\:*?"<>|`) {
		return false
	}
	for _, c := range name {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxPart || part[0] == '.' || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || isDevice(part) {
			return false
		}
	}
	return true
}

func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) && name[3] >= '0' && name[3] <= '9'
}
