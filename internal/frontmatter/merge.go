package frontmatter

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
)

// Merge merges front matter as three JSON objects by their top-level keys: what
// each side changed. Nothing and null count as an empty object. Merged has the
// keys of present in their order, then new ones in that of proposed; other reports
// whether it means something else than present. Conflicts are the keys that both sides
// changed differently, in the same order; merged has them as present does.
//
// Values are equal if they mean the same: objects in whatever order their members
// are written, numbers only where they have the same digits.
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
	text := func(side int, key string) string { // "" where there is no such key
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

// objectOf reads front matter as Parse returned it; nothing is an empty object.
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

// canonical returns a text that two values share if and only if they are equal.
func canonical(v octavo.Value) string { return string(sorted(v).AppendJSON(nil)) }

// sorted returns v with the members of all objects in the order of their names.
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
