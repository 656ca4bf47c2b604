package frontmatter

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octavo-docs/octavo"
)

func (d *draft) editJSON(changes []change) error {
	members, open, end, err := jsonMembers(d.src)
	if err != nil {
		return err
	}
	lead, tail := "\n  ", "\n" // before the first member and after the last
	if len(members) > 0 {
		lead = strings.ReplaceAll(string(d.src[open:members[0].from]), "\r", "")
		tail = strings.ReplaceAll(string(d.src[members[len(members)-1].to:end]), "\r", "")
	}
	asked := make(map[string]*octavo.Value, len(changes))
	for _, c := range changes {
		asked[c.key] = c.value
	}
	left := 0 // members that stay
	for i, m := range members {
		value, found := asked[m.name]
		delete(asked, m.name)
		switch {
		case !found:
			left++
		case value != nil:
			left++
			d.cut(m.value, m.to, jsonText(*value, d.src[m.value:m.to], lead))
		case left > 0:
			d.cut(members[i-1].to, m.to, "")
		case i+1 < len(members):
			d.cut(m.from, members[i+1].from, "")
		}
	}
	var added []string
	for _, c := range changes {
		if value := asked[c.key]; value != nil {
			added = append(added, jsonName(c.key)+": "+jsonText(*value, nil, lead))
		}
	}
	text := strings.Join(added, ","+lead)
	switch {
	case left > 0 && text != "":
		last := members[len(members)-1].to
		d.cut(last, last, ","+lead+text)
	case left == 0 && text != "":
		d.cuts = []cut{{open, end, lead + text + tail}}
	case left == 0:
		d.cuts = []cut{{open, end, ""}}
	}
	return nil
}

// jsonMember says where a member of an object is.
type jsonMember struct {
	name            string
	from, value, to int
}

// jsonMembers returns the members of the object that src is, and what its braces
// enclose.
func jsonMembers(src []byte) (members []jsonMember, open, end int, err error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(src))
	if brace, err := decoder.ReadToken(); err != nil || brace.Kind() != '{' {
		return nil, 0, 0, errors.Join(err, errors.New("it is not a JSON object"))
	}
	open = int(decoder.InputOffset())
	for decoder.PeekKind() == '"' {
		written, err := decoder.ReadValue()
		from := int(decoder.InputOffset()) - len(written)
		name, err2 := jsontext.AppendUnquote(nil, written)
		value, err3 := decoder.ReadValue()
		if err := errors.Join(err, err2, err3); err != nil {
			return nil, 0, 0, err
		}
		to := int(decoder.InputOffset())
		members = append(members, jsonMember{string(name), from, to - len(value), to})
	}
	_, err = decoder.ReadToken()
	return members, open, int(decoder.InputOffset()) - 1, err
}

// jsonText writes a value on lines of its own where the members stand so, unless the
// old one was a list or object on one line.
func jsonText(v octavo.Value, old []byte, lead string) string {
	line := strings.LastIndexByte(lead, '\n')
	if line < 0 || len(old) > 0 && (old[0] == '[' || old[0] == '{') && !bytes.Contains(old, []byte("\n")) {
		return notation{open: "{", colon: ": ", end: "}", name: jsonName, text: jsonName}.line(v)
	}
	indent := lead[line+1:]
	text, err := jsontext.AppendFormat(nil, v.AppendJSON(nil), jsontext.WithIndentPrefix(indent), jsontext.WithIndent(cmp.Or(indent, "  ")))
	if err != nil {
		return "" // the result will not be readable either
	}
	return string(text)
}

func jsonName(s string) string { return string(octavo.AppendString(nil, s)) }
