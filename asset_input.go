package octavo

import (
	"strings"
	"unicode/utf8"
)

// AssetPatch is a merge patch of an asset's metadata (RFC 7396): nil keeps a member,
// and a pointer to nil removes it.
type AssetPatch struct {
	Alt, Caption **string
	Tags         *[]string // points to nil to remove them
}

// DecodeAssetMetadata reads the metadata of an upload, at path in the form. Unknown
// members are ignored, or errors if strict (decision 48).
func DecodeAssetMetadata(v Value, path string, strict bool) (AssetMetadata, error) {
	var faults Faults
	f := readObject(v, path, &faults)
	var m AssetMetadata
	m.Alt, m.Caption = f.assetText("alt"), f.assetText("caption")
	if list, ok := f.get("tags", KindArray); ok {
		m.Tags = f.assetTags(list.Items)
	}
	f.closed(strict)
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
	f.closed(strict)
	return p, faults.Err()
}

// Apply returns m with the patch applied.
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
	members := map[string]any{}
	if p.Alt != nil {
		members["alt"] = *p.Alt
	}
	if p.Caption != nil {
		members["caption"] = *p.Caption
	}
	if p.Tags != nil {
		members["tags"] = *p.Tags
	}
	return appendEncoded(dst, members)
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

// assetTags reads tags, which must be unique.
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
