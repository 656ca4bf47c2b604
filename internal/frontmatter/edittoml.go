package frontmatter

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/octavo-docs/octavo"
)

// tomlPart is a key with its value, or a table up to the next one. A top-level
// key may have several: [a], [a.b], [[a]], a.b = 1.
type tomlPart struct {
	name       string
	from, to   int  // its lines
	value, end int  // what stands behind the equals sign, without a comment
	table      bool // it starts with a line in brackets
	dotted     bool // its key has more parts than the name
}

func (d *draft) editTOML(changes []change) error {
	parts, err := tomlParts(d.src)
	if err != nil {
		return err
	}
	of := make(map[string][]int, len(parts))
	for i, p := range parts {
		of[p.name] = append(of[p.name], i)
	}
	var keys, tables []byte // those that are added
	for _, c := range changes {
		own := of[c.key]
		table := c.value != nil && isTable(*c.value)
		switch {
		case c.value != nil && len(own) == 1 && !parts[own[0]].table && !parts[own[0]].dotted:
			p := parts[own[0]]
			d.cut(p.value, p.end, tomlValue(*c.value, d.src[p.value:p.end]))
			continue
		case table && len(own) > 0 && parts[own[0]].table:
			d.cut(parts[own[0]].from, parts[own[0]].to, tomlTable(c.key, *c.value))
			own = own[1:]
		case table:
			tables = append(tables, "\n"+tomlTable(c.key, *c.value)...)
		case c.value != nil:
			keys = append(keys, tomlKey(c.key)+" = "+tomlValue(*c.value, nil)+"\n"...)
		}
		for _, i := range own {
			floor := 0
			if i > 0 {
				floor = parts[i-1].to
			}
			d.cut(d.above(parts[i].from, floor), parts[i].to, "")
		}
	}
	switch first := slices.IndexFunc(parts, func(p tomlPart) bool { return p.table }); {
	case len(keys) == 0:
	case first < 0:
		d.cut(len(d.src), len(d.src), string(keys))
	case first == 0:
		at := d.above(parts[0].from, 0)
		d.cut(at, at, string(keys)+"\n")
	default:
		d.cut(parts[first-1].to, parts[first-1].to, string(keys))
	}
	if len(d.src) == 0 && len(keys) == 0 {
		tables = bytes.TrimPrefix(tables, []byte("\n"))
	}
	d.cut(len(d.src), len(d.src), string(tables))
	return nil
}

// tomlParts divides TOML that is known to be valid.
func tomlParts(src []byte) ([]tomlPart, error) {
	var parts []tomlPart
	for from := 0; from < len(src); {
		p := tomlPartAt(src, from)
		from = p.to
		last := len(parts) - 1
		switch {
		case p.end == 0: // a comment or nothing
			continue
		case !p.table && last >= 0 && parts[last].table:
			parts[last].to = p.to
			continue
		}
		key := string(src[p.from:p.end])
		if !p.table {
			key = string(src[p.from:p.value]) + "0"
		}
		var document map[string]any
		meta, err := toml.Decode(key, &document)
		if err != nil || len(meta.Keys()) == 0 {
			return nil, fmt.Errorf("read the key of %q: %w", key, err)
		}
		longest := slices.MaxFunc(meta.Keys(), func(a, b toml.Key) int { return len(a) - len(b) })
		p.name, p.dotted = longest[0], len(longest) > 1
		parts = append(parts, p)
	}
	return parts, nil
}

// tomlPartAt returns what the line at from begins, without a name: a key with its
// value, or the line in brackets of a table.
func tomlPartAt(src []byte, from int) tomlPart {
	p := tomlPart{from: from, to: len(src)}
	depth, equals := 0, false
	for i := from; i < len(src); i++ {
		start := i
		switch src[i] {
		case '#':
			if i = bytes.IndexByte(src[start:], '\n') + start - 1; i < start {
				return p
			}
			continue
		case '\n':
			if depth > 0 {
				continue
			}
			p.to = i + 1
			return p
		case ' ', '\t', '\r':
			continue
		case '"', '\'':
			i = stringEnd(src, i) - 1
		case '[', '{':
			p.table = p.table || p.end == 0
			depth++
		case ']', '}':
			depth--
		}
		switch {
		case equals && p.value == 0:
			p.value = start
		case src[start] == '=':
			equals = true
		}
		p.end = i + 1
	}
	return p
}

// isTable reports whether a value is written as [key] or [[key]].
func isTable(v octavo.Value) bool {
	return v.Kind == octavo.KindObject || v.Kind == octavo.KindArray && len(v.Items) > 0 &&
		!slices.ContainsFunc(v.Items, func(item octavo.Value) bool { return item.Kind != octavo.KindObject })
}

// tomlTable writes an object as a table, and an array of them as several.
func tomlTable(key string, v octavo.Value) string {
	tables, head := []octavo.Value{v}, "["+tomlKey(key)+"]\n"
	if v.Kind == octavo.KindArray {
		tables, head = v.Items, "["+head[:len(head)-1]+"]\n"
	}
	var text strings.Builder
	for _, table := range tables {
		text.WriteString(head)
		for _, m := range table.Members {
			text.WriteString(tomlKey(m.Name) + " = " + tomlValue(m.Value, nil) + "\n")
		}
	}
	return text.String()
}

// tomlKey writes a key without quotes where that may be.
func tomlKey(name string) string {
	if isMetaKey(name) {
		return name
	}
	return tomlText(name)
}

func tomlText(s string) string {
	return strings.ReplaceAll(string(octavo.AppendString(nil, s)), "\x7f", `\u007F`)
}

// tomlValue writes a value on one line. A date stays one where the old value was.
// There is no null in TOML: the word makes the result unreadable.
func tomlValue(v octavo.Value, old []byte) string {
	if v.Kind == octavo.KindString && isDate(old, v.Str) {
		read, err := decodeTOML([]byte("x = " + v.Str))
		if x, _ := read.Get("x"); err == nil && x.Kind == octavo.KindString && x.Str == v.Str {
			return v.Str
		}
	}
	return notation{open: "{ ", colon: " = ", end: " }", name: tomlKey, text: tomlText}.line(v)
}
