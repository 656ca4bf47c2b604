package octavo

import (
	"net/url"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"
)

// assetFiles is below which path the bytes of assets are served.
const assetFiles = "/files/"

// AssetPath returns the path of the address of an asset: its key, which cannot
// be guessed, and its name, which is for people.
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

// NamedAssets adds to names what a text may call assets: their identifiers, and the
// keys of their addresses.
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

// SafeName makes a name of a file that can be shown, stored and sent in a
// header: the last part of a path, without control characters, without those
// that change the direction of text, and with at most MaxAssetName bytes, of
// which an extension is kept. Letters of every script stay. What has no name
// left is called file.
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
			return '_' // not allowed in names of files everywhere
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

// CheckImportSet returns what is wrong with the name of a set of imported pages,
// or "".
func CheckImportSet(name string) string {
	if utf8.RuneCountInString(name) > MaxTitle || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.TrimSpace(name) != name {
		return "must have at most 120 characters of UTF-8, no control characters, and no spaces at its ends"
	}
	return ""
}

// CheckAssetSource returns what is wrong with the path of an imported file, or
// "": it is relative, clean and has forward slashes, and is not of a repository of Git.
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
