package brought

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/merge"
)

// Kept is a conflict in which the local value stays.
type Kept struct {
	What       string // a key of front matter; "" for lines
	Line       int    // in the text of the file, from 0
	Here, File string // the local value and that of the file
}

// Value merges one value and returns its next base too. kept reports a conflict in which
// the local value stays.
func Value[T comparable](base, here, file T, overwrite bool) (next, nextBase T, kept bool) {
	switch {
	case file == base || file == here:
		return here, file, false
	case here == base || overwrite:
		return file, file, false
	}
	return here, base, true
}

// comparablePosition is a position that may be unset.
type comparablePosition struct {
	n   int64
	set bool
}

func toComparable(position *int64) comparablePosition {
	if position == nil {
		return comparablePosition{}
	}
	return comparablePosition{*position, true}
}

func (p comparablePosition) position() *int64 {
	if !p.set {
		return nil
	}
	return &p.n
}

// Position is Value for positions.
func Position(base, here, file *int64, overwrite bool) (next, nextBase *int64, kept bool) {
	n, b, kept := Value(toComparable(base), toComparable(here), toComparable(file), overwrite)
	return n.position(), b.position(), kept
}

// Front merges front matter by keys. Each argument is a compact object, or nil for none.
func Front(base, here, file json.RawMessage, overwrite bool) (next, nextBase json.RawMessage, kept []Kept, err error) {
	if n, _, both := Value(string(base), string(here), string(file), false); !both {
		if n == "" {
			return nil, file, nil, nil
		}
		return json.RawMessage(n), file, nil, nil
	}
	ours, theirs := here, file
	if overwrite {
		ours, theirs = file, here
	}
	next, _, keys, err := frontmatter.Merge(base, ours, theirs) // conflicts keep the local value
	if overwrite || err != nil {
		return object(next), file, nil, err
	}
	var sides [3]octavo.Value
	for i, side := range []json.RawMessage{base, here, file} {
		sides[i], _ = octavo.ValueOf(side) // empty without front matter
	}
	for _, key := range keys {
		kept = append(kept, Kept{What: key, Here: text(sides[1], key), File: text(sides[2], key)})
		before, found := sides[0].Get(key)
		sides[2].Kind = octavo.KindObject
		sides[2].Members = slices.DeleteFunc(slices.Clone(sides[2].Members), func(m octavo.Member) bool { return m.Name == key })
		if found {
			sides[2].Members = append(sides[2].Members, octavo.Member{Name: key, Value: before})
		}
	}
	if nextBase = file; len(keys) > 0 {
		nextBase = object(sides[2].AppendJSON(nil))
	}
	return object(next), nextBase, kept, nil
}

// object encodes merged front matter; an empty object becomes nil.
func object(front json.RawMessage) json.RawMessage {
	if string(front) == "{}" {
		return nil
	}
	return front
}

// text encodes the value of a key as JSON, "" if missing.
func text(v octavo.Value, key string) string {
	value, found := v.Get(key)
	if !found {
		return ""
	}
	return string(value.AppendJSON(nil))
}

// maxMerges limits how often a text is merged until the result is stable: after a merge
// the comparison may align other lines.
const maxMerges = 8

// Text merges texts by lines. If the file changed its line endings, the result has those.
// The next base has the changes of the file without the conflicts, so that the next import
// repeats the result.
func Text(base, here, file string, overwrite bool) (next, nextBase string, kept []Kept) {
	if ended := endedAs(file, base); ended != base && base != file {
		base, here = ended, endedAs(file, here)
	}
	if overwrite {
		return merge.Texts(base, file, here).Text, file, nil // conflicts take the file
	}
	var effort merge.Effort
	for range maxMerges {
		merged := effort.Texts(base, here, file)
		next, nextBase, kept = merged.Text, withoutConflicts(base, file, merged.Conflicts), nil
		ours, theirs := merge.Lines(here), merge.Lines(file)
		for _, c := range merged.Conflicts {
			kept = append(kept, Kept{
				Line: c.Theirs.From,
				Here: strings.Join(ours[c.Ours.From:c.Ours.To], ""), File: strings.Join(theirs[c.Theirs.From:c.Theirs.To], ""),
			})
		}
		if len(kept) == 0 || next == here && nextBase == base {
			break
		}
		here, base = next, nextBase
	}
	return next, nextBase, kept
}

// endedAs returns a text with the line endings of the file, if those are all alike.
func endedAs(file, text string) string {
	end := "\n"
	if n := strings.Count(file, "\r\n"); n > 0 {
		end = "\r\n"
		if n < strings.Count(file, "\n") {
			return text
		}
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if words, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimRight(words, "\r") + end
		}
		b.WriteString(line)
	}
	return b.String()
}

// withoutConflicts is the text of the file with the base at the conflicts.
func withoutConflicts(base, file string, conflicts []merge.Conflict) string {
	was, theirs, at := merge.Lines(base), merge.Lines(file), 0
	var text []string
	for _, c := range conflicts {
		text = append(append(text, theirs[at:c.Theirs.From]...), was[c.Base.From:c.Base.To]...)
		at = c.Theirs.To
	}
	return strings.Join(append(text, theirs[at:]...), "")
}
