// Package brought computes what an import changes on a page of an earlier import: the
// changes of its file since then. Local changes stay. If both have changed, texts are
// merged by lines and front matter by keys. On a conflict the page stays as it is,
// unless the import overwrites it.
package brought

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/octavo-docs/octavo"
)

// Base is what an import brought to a page, without the text. The next import compares
// with it. Where something could not be merged, it has what the file said before.
type Base struct {
	Title    string          `json:"title"`
	Slug     string          `json:"slug"`
	Parent   octavo.ID       `json:"parentId,omitempty"`
	Position *int64          `json:"position,omitempty"`
	Front    json.RawMessage `json:"frontmatter,omitempty"` // compact; nil for none
	Raw      Sum             `json:"rawSha256"`             // of the front matter as the file has it
	Sum      Sum             `json:"sha256"`                // of the text as the file has it
	Open     bool            `json:"open,omitempty"`        // parts of that were not merged: the text of the base is another
}

// Equal reports whether two bases say the same.
func (b Base) Equal(o Base) bool { return reflect.DeepEqual(b, o) }

// Sum is that of a text.
type Sum [sha256.Size]byte

// MarshalText implements encoding.TextMarshaler.
func (s Sum) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Sum) UnmarshalText(text []byte) error {
	sum, err := hex.AppendDecode(nil, text)
	if err == nil && len(sum) != len(s) {
		err = errors.New("it is not a SHA-256 sum")
	}
	copy(s[:], sum)
	return err
}

// stored is a base as a server keeps it beside a page.
type stored struct {
	Base
	Content *string `json:"content,omitempty"`
}

// Object returns the base as a server keeps it beside a page. Nil stands for a text that
// is the one of the page.
func (b Base) Object(text *string) (json.RawMessage, error) {
	var object bytes.Buffer
	enc := json.NewEncoder(&object)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(stored{b, text}); err != nil {
		return nil, fmt.Errorf("write what is imported as JSON: %w", err)
	}
	v, err := octavo.ValueOf(object.Bytes())
	if err != nil {
		return nil, fmt.Errorf("read what is imported as JSON: %w", err)
	}
	return v.AppendJSON(nil), nil
}

// Read reads what Object made, and the text beside it. Nothing, or what something else
// than an import kept there, is not ok.
func Read(object json.RawMessage) (b Base, text *string, ok bool) {
	var s stored
	if len(object) == 0 || json.Unmarshal(object, &s) != nil || s.Sum == (Sum{}) {
		return b, nil, false
	}
	if s.Front != nil {
		front, err := octavo.ValueOf(s.Front)
		if s.Front = front.AppendJSON(nil); err != nil {
			return b, nil, false
		}
	}
	return s.Base, s.Content, true
}
