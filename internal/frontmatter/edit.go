package frontmatter

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/octavo-docs/octavo"
)

// maxChanged limits the keys changed in place; each takes time proportional to all keys.
const maxChanged = 100

// Rewrite changes front matter from Split to another object. It rewrites the lines of
// changed top-level keys, keeps dates unquoted, and appends new keys; other lines stay.
// ok is false if that is impossible, as for JSON or YAML with aliases; then write new
// front matter.
func Rewrite(raw []byte, format Format, object json.RawMessage) (text []byte, ok bool) {
	wanted, err := objectOf(object)
	if err != nil || format != YAML && format != TOML {
		return nil, false
	}
	present, ok := readAll(raw, format)
	inner, _ := inside(raw)
	lines, divided := divide(inner, format)
	if !ok || !divided {
		return nil, false
	}
	names := changed(present, wanted)
	if len(names) > maxChanged {
		return nil, false
	}
	for _, name := range names {
		value, stays := wanted.Get(name)
		anew := ""
		if stays {
			was, _ := present.Get(name)
			if anew, ok = member(name, value, isDate(was) && bytes.Contains(inner, []byte(" "+was.Str)), format); !ok {
				return nil, false
			}
		}
		lines = replace(lines, name, anew)
	}
	start := bytes.IndexByte(raw, '\n') + 1
	eol := "\n"
	if bytes.HasSuffix(raw[:start], []byte("\r\n")) {
		eol = "\r\n"
	}
	text = slices.Clone(raw[:start])
	for _, l := range lines {
		if l.anew {
			l.text = []byte(strings.ReplaceAll(string(l.text), "\n", eol))
		}
		text = append(text, l.text...)
	}
	text = append(text, raw[start+len(inner):]...)
	have, ok := readAll(text, format)
	return text, ok && canonical(have) == canonical(wanted)
}

// readAll parses front matter with nothing after it.
func readAll(raw []byte, format Format) (octavo.Value, bool) {
	whole, _, found, err := Split(raw)
	if err != nil || found != format || len(whole) != len(raw) {
		return octavo.Value{}, false
	}
	text, err := Parse(raw, format)
	if err != nil {
		return octavo.Value{}, false
	}
	v, err := objectOf(text)
	return v, err == nil
}

// changed returns the names of members that differ.
func changed(present, wanted octavo.Value) (names []string) {
	was := make(map[string]string, len(present.Members))
	for _, m := range present.Members {
		was[m.Name] = canonical(m.Value)
	}
	for _, m := range wanted.Members {
		if canonical(m.Value) != was[m.Name] {
			names = append(names, m.Name)
		}
		delete(was, m.Name)
	}
	return slices.AppendSeq(names, maps.Keys(was))
}

// part is the lines of a top-level key, which may have several parts in TOML: [a],
// [a.b], a.b = 1. It has no name for comments and empty lines.
type part struct {
	name  string
	text  []byte
	table bool
	anew  bool
}

// maxTries limits the lines that look like keys but belong to the previous one, as in a
// multi-line string.
const maxTries = 64

// divide splits front matter into keys, each with as few lines as can be parsed alone.
func divide(inner []byte, format Format) (parts []part, ok bool) {
	lines := slices.Collect(bytes.Lines(inner))
	for i := 0; i < len(lines); {
		p := part{text: lines[i], table: format == TOML && bytes.HasPrefix(bytes.TrimLeft(lines[i], " \t"), []byte("["))}
		next := i + 1
		for try := 0; !isBlank(lines[i]); try++ {
			for next < len(lines) && !begins(lines[next], format, p.table) {
				next++
			}
			p.text = bytes.Join(lines[i:next], nil)
			if v, err := decode(p.text, format); err == nil && len(v.Members) == 1 {
				p.name = v.Members[0].Name
				break
			}
			if next == len(lines) || try == maxTries {
				return nil, false
			}
			next++
		}
		for p.name != "" && isBlank(lines[next-1]) { // these belong to the next key
			next--
			p.text = p.text[:len(p.text)-len(lines[next])]
		}
		parts = append(parts, p)
		i = next
	}
	return parts, true
}

// isBlank reports whether a line is empty or an unindented comment.
func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 || line[0] == '#' }

// begins reports whether a line may begin a key; after a TOML table only another table
// may.
func begins(line []byte, format Format, table bool) bool {
	if format == TOML {
		line = bytes.TrimLeft(line, " \t")
	}
	return !isBlank(line) && bytes.IndexByte([]byte(" \t-]}"), line[0]) < 0 && (!table || line[0] == '[')
}

// replace replaces the lines of a key, or adds them.
func replace(parts []part, name, anew string) []part {
	p := part{name: name, text: []byte(anew), table: strings.HasPrefix(anew, "["), anew: true}
	at := len(parts)
	if first := slices.IndexFunc(parts, func(p part) bool { return p.table }); first >= 0 && !p.table {
		for at = first; at > 0 && parts[at-1].name == ""; at-- { // comments stay above the table
		}
	}
	if own := slices.IndexFunc(parts, func(old part) bool { return old.name == name && old.table == p.table }); own >= 0 {
		at = own
	}
	parts = slices.Insert(slices.Clone(parts), at, p)
	return slices.DeleteFunc(parts, func(old part) bool { return old.name == name && (!old.anew || anew == "") })
}

// member returns the lines of a top-level key; ok is false if the format cannot
// represent the value.
func member(name string, v octavo.Value, date bool, format Format) (text string, ok bool) {
	object := octavo.Object(octavo.Member{Name: name, Value: v})
	if format == YAML {
		text = string(appendMembers(nil, object, 0))
	} else {
		var values map[string]any
		decoder := json.NewDecoder(bytes.NewReader(object.AppendJSON(nil)))
		decoder.UseNumber()
		var b strings.Builder
		if decoder.Decode(&values) != nil || toml.NewEncoder(&b).Encode(values) != nil {
			return "", false
		}
		text = b.String()
	}
	if date && isDate(v) {
		text = strings.Replace(text, `"`+v.Str+`"`, v.Str, 1)
	}
	return text, true
}

// isDate reports whether a value may be an unquoted date.
func isDate(v octavo.Value) bool {
	return v.Kind == octavo.KindString && len(v.Str) >= len("2024-01-02") && v.Str[4] == '-' && strings.Trim(v.Str, "0123456789-:.+TZ ") == ""
}
