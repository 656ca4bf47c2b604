package octavo

import (
	"strconv"
	"time"
)

// Limits of an asset. The contract sets none, but stored text needs some.
const (
	MaxAssetName     = 200       // bytes
	MaxAssetText     = 10_000    // code points of alt and of caption
	MaxAssetTags     = 100       // tags of one asset
	MaxAssetTag      = 200       // code points of a tag
	MaxAssetMetadata = 256 << 10 // bytes of the metadata part of a form
	MaxAssetSource   = 1000      // bytes of the path of an imported file
)

// Asset is an uploaded file as clients see it. Its bytes, at URL, never change; the
// metadata can.
type Asset struct {
	ID          ID            `json:"id"`
	URL         string        `json:"url"` // computed from key and name when read
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
	Source    string    `json:"source,omitempty"`  // path of the imported file, with forward slashes
	Pending   bool      `json:"pending,omitempty"` // uploaded for a proposal that is not merged

	// References are a page's references to the asset, only with include=assets.
	References []string `json:"references,omitempty"`

	Version int64  `json:"-"` // rises with every change
	Key     string `json:"-"` // the part of the address that cannot be guessed
}

// AssetMetadata describes an asset; nil omits a member.
type AssetMetadata struct {
	Alt     *string  `json:"alt,omitempty"`
	Caption *string  `json:"caption,omitempty"`
	Tags    []string `json:"tags,omitempty"` // each once
}

// Empty reports whether no member is set.
func (m AssetMetadata) Empty() bool { return m.Alt == nil && m.Caption == nil && m.Tags == nil }

// AppendJSON appends the asset in the contract's shape, without absent members.
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
	if a.Pending {
		dst = append(dst, `,"pending":true`...)
	}
	if len(a.References) > 0 {
		dst = appendStrings(append(dst, `,"references":`...), a.References)
	}
	return append(dst, '}')
}

// AppendJSON appends the metadata without absent members.
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
