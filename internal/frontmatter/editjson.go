package frontmatter

import (
	"bytes"
	"cmp"
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octavo-docs/octavo"
)

// jsonMember says where a member of an object is.
type jsonMember struct {
	name            string
	from, value, to int
}

// jsonStyle is how the members of an object are set.
type jsonStyle struct {
	lead, comma, colon, tail string // before the first, between two, within one, after the last
}

func (d *draft) editJSON(changes []change) error {
	members, open, end, err := jsonMembers(d.src)
	if err != nil {
		return err
	}
	style := styleOf(d.src, members, open, end)
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
			d.cut(m.value, m.to, style.value(*value, d.src[m.value:m.to]))
		case left > 0:
			d.cut(members[i-1].to, m.to, "")
		case i+1 < len(members):
			d.cut(m.from, members[i+1].from, "")
		}
	}
	var added []string
	for _, c := range changes {
		if value := asked[c.key]; value != nil {
			added = append(added, string(octavo.AppendString(nil, c.key))+style.colon+style.value(*value, nil))
		}
	}
	text := strings.Join(added, style.comma)
	switch {
	case left > 0 && text != "":
		last := members[len(members)-1].to
		d.cut(last, last, style.comma+text)
	case left == 0:
		if text != "" {
			text = style.lead + text + style.tail
		}
		d.cuts = nil
		d.cut(open, end, text)
	}
	return nil
}

// jsonMembers returns the members of the object that src is, and what its braces
// enclose.
func jsonMembers(src []byte) (members []jsonMember, open, end int, err error) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(src))
	if brace, err := decoder.ReadToken(); err != nil || brace.Kind() != '{' {
		return nil, 0, 0, errors.Join(err, errors.New("it is not an object"))
	}
	open = int(decoder.InputOffset())
	for decoder.PeekKind() == '"' {
		var m jsonMember
		written, err := decoder.ReadValue()
		if err != nil {
			return nil, 0, 0, err
		}
		m.from = int(decoder.InputOffset()) - len(written)
		name, err := jsontext.AppendUnquote(nil, written)
		if err != nil {
			return nil, 0, 0, err
		}
		m.name = string(name)
		value, err := decoder.ReadValue()
		if err != nil {
			return nil, 0, 0, err
		}
		m.to = int(decoder.InputOffset())
		m.value = m.to - len(value)
		members = append(members, m)
	}
	if _, err := decoder.ReadToken(); err != nil {
		return nil, 0, 0, err
	}
	return members, open, int(decoder.InputOffset()) - 1, nil
}

// styleOf looks at the first two members.
func styleOf(src []byte, members []jsonMember, open, end int) jsonStyle {
	if len(members) == 0 {
		return jsonStyle{lead: "\n  ", comma: ",\n  ", colon: ": ", tail: "\n"}
	}
	text := func(from, to int) string { return strings.ReplaceAll(string(src[from:to]), "\r\n", "\n") }
	first := members[0]
	s := jsonStyle{lead: text(open, first.from), tail: text(members[len(members)-1].to, end)}
	s.comma = "," + s.lead
	if len(members) > 1 {
		s.comma = text(first.to, members[1].from)
	}
	name := text(first.from, first.value)
	s.colon = name[strings.LastIndexByte(name, '"')+1:]
	return s
}

// value writes a value on lines of its own where the members stand so, unless the
// old one was a list or object on one line.
func (s jsonStyle) value(v octavo.Value, old []byte) string {
	options := []jsontext.Options{jsontext.SpaceAfterColon(strings.HasSuffix(s.colon, " ")), jsontext.SpaceAfterComma(strings.HasSuffix(s.colon, " "))}
	single := len(old) > 0 && strings.ContainsRune("[{", rune(old[0])) && !bytes.Contains(old, []byte("\n"))
	if at := strings.LastIndexByte(s.lead, '\n'); at >= 0 && !single {
		indent := strings.ReplaceAll(s.lead[at+1:], "\r", "")
		options = []jsontext.Options{jsontext.WithIndentPrefix(indent), jsontext.WithIndent(cmp.Or(indent, "  "))}
	}
	compact := v.AppendJSON(nil)
	text, err := jsontext.AppendFormat(nil, compact, options...)
	if err != nil {
		return string(compact) // what is wrong with it, the reader of the result says
	}
	return string(text)
}
