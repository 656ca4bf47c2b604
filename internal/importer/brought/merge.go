package brought

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/merge"
)

// Kept is something that was changed here and in the file, in different ways. It stays
// as it is here.
type Kept struct {
	What       string // a key of front matter; "" for lines
	Line       int    // of the file's text, from 0
	Here, File string // as it is here, and as the file has it
}

// Value returns what becomes of a member, and its next base. kept reports whether it
// stays though the file has another.
func Value[T comparable](base, here, file T, overwrite bool) (next, nextBase T, kept bool) {
	switch {
	case file == base || file == here:
		return here, file, false
	case here == base || overwrite:
		return file, file, false
	}
	return here, base, true
}

// place is a position that can be compared.
type place struct {
	n   int64
	set bool
}

func placeOf(position *int64) place {
	if position == nil {
		return place{}
	}
	return place{*position, true}
}

func (p place) position() *int64 {
	if !p.set {
		return nil
	}
	return &p.n
}

// Position is Value of positions.
func Position(base, here, file *int64, overwrite bool) (next, nextBase *int64, kept bool) {
	n, b, kept := Value(placeOf(base), placeOf(here), placeOf(file), overwrite)
	return n.position(), b.position(), kept
}

// Front merges front matter by its keys. Each is a compact object, or nil for none.
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
	next, _, keys, err := frontmatter.Merge(base, ours, theirs) // conflicts are as in ours
	if overwrite || err != nil {
		return object(next), file, nil, err
	}
	var sides [3]octavo.Value
	for i, side := range []json.RawMessage{base, here, file} {
		sides[i], _ = octavo.ValueOf(side) // no members where there is none
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

// object is merged front matter, in which nothing is no object.
func object(front json.RawMessage) json.RawMessage {
	if string(front) == "{}" {
		return nil
	}
	return front
}

// text is the value of a key as JSON, "" where there is none.
func text(v octavo.Value, key string) string {
	value, found := v.Get(key)
	if !found {
		return ""
	}
	return string(value.AppendJSON(nil))
}

// maxMerges is how often a text is merged until merging it again changes nothing: with
// what was joined in the base, a comparison may find other lines that belong together.
const maxMerges = 8

// Text merges texts by lines. What the file changed is in the next base, but for what
// stays as it is here: with that base the same comes out again.
func Text(base, here, file string, overwrite bool) (next, nextBase string, kept []Kept) {
	if overwrite {
		return merge.Texts(base, file, here).Text, file, nil // conflicts are as in the file
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

// withoutConflicts is the text of the file with what the base has in the places of
// conflicts.
func withoutConflicts(base, file string, conflicts []merge.Conflict) string {
	was, theirs, at := merge.Lines(base), merge.Lines(file), 0
	var text []string
	for _, c := range conflicts {
		text = append(append(text, theirs[at:c.Theirs.From]...), was[c.Base.From:c.Base.To]...)
		at = c.Theirs.To
	}
	return strings.Join(append(text, theirs[at:]...), "")
}
