// Package frontmatter divides a file into its front matter and its content,
// byte for byte, and reads the front matter as ordered JSON: YAML between
// "---", TOML between "+++", JSON between ";;;" or standing bare at the start.
// It writes single keys anew among the lines that are there, and merges by keys.
//
// It knows no member by name: what title or tags mean is the importer's
// business. YAML's types are those of package yamlvalue.
package frontmatter

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

// Format is the notation of front matter.
type Format uint8

// The formats. None means that a file has no front matter.
const (
	None Format = iota
	YAML
	TOML
	JSON
)

// Error is what is wrong with front matter. Lines count from the start of the
// file, fences included.
type Error = yamlvalue.Error

const byteOrderMark = "\uFEFF"

// fence is a line that opens front matter, and the lines that close it.
type fence struct {
	open   string
	close  []string
	format Format
}

func fences() []fence {
	return []fence{
		{"---", []string{"---", "..."}, YAML}, // as Jekyll and MkDocs close it
		{"+++", []string{"+++"}, TOML},
		{";;;", []string{";;;"}, JSON},
	}
}

// Split divides a file after its front matter. Raw has the fences, their line
// ends and a byte order mark with it, so that raw+body is the file again; both
// share the file's memory. A file without front matter is all body.
//
// A file that opens front matter and never closes it gives an *Error and is
// all body too. A first line "---" opens it only if a key or the other fence
// follows: otherwise it draws a line across the page.
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

// fenced returns how much of text is front matter between two fences.
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

// isFence reports whether a line consists of mark, leaving white space at its
// end aside.
func isFence(line []byte, mark string) bool {
	return bytes.HasPrefix(line, []byte(mark)) && len(bytes.TrimRight(line, " \t\r")) == len(mark)
}

// startsWithKey reports whether the line after the fence looks like "key:".
func startsWithKey(text []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("\n")), []byte("\n"))
	key, _, found := bytes.Cut(line, []byte(":"))
	return found && len(key) > 0 && !bytes.ContainsAny(key, " \t\r<>[](){}*#")
}

// bareJSON returns how much of text is a JSON object that stands before the
// content, its line end included. Braces that begin something else, such as a
// shortcode or an expression, are no front matter.
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

// jsonError turns an error of the JSON decoder into ours.
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

// position returns line and column, counted from 1, of a byte.
func position(text []byte, offset int) (line, column int) {
	before := text[:min(offset, len(text))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}
