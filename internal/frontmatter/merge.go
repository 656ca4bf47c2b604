package frontmatter

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
)

// Merge merges three JSON objects by top-level keys. Empty input and null are empty
// objects. merged has the keys of present in order, then new keys in the order of
// proposed; other reports whether it differs from present. conflicts are the keys that
// both changed differently; merged has their present values.
//
// Values are compared by meaning: members in any order, numbers by their digits.
func Merge(base, present, proposed json.RawMessage) (merged json.RawMessage, other bool, conflicts []string, err error) {
	var sides [3]octavo.Value
	var members [3]map[string]octavo.Value
	for i, text := range []json.RawMessage{base, present, proposed} {
		if sides[i], err = objectOf(text); err != nil {
			return nil, false, nil, err
		}
		members[i] = make(map[string]octavo.Value, len(sides[i].Members))
		for _, m := range sides[i].Members {
			members[i][m.Name] = m.Value
		}
	}
	text := func(side int, key string) string { // "" if missing
		if v, found := members[side][key]; found {
			return canonical(v)
		}
		return ""
	}
	result := octavo.Object()
	done := make(map[string]bool, len(members[1]))
	for _, m := range slices.Concat(sides[1].Members, sides[2].Members) {
		if done[m.Name] {
			continue
		}
		done[m.Name] = true
		before, ours, theirs := text(0, m.Name), text(1, m.Name), text(2, m.Name)
		value, found := members[1][m.Name]
		switch {
		case ours == theirs || theirs == before:
		case ours != before:
			conflicts = append(conflicts, m.Name)
		default:
			value, found = members[2][m.Name]
			other = true
		}
		if found {
			result.Members = append(result.Members, octavo.Member{Name: m.Name, Value: value})
		}
	}
	return result.AppendJSON(nil), other, conflicts, nil
}

// objectOf parses the result of Parse; empty input is an empty object.
func objectOf(text json.RawMessage) (octavo.Value, error) {
	if len(text) == 0 || string(text) == "null" {
		return octavo.Object(), nil
	}
	v, err := octavo.ValueOf(text)
	if err == nil && v.Kind != octavo.KindObject {
		err = fmt.Errorf("it is of type %s", v.Kind)
	}
	if err != nil {
		return v, fmt.Errorf("read front matter as a JSON object: %w", err)
	}
	return v, nil
}

// canonical returns a text that is equal for equal values.
func canonical(v octavo.Value) string { return string(sorted(v).AppendJSON(nil)) }

// sorted returns v with the members of all objects sorted by name.
func sorted(v octavo.Value) octavo.Value {
	v.Items, v.Members = slices.Clone(v.Items), slices.Clone(v.Members)
	for i := range v.Items {
		v.Items[i] = sorted(v.Items[i])
	}
	for i := range v.Members {
		v.Members[i].Value = sorted(v.Members[i].Value)
	}
	slices.SortFunc(v.Members, func(a, b octavo.Member) int { return strings.Compare(a.Name, b.Name) })
	return v
}
