package octavo

import (
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of an asset. The contract sets none; stored text needs some.
const (
	MaxAssetName     = 200       // bytes
	MaxAssetText     = 10_000    // code points of alt and of caption
	MaxAssetTags     = 100       // tags of one asset
	MaxAssetTag      = 200       // code points of a tag
	MaxAssetMetadata = 256 << 10 // bytes of the metadata part of a form
	MaxAssetSource   = 1000      // bytes of the path of an imported file
)

// Asset is an uploaded file as it is read. Its bytes never change, and are at
// URL; the metadata can be changed.
type Asset struct {
	ID          ID            `json:"id"`
	URL         string        `json:"url"` // computed from key and name when it is read
	ContentType string        `json:"contentType"`
	Size        int64         `json:"size"` // bytes
	Metadata    AssetMetadata `json:"metadata"`

	// Beyond the contract.
	SHA256    string    `json:"sha256"`           // of the bytes, in hexadecimal
	Name      string    `json:"name"`             // of the file, as SafeName makes it
	Width     int       `json:"width,omitempty"`  // of an image, in pixels; 0 where unknown
	Height    int       `json:"height,omitempty"` // of an image, in pixels; 0 where unknown
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	Source    string    `json:"source,omitempty"` // path of the imported file, with forward slashes

	// References is how a page names the asset, in include=assets alone.
	References []string `json:"references,omitempty"`

	Version int64  `json:"-"` // rises with every change
	Key     string `json:"-"` // the part of the address that cannot be guessed
}

// AssetMetadata describes an asset; nil leaves a member out.
type AssetMetadata struct {
	Alt     *string  `json:"alt,omitempty"`
	Caption *string  `json:"caption,omitempty"`
	Tags    []string `json:"tags,omitempty"` // each once
}

// AssetPatch is a merge patch of the metadata of an asset (RFC 7396): a nil
// member stays, one that points to nil is removed.
type AssetPatch struct {
	Alt, Caption **string
	Tags         *[]string // points to nil to remove them
}

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

// DecodeAssetMetadata reads the metadata of an upload, at path in the form.
// Unknown members are ignored, or faults when strict (decision 48).
func DecodeAssetMetadata(v Value, path string, strict bool) (AssetMetadata, error) {
	var faults Faults
	f := readObject(v, path, &faults)
	var m AssetMetadata
	m.Alt, m.Caption = f.assetText("alt"), f.assetText("caption")
	if list, ok := f.get("tags", KindArray); ok {
		m.Tags = f.assetTags(list.Items)
	}
	if strict {
		f.closed()
	}
	return m, faults.Err()
}

// DecodeAssetPatch reads a merge patch of metadata.
func DecodeAssetPatch(v Value, strict bool) (AssetPatch, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	p := AssetPatch{Alt: f.assetPatch("alt"), Caption: f.assetPatch("caption")}
	if list, ok := f.nullable("tags", KindArray); ok {
		var tags []string
		if list.Kind == KindArray {
			tags = f.assetTags(list.Items)
		}
		p.Tags = &tags
	}
	if strict {
		f.closed()
	}
	return p, faults.Err()
}

// Apply returns the metadata with the patch.
func (p AssetPatch) Apply(m AssetMetadata) AssetMetadata {
	set := func(dest **string, patch **string) {
		if patch != nil {
			*dest = *patch
		}
	}
	set(&m.Alt, p.Alt)
	set(&m.Caption, p.Caption)
	if p.Tags != nil {
		m.Tags = *p.Tags
	}
	return m
}

// AppendJSON appends the patch as a client sends it.
func (p AssetPatch) AppendJSON(dst []byte) []byte {
	sep := byte('{')
	member := func(name string, value func()) {
		dst = append(append(append(dst, sep, '"'), name...), `":`...)
		sep = ','
		value()
	}
	text := func(s *string) func() {
		return func() {
			if s == nil {
				dst = append(dst, "null"...)
				return
			}
			dst = AppendString(dst, *s)
		}
	}
	if p.Alt != nil {
		member("alt", text(*p.Alt))
	}
	if p.Caption != nil {
		member("caption", text(*p.Caption))
	}
	if p.Tags != nil && *p.Tags != nil {
		member("tags", func() { dst = appendStrings(dst, *p.Tags) })
	} else if p.Tags != nil {
		member("tags", text(nil))
	}
	if sep == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

func (f *fields) assetText(name string) *string {
	s := f.str(name)
	if s != nil {
		f.checkAssetText(Pointer(f.path, name), *s, MaxAssetText)
	}
	return s
}

func (f *fields) assetPatch(name string) **string {
	v, ok := f.nullable(name, KindString)
	if !ok {
		return nil
	}
	var text *string
	if v.Kind == KindString {
		f.checkAssetText(Pointer(f.path, name), v.Str, MaxAssetText)
		text = &v.Str
	}
	return &text
}

func (f *fields) checkAssetText(path, s string, most int) {
	if n := utf8.RuneCountInString(s); n > most {
		f.faults.Add(path, "must have at most %d characters; it has %d", most, n)
	}
	if strings.ContainsRune(s, 0) {
		f.faults.Add(path, "must not contain the NUL character")
	}
}

// assetTags reads tags, each of which may be given once.
func (f *fields) assetTags(items []Value) []string {
	path := Pointer(f.path, "tags")
	if len(items) > MaxAssetTags {
		f.faults.Add(path, "must have at most %d tags; it has %d", MaxAssetTags, len(items))
		return nil
	}
	tags, seen := []string{}, map[string]int{}
	for i, item := range items {
		at := PointerIndex(path, i)
		if item.Kind != KindString {
			f.faults.Add(at, "must be a string, not %s", article(item.Kind))
			continue
		}
		if first, twice := seen[item.Str]; twice {
			f.faults.Add(at, "repeats the tag at %s; each may be given once", PointerIndex(path, first))
			continue
		}
		seen[item.Str] = i
		f.checkAssetText(at, item.Str, MaxAssetTag)
		if item.Str == "" {
			f.faults.Add(at, "must not be empty")
		}
		tags = append(tags, item.Str)
	}
	return tags
}

// Empty reports whether nothing is said.
func (m AssetMetadata) Empty() bool { return m.Alt == nil && m.Caption == nil && m.Tags == nil }

// AppendJSON appends the asset in the contract's shape; absent members are
// left out.
func (a *Asset) AppendJSON(dst []byte) []byte {
	dst = append(append(dst, `{"id":"`...), a.ID...)
	dst = AppendString(append(dst, `","url":`...), a.URL)
	dst = AppendString(append(dst, `,"contentType":`...), a.ContentType)
	dst = strconv.AppendInt(append(dst, `,"size":`...), a.Size, 10)
	if !a.Metadata.Empty() {
		dst = a.Metadata.AppendJSON(append(dst, `,"metadata":`...))
	}
	dst = AppendString(append(dst, `,"sha256":`...), a.SHA256)
	dst = AppendString(append(dst, `,"name":`...), a.Name)
	if a.Width > 0 && a.Height > 0 {
		dst = strconv.AppendInt(append(dst, `,"width":`...), int64(a.Width), 10)
		dst = strconv.AppendInt(append(dst, `,"height":`...), int64(a.Height), 10)
	}
	dst = AppendTime(append(dst, `,"createdAt":`...), a.CreatedAt)
	dst = AppendTime(append(dst, `,"updatedAt":`...), a.UpdatedAt)
	if a.Source != "" {
		dst = AppendString(append(dst, `,"source":`...), a.Source)
	}
	if len(a.References) > 0 {
		dst = appendStrings(append(dst, `,"references":`...), a.References)
	}
	return append(dst, '}')
}

// AppendJSON appends the metadata; absent members are left out.
func (m AssetMetadata) AppendJSON(dst []byte) []byte {
	sep := byte('{')
	member := func(name string) {
		dst = append(append(append(dst, sep, '"'), name...), `":`...)
		sep = ','
	}
	if m.Alt != nil {
		member("alt")
		dst = AppendString(dst, *m.Alt)
	}
	if m.Caption != nil {
		member("caption")
		dst = AppendString(dst, *m.Caption)
	}
	if m.Tags != nil {
		member("tags")
		dst = appendStrings(dst, m.Tags)
	}
	if sep == '{' {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		dst = AppendString(appendComma(dst, i), s)
	}
	return append(dst, ']')
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
	name = strings.TrimLeft(strings.TrimSpace(name), ".")
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

// CheckAssetSource returns what is wrong with the path of an imported file, or
// "": it is relative, clean and has forward slashes.
func CheckAssetSource(source string) string {
	switch {
	case len(source) > MaxAssetSource:
		return "must have at most 1000 bytes"
	case !utf8.ValidString(source) || strings.ContainsFunc(source, unicode.IsControl):
		return "must be UTF-8 without control characters"
	case source == "" || path.Clean(source) != source || path.IsAbs(source) || source == "." || source == ".." || strings.HasPrefix(source, "../"):
		return "must be a path below the root of the imported tree, such as img/logo.png"
	}
	return ""
}
