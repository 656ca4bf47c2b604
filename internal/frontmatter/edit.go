package frontmatter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
)

// Edit is a change of one top-level key.
type Edit struct {
	Key   string
	Value json.RawMessage // nil removes the key
}

// ErrWhole says that edits cannot be made in the bytes that are there: front
// matter has to be written anew.
var ErrWhole = errors.New("the front matter cannot be edited in place")

// Apply returns front matter, as Split returned it, with some top-level keys
// changed. All other bytes stay as they are. The result means exactly what the
// edits ask for; where that cannot be had, the error is ErrWhole.
//
// A value is replaced where it stands, in the style of the one before it, and a
// comment on the line of its key stays; comments between its lines go. A removed
// key takes the comment lines directly above it along. A new key goes to the end;
// in TOML to the end of the keys before the first table, unless it becomes a
// table itself. Where no key is left, an empty object is written.
func Apply(raw []byte, format Format, edits []Edit) ([]byte, error) {
	if len(edits) == 0 {
		return raw, nil
	}
	present, err := parseAll(raw, format)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWhole, err)
	}
	changes, wanted, err := compare(present, edits)
	if err != nil {
		return nil, err
	}
	if len(changes) == 0 {
		return raw, nil
	}
	result, err := apply(raw, format, changes, len(wanted.Members) == 0)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWhole, err)
	}
	have, err := parseAll(result, format)
	if err == nil && canonical(have) != canonical(wanted) {
		err = errors.New("the result would mean something else")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrWhole, err)
	}
	return result, nil
}

// parseAll reads front matter; raw must be that and nothing else.
func parseAll(raw []byte, format Format) (octavo.Value, error) {
	whole, _, found, err := Split(raw)
	if err != nil {
		return octavo.Value{}, err
	}
	if found != format || len(whole) != len(raw) {
		return octavo.Value{}, errors.New("it is not front matter of this format")
	}
	text, err := Parse(raw, format)
	if err != nil {
		return octavo.Value{}, err
	}
	return objectOf(text)
}

// change is an edit that changes something.
type change struct {
	key   string
	value *octavo.Value // nil removes the key
}

// compare returns the edits that change something, and the object that they
// make of the present one.
func compare(present octavo.Value, edits []Edit) ([]change, octavo.Value, error) {
	values := make(map[string]*octavo.Value, len(edits))
	for _, e := range edits {
		values[e.Key] = nil
		if e.Value != nil {
			v, err := octavo.ValueOf(e.Value)
			if err != nil {
				return nil, v, fmt.Errorf("read the value of %q: %w", e.Key, err)
			}
			values[e.Key] = &v
		}
	}
	var changes []change
	wanted := octavo.Object()
	for _, m := range present.Members {
		value, found := values[m.Name]
		delete(values, m.Name)
		if found && (value == nil || canonical(*value) != canonical(m.Value)) {
			changes = append(changes, change{m.Name, value})
		} else {
			value = &m.Value
		}
		if value != nil {
			wanted.Members = append(wanted.Members, octavo.Member{Name: m.Name, Value: *value})
		}
	}
	for _, e := range edits {
		if value := values[e.Key]; value != nil {
			delete(values, e.Key)
			changes = append(changes, change{e.Key, value})
			wanted.Members = append(wanted.Members, octavo.Member{Name: e.Key, Value: *value})
		}
	}
	return changes, wanted, nil
}

// apply makes the changes between the fences.
func apply(raw []byte, format Format, changes []change, empty bool) ([]byte, error) {
	inner, fenced := inside(raw)
	start := len(raw) - len(inner)
	if fenced > 0 {
		start = bytes.IndexByte(raw, '\n') + 1
	}
	end := raw[start+len(inner):]
	d := draft{src: inner}
	var err error
	switch format {
	case YAML:
		err = d.editYAML(changes, empty)
	case TOML:
		err = d.editTOML(changes)
	case JSON:
		err = d.editJSON(changes)
	}
	eol := "\n"
	if first := bytes.IndexByte(raw, '\n'); first > 0 && raw[first-1] == '\r' {
		eol = "\r\n"
	}
	return slices.Concat(raw[:start], d.text(eol), end), err
}
