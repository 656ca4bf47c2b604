// Package yamlvalue decodes YAML from outside into [octavo.Value]: the scalar
// types of the YAML 1.2 core schema, one document, no duplicate keys, and
// bounds on depth and aliases (decision 19).
//
// The library go.yaml.in/yaml/v4 supplies the syntax tree alone. Its own
// notion of types is not used, since it keeps habits of YAML 1.1: 017 would be
// 15, 1_000 would be 1000 and 2024-01-02 would be a time. It knows no shapes;
// the nouns in package octavo check those.
package yamlvalue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"

	"github.com/octavo-docs/octavo"
)

// Limits of Decode. The caller limits the size of the source.
const (
	MaxDepth      = 64      // of sequences and mappings within each other, aliases followed
	maxAliasNodes = 10_000  // that all aliases together may stand for
	maxAliasBytes = 1 << 20 // of text that all aliases together may stand for
)

const tooDeep = "values are nested too deeply; at most 64 levels are read"

// Error says what is wrong with a YAML text, and where.
type Error struct {
	Line, Column int    // counted from 1; columns in characters
	Pointer      string // JSON Pointer of the value at fault, as far as it is known
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Decode reads the one YAML document that src holds, in UTF-8; a source
// without any is null. Members keep their order and numbers their digits. Keys
// that are not strings become the text that was written. Every error is an
// *Error.
func Decode(src []byte) (octavo.Value, error) {
	if err := checkText(src); err != nil {
		return octavo.Value{}, err
	}
	root, err := compose(withoutVersion(src))
	if err != nil {
		return octavo.Value{}, explain(err)
	}
	if root == nil {
		return octavo.Value{}, nil
	}
	c := &converter{}
	v, fault := c.value(root, 0)
	if fault != nil {
		return octavo.Value{}, fault
	}
	return v, nil
}

// withoutVersion returns src with a %YAML 1.x directive at its head that the
// library takes, which knows only 1.1; types are resolved here in any case. The
// length stays, and so do lines and columns.
func withoutVersion(src []byte) []byte {
	rest := src
	for len(rest) > 0 && (rest[0] == '#' || rest[0] == '\n' || rest[0] == '\r') {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	const directive = "%YAML 1."
	if !bytes.HasPrefix(rest, []byte(directive)) || len(rest) == len(directive) {
		return src
	}
	changed := bytes.Clone(src)
	changed[len(src)-len(rest)+len(directive)] = '1'
	return changed
}

// compose parses the only document of src; it returns nil when there is none.
func compose(src []byte) (*yaml.Node, error) {
	depth := loaderlimits.DepthFunc(func(depth int, _ *yaml.DepthContext) error {
		if depth > MaxDepth {
			return errors.New(tooDeep)
		}
		return nil
	})
	// Aliases are counted while they are followed, which the library never does.
	loader, err := yaml.NewLoader(bytes.NewReader(src), yaml.WithPlugin(loaderlimits.New(depth, loaderlimits.AliasNone())))
	if err != nil {
		return nil, fmt.Errorf("prepare the YAML loader: %w", err)
	}
	var first, second yaml.Node
	if err := loader.Load(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, &Error{Line: second.Line, Column: second.Column, Message: "a second document starts here; only one is read"}
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}

// explain turns the library's error into ours.
func explain(err error) *Error {
	if own, ok := errors.AsType[*Error](err); ok {
		return own
	}
	var load *yaml.LoadError
	if !errors.As(err, &load) {
		return &Error{Line: 1, Column: 1, Message: "is not valid YAML: " + err.Error()}
	}
	mark := load.Mark
	if mark.Line == 0 {
		mark = load.ContextMark
	}
	return &Error{Line: max(mark.Line, 1), Column: max(mark.Column, 1), Message: "is not valid YAML: " + load.Message}
}

// checkText finds the first character that no YAML text may hold (YAML 1.2.2
// section 5.1). The library would find it as well, but not tell the line.
func checkText(src []byte) error {
	for at := 0; at < len(src); {
		r, size := utf8.DecodeRune(src[at:])
		message := ""
		switch {
		case r == utf8.RuneError && size == 1:
			message = "is not UTF-8 text"
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r == '\uFFFE', r == '\uFFFF':
			message = fmt.Sprintf("the character %U is not allowed; write it as an escape in double quotes", r)
		}
		if message != "" {
			before := src[:at]
			return &Error{
				Line:    1 + bytes.Count(before, []byte("\n")),
				Column:  1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]),
				Message: message,
			}
		}
		at += size
	}
	return nil
}
