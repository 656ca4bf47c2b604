package format

import (
	"io/fs"
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// places assigns names to the files of an archive. Each is unique by
// placeKey, stays inside its folder, and is valid on every system.
type places struct {
	files, folders map[string]bool // by placeKey
	next           map[string]int  // the next number for a name that is taken
}

func newPlaces() *places {
	return &places{map[string]bool{}, map[string]bool{}, map[string]int{}}
}

// take takes a name, or one with a number if that is taken.
func (p *places) take(name string) string {
	ext, key := path.Ext(name), placeKey(name)
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

func (p *places) free(name string) bool {
	name = placeKey(name)
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

func (p *places) keep(name string) {
	name = placeKey(name)
	p.files[name] = true
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		p.folders[dir] = true
	}
}

// placeKey is the same for names that differ only in case or normal form.
func placeKey(name string) string { return norm.NFC.String(strings.ToLower(name)) }

// maxPlace and maxPlaceName limit, in bytes, a name in an archive and each part of it.
const (
	maxPlace     = 1000
	maxPlaceName = 200
)

// safePlace reports whether an archive may use a name unchanged.
func safePlace(name string) bool {
	if !fs.ValidPath(name) || name == "." || len(name) > maxPlace || strings.ContainsAny(name, `\:*?"<>|`) {
		return false
	}
	for _, c := range name {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	for part := range strings.SplitSeq(name, "/") {
		if len(part) > maxPlaceName || part[0] == '.' || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") || isDevice(part) {
			return false
		}
	}
	return true
}

// isDevice reports whether Windows takes a name for a device, with any extension.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (strings.HasPrefix(name, "com") || strings.HasPrefix(name, "lpt")) && name[3] >= '0' && name[3] <= '9'
}
