package frontmatter

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

func (d *draft) editYAML(changes []change, empty bool) error {
	spans, err := yamlvalue.Spans(d.src)
	if err != nil {
		return err
	}
	y := yamlStyle{}
	at := make(map[string]int, len(spans))
	for i, s := range spans {
		at[s.Name] = i
		y.flush = y.flush || s.Value > s.Line && s.Value-1-bytes.LastIndexByte(d.src[:s.Value], '\n') == s.Key-s.Start
	}
	if len(spans) > 0 {
		y.indent = string(d.src[spans[0].Start:spans[0].Key])
	} else if braces := bytes.LastIndex(d.src, []byte("{}")); braces >= 0 {
		line := d.src[braces:]
		d.cut(braces, braces+len(line)-len(bytes.TrimLeft(line[2:], " \r\n")), "")
	}
	for _, c := range changes {
		i, found := at[c.key]
		switch {
		case !found:
			text := y.value(*c.value, nil)
			d.cut(len(d.src), len(d.src), y.lines(string(appendText(nil, c.key))+":"+text)+"\n")
		case c.value == nil:
			floor := 0
			if i > 0 {
				floor = spans[i-1].End
			}
			d.cut(d.above(spans[i].Start, floor), spans[i].End, "")
		default:
			if err := d.replaceYAML(spans[i], *c.value, y); err != nil {
				return err
			}
		}
	}
	if empty {
		d.cut(len(d.src), len(d.src), "{}\n")
	}
	return nil
}

// replaceYAML puts a value where that of s stands. What follows on the line of
// the key stays.
func (d *draft) replaceYAML(s yamlvalue.Span, v octavo.Value, y yamlStyle) error {
	size := afterColon(d.src[s.Key:s.Line], s.Name)
	if size < 0 {
		return fmt.Errorf("the key %q has no colon on its line", s.Name)
	}
	colon := s.Key + size
	single := s.Stop == s.Line && s.Value < s.Tail
	var old []byte
	if single {
		old = d.src[s.Value:s.Tail]
	}
	stop, written := s.Stop, y.value(v, old)
	if strings.Contains(written, "|\n") || strings.Contains(written, "|-\n") { // comments below would be text
		stop = len(bytes.TrimRight(d.src[:s.End], "\r\n"))
	}
	first, rest, more := strings.Cut(written, "\n")
	if single && first != "" {
		first = string(d.src[colon:s.Value]) + first[1:]
	}
	text := first + string(d.src[s.Tail:s.Line])
	if more {
		text += "\n" + y.lines(rest)
	}
	d.cut(colon, stop, text)
	return nil
}

// afterColon returns the length of the key at the start of a line, its colon
// included; -1 where the key is written in another way.
func afterColon(line []byte, name string) int {
	end := 0
	for range 16 { // colons that may be part of the key
		i := bytes.IndexByte(line[end:], ':')
		if i < 0 {
			break
		}
		end += i + 1
		v, err := yamlvalue.Decode(line[:end])
		if err == nil && len(v.Members) == 1 && v.Members[0].Name == name {
			return end
		}
	}
	return -1
}

// yamlStyle is how front matter is indented.
type yamlStyle struct {
	indent string // of top-level keys
	flush  bool   // whether the dashes of a list stand below the first letter of its key
}

// lines indents lines that are written as if top-level keys were not.
func (y yamlStyle) lines(text string) string {
	return y.indent + strings.ReplaceAll(text, "\n", "\n"+y.indent)
}

// value returns what stands behind a colon: as AppendYAML writes it, or in the
// notation of the old value where that is of one line.
func (y yamlStyle) value(v octavo.Value, old []byte) string {
	text, depth := []byte(" "), 0
	switch isText := v.Kind == octavo.KindString && !isBlock(v.Str); {
	case len(old) > 0 && (v.Kind == octavo.KindArray && old[0] == '[' || v.Kind == octavo.KindObject && old[0] == '{'):
		return " " + flowYAML().line(v)
	case isText && len(old) > 0 && old[0] == '"':
		return string(appendQuoted(text, v.Str))
	case isText && len(old) > 0 && old[0] == '\'' && strings.IndexFunc(v.Str, func(r rune) bool { return !strconv.IsPrint(r) }) < 0:
		return " '" + strings.ReplaceAll(v.Str, "'", "''") + "'"
	case isText && isDate(old, v.Str) && isYAMLText(v.Str):
		return " " + v.Str
	case v.Kind == octavo.KindArray && y.flush:
		depth = -1
	}
	return strings.TrimSuffix(string(appendValue(nil, v, depth)), "\n")
}

// flowYAML is how lists in brackets are written.
func flowYAML() notation {
	text := func(s string) string {
		if strings.ContainsAny(s, ",:") {
			return string(appendQuoted(nil, s))
		}
		return string(appendText(nil, s))
	}
	return notation{open: "{", colon: ": ", end: "}", name: text, text: text}
}
