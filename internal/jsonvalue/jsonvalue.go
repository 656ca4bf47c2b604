// Package jsonvalue decodes JSON from outside into [octavo.Value], more
// strictly than encoding/json: member names match by exact case later on,
// duplicate members, unpaired surrogates and bytes that are not UTF-8 are
// refused (decision 19, RFC 8259 sections 4 and 8).
//
// It knows no shapes; the nouns in package octavo check those.
package jsonvalue

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octavo-docs/octavo"
)

// MaxDepth is how many arrays and objects may be nested.
const MaxDepth = 64

// Error says what is wrong with a JSON text, and where.
type Error struct {
	Line, Column int    // counted from 1; columns in bytes
	Pointer      string // of the value at fault
	Message      string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Decode reads the one JSON value that src consists of. Every error is an
// *Error.
func Decode(src []byte) (octavo.Value, error) {
	d := &decoder{src: src, tokens: jsontext.NewDecoder(bytes.NewBuffer(src))}
	v, err := d.value(0)
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return octavo.Value{}, d.explain(err)
	}
	return v, nil
}

type decoder struct {
	src    []byte
	tokens *jsontext.Decoder
}

var errDepth = errors.New("values are nested too deeply; at most 64 levels are read")

var errMore = errors.New("more text follows the JSON value")

func (d *decoder) value(depth int) (octavo.Value, error) {
	tok, err := d.tokens.ReadToken()
	if err != nil {
		return octavo.Value{}, err
	}
	switch tok.Kind() {
	case 't', 'f':
		return octavo.Value{Kind: octavo.KindBool, Bool: tok.Bool()}, nil
	case '"':
		return octavo.String(tok.String()), nil
	case '0':
		return octavo.Value{Kind: octavo.KindNumber, Str: tok.String()}, nil
	case '[':
		return d.array(depth + 1)
	case '{':
		return d.object(depth + 1)
	}
	return octavo.Value{}, nil
}

func (d *decoder) array(depth int) (octavo.Value, error) {
	v := octavo.Value{Kind: octavo.KindArray}
	if depth > MaxDepth {
		return v, errDepth
	}
	for d.tokens.PeekKind() != ']' {
		item, err := d.value(depth)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
	}
	_, err := d.tokens.ReadToken()
	return v, err
}

func (d *decoder) object(depth int) (octavo.Value, error) {
	v := octavo.Value{Kind: octavo.KindObject}
	if depth > MaxDepth {
		return v, errDepth
	}
	for d.tokens.PeekKind() != '}' {
		name, err := d.tokens.ReadToken()
		if err != nil {
			return v, err
		}
		text := name.String() // before the next read, which reuses the buffer
		item, err := d.value(depth)
		if err != nil {
			return v, err
		}
		v.Members = append(v.Members, octavo.Member{Name: text, Value: item})
	}
	_, err := d.tokens.ReadToken()
	return v, err
}

// end makes sure that nothing but white space follows.
func (d *decoder) end() error {
	_, err := d.tokens.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	return errMore
}

// explain turns the library's error into ours.
func (d *decoder) explain(err error) *Error {
	e := &Error{Message: err.Error(), Pointer: string(d.tokens.StackPointer())}
	offset := d.tokens.InputOffset()
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset, e.Pointer = syntactic.ByteOffset, string(syntactic.JSONPointer)
		e.Message = "is not valid JSON: " + strings.TrimPrefix(syntactic.Err.Error(), "jsontext: ")
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		e.Message = "occurs twice in one object"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		e.Message = "is not valid JSON: the text ends too early"
		offset = int64(len(d.src))
	}
	before := d.src[:min(offset, int64(len(d.src)))]
	e.Line = 1 + bytes.Count(before, []byte("\n"))
	e.Column = len(before) - bytes.LastIndexByte(before, '\n')
	return e
}
