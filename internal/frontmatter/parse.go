package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

// The limits of front matter.
const (
	MaxBytes = 1 << 20
	MaxDepth = yamlvalue.MaxDepth // nesting of arrays and objects
)

// Parse parses front matter from Split, including fences. The result is a compact JSON
// object with members in source order and exact numbers; dates are strings. It is nil if
// the text is not a mapping. Errors are *Error.
func Parse(raw []byte, format Format) (json.RawMessage, error) {
	if len(raw) > MaxBytes {
		return nil, &Error{Line: 1, Column: 1, Message: fmt.Sprintf("front matter is larger than %d bytes", MaxBytes)}
	}
	inner, lines := inside(raw)
	v, err := decode(inner, format)
	if e, ok := errors.AsType[*Error](err); ok {
		e.Line += lines
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	if v.Kind != octavo.KindObject {
		return nil, nil
	}
	return v.AppendJSON(nil), nil
}

// decode parses the text between the fences.
func decode(inner []byte, format Format) (octavo.Value, error) {
	switch format {
	case YAML:
		return yamlvalue.Decode(inner)
	case TOML:
		return decodeTOML(inner)
	case JSON:
		return decodeJSON(inner)
	}
	return octavo.Value{}, nil
}

// inside returns the text between the fences and the number of lines before it, or the
// text if there are none.
func inside(raw []byte) (inner []byte, lines int) {
	raw = bytes.TrimPrefix(raw, []byte(byteOrderMark))
	first, rest, _ := bytes.Cut(raw, []byte("\n"))
	for _, f := range fences() {
		if !isFence(first, f.open) {
			continue
		}
		trimmed := bytes.TrimRight(rest, "\n")
		last := bytes.LastIndexByte(trimmed, '\n') + 1
		for _, end := range f.close {
			if isFence(trimmed[last:], end) {
				rest = rest[:last]
				break
			}
		}
		return rest, 1
	}
	return raw, 0
}

func decodeJSON(text []byte) (octavo.Value, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return octavo.Value{}, nil
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text))
	values := 0
	for {
		_, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && decoder.StackDepth() > MaxDepth {
			err = errors.New(depthMessage())
		}
		if err == nil && decoder.StackDepth() == 0 {
			if values++; values > 1 {
				err = errors.New("more text follows the JSON value")
			}
		}
		if err != nil {
			return octavo.Value{}, jsonError(text, err, decoder.InputOffset())
		}
	}
	return octavo.ValueOf(text)
}

func depthMessage() string {
	return fmt.Sprintf("values are nested too deeply; at most %d levels are read", MaxDepth)
}
