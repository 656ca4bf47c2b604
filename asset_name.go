package octavo

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// assetFiles is the path prefix of the bytes of assets.
const assetFiles = "/files/"

// AssetPath returns the path of an asset's address: its key, which cannot be guessed,
// and its name, which is for people.
func AssetPath(key, name string) string { return assetFiles + key + "/" + url.PathEscape(name) }

// AssetKey returns the key in the path of an asset's address, or "".
func AssetKey(path string) string {
	rest, ok := strings.CutPrefix(path, assetFiles)
	key, _, named := strings.Cut(rest, "/")
	if !ok || !named {
		return ""
	}
	return key
}

// NamedAssets adds what text may use to refer to assets to names: their identifiers,
// and the keys of their addresses.
func NamedAssets(text string, names map[string]bool) {
	const id = string(PrefixAsset) + "_"
	for _, before := range []string{id, assetFiles} {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, before)
			if !found {
				break
			}
			n := 0
			for n < len(after) && n < suffixLen && (after[n]|0x20 >= 'a' && after[n]|0x20 <= 'z' || after[n] >= '0' && after[n] <= '9') {
				n++
			}
			switch {
			case before == id && n == suffixLen:
				names[id+after[:n]] = true
			case before == assetFiles && n > 0 && strings.HasPrefix(after[n:], "/"):
				names[after[:n]] = true
			}
			rest = after[n:]
		}
	}
}

// SafeName makes a file name that can be shown, stored and sent in a header: the last
// part of a path, without control characters and marks of text direction, with at most
// MaxAssetName bytes, of which the extension is kept. It keeps letters of every script.
// If nothing is left, the name is file.
func SafeName(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if i := strings.LastIndexAny(name, `/\`); i >= 0 {
		name = name[i+1:]
	}
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029', r == '\uFEFF', unicode.Is(unicode.Bidi_Control, r):
			return -1
		case strings.ContainsRune(`"<>:|?*`, r):
			return '_' // not allowed in file names everywhere
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, name)
	name = strings.TrimLeft(name, " .")
	if len(name) > MaxAssetName {
		ext := path.Ext(name)
		if len(ext) > 20 || !utf8.ValidString(ext) {
			ext = ""
		}
		name = strings.ToValidUTF8(name[:MaxAssetName-len(ext)], "") + ext
	}
	if name = strings.TrimRight(name, " ."); name == "" {
		return "file"
	}
	return name
}

// CheckImportSet returns what is wrong with the name of an import set, or "".
func CheckImportSet(name string) string {
	if utf8.RuneCountInString(name) > MaxTitle || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.TrimSpace(name) != name {
		return "must have at most 120 characters of UTF-8, no control characters, and no spaces at its ends"
	}
	return ""
}

// CheckAssetSource returns what is wrong with the path of an imported file, or "". It
// must be relative and clean, with forward slashes, and not inside a .git folder.
func CheckAssetSource(source string) string {
	switch {
	case len(source) > MaxAssetSource:
		return "must have at most 1000 bytes"
	case !utf8.ValidString(source) || strings.ContainsFunc(source, unicode.IsControl):
		return "must be UTF-8 without control characters"
	case source == "" || path.Clean(source) != source || path.IsAbs(source) || source == "." || source == ".." || strings.HasPrefix(source, "../"), strings.Contains("/"+strings.ToLower(source)+"/", "/.git/"):
		return "must be a path below the root of the imported tree, such as img/logo.png"
	}
	return ""
}
