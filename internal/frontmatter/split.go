// Package frontmatter splits files into front matter and content, byte for byte, and
// parses front matter as ordered JSON: YAML between "---", TOML between "+++", JSON
// between ";;;" or bare. It also edits single keys in place and merges by keys.
//
// It does not interpret keys; package importer does. YAML types are those of package
// yamlvalue.
package frontmatter

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

type Format uint8

// None means that a file has no front matter.
const (
	None Format = iota
	YAML
	TOML
	JSON
)

// Error is a fault in front matter. Lines count from the start of the file, including
// fences.
type Error = yamlvalue.Error

const byteOrderMark = "\uFEFF"

// fence is an opening line and the possible closing lines.
type fence struct {
	open   string
	close  []string
	format Format
}

func fences() []fence {
	return []fence{
		{"---", []string{"---", "..."}, YAML}, // as in Jekyll and MkDocs
		{"+++", []string{"+++"}, TOML},
		{";;;", []string{";;;"}, JSON},
	}
}

// Split splits a file after its front matter. raw includes fences, line ends and byte
// order mark, so that raw+body is the file; both share its memory.
//
// Unclosed front matter gives an *Error, and all of the file is body. A first line "---"
// only opens front matter if a key or the closing fence follows; otherwise it is a
// thematic break.
func Split(file []byte) (raw, body []byte, format Format, err error) {
	text := bytes.TrimPrefix(file, []byte(byteOrderMark))
	start := len(file) - len(text)
	var size int
	if len(text) > 0 && text[0] == '{' {
		format = JSON
		size, err = bareJSON(text)
	} else {
		size, format, err = fenced(text)
	}
	if size == 0 {
		return nil, file, None, err
	}
	return file[:start+size], file[start+size:], format, nil
}

// fenced returns the length of the front matter between fences.
func fenced(text []byte) (int, Format, error) {
	first, rest, _ := bytes.Cut(text, []byte("\n"))
	for _, f := range fences() {
		if !isFence(first, f.open) {
			continue
		}
		for len(rest) > 0 {
			line, after, _ := bytes.Cut(rest, []byte("\n"))
			for _, end := range f.close {
				if isFence(line, end) {
					return len(text) - len(after), f.format, nil
				}
			}
			rest = after
		}
		if f.format == YAML && !startsWithKey(text[len(first):]) {
			return 0, None, nil
		}
		return 0, None, &Error{Line: 1, Column: 1, Message: "the front matter that starts here is never closed by " + f.close[0]}
	}
	return 0, None, nil
}

// isFence reports whether a line is mark, ignoring trailing white space.
func isFence(line []byte, mark string) bool {
	return bytes.HasPrefix(line, []byte(mark)) && len(bytes.TrimRight(line, " \t\r")) == len(mark)
}

// startsWithKey reports whether the line after the fence looks like "key:".
func startsWithKey(text []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("\n")), []byte("\n"))
	key, _, found := bytes.Cut(line, []byte(":"))
	return found && len(key) > 0 && !bytes.ContainsAny(key, " \t\r<>[](){}*#")
}

// bareJSON returns the length of a JSON object at the start of text with its line end.
// Other braces, such as shortcodes or expressions, are not front matter.
func bareJSON(text []byte) (int, error) {
	inside := bytes.TrimLeft(text[1:], " \t\r\n")
	if len(inside) == 0 || inside[0] != '"' && inside[0] != '}' {
		return 0, nil
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
	if err := decoder.SkipValue(); err != nil {
		return 0, jsonError(text, err, decoder.InputOffset())
	}
	end := int(decoder.InputOffset())
	line, _, ended := bytes.Cut(text[end:], []byte("\n"))
	if len(bytes.TrimSpace(line)) > 0 {
		return 0, nil
	}
	end += len(line)
	if ended {
		end++
	}
	return end, nil
}

// jsonError converts an error of the JSON decoder.
func jsonError(text []byte, err error, offset int64) *Error {
	e := &Error{Message: err.Error()}
	if syntactic, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		offset = syntactic.ByteOffset
		e.Pointer = string(syntactic.JSONPointer)
		e.Message = fmt.Sprintf("is not valid JSON: %v", syntactic.Err)
		if errors.Is(err, jsontext.ErrDuplicateName) {
			e.Message = "occurs twice in one object"
		}
	}
	e.Line, e.Column = position(text, int(offset))
	return e
}

// position returns the line and column of a byte, from 1.
func position(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}
