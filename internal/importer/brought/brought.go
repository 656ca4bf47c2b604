// Package brought computes the changes of an import to a page of an earlier import: what
// the file changed since then. Local changes stay. If both changed, texts are merged by
// lines and front matter by keys. On a conflict the local value stays, unless the import
// overwrites it.
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

// Base is the state of a file at the last import, without the text. The next import
// compares with it. After a conflict it has the earlier value.
type Base struct {
	Title    string          `json:"title"`
	Slug     string          `json:"slug"`
	Parent   octavo.ID       `json:"parentId,omitempty"`
	Position *int64          `json:"position,omitempty"`
	Front    json.RawMessage `json:"frontmatter,omitempty"` // compact; nil for none
	Raw      Sum             `json:"rawSha256"`             // of the front matter as the file has it
	Sum      Sum             `json:"sha256"`                // of the text in the file
	Open     bool            `json:"open,omitempty"`        // the text has conflicts, so the text of the base differs from the file
}

func (b Base) Equal(o Base) bool { return reflect.DeepEqual(b, o) }

// Sum is the hash of a text.
type Sum [sha256.Size]byte

func (s Sum) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

func (s *Sum) UnmarshalText(text []byte) error {
	sum, err := hex.AppendDecode(nil, text)
	if err == nil && len(sum) != len(s) {
		err = errors.New("it is not a SHA-256 sum")
	}
	copy(s[:], sum)
	return err
}

// stored is the format in which a server keeps a base.
type stored struct {
	Base
	Content *string `json:"content,omitempty"`
}

// Object encodes the base for a server. A nil text means that the page has the text of
// the base.
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

// Read decodes the result of Object and the text. ok is false for anything else.
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
