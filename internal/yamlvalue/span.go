package yamlvalue

import (
	"bytes"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Span says where a member of the outermost mapping is in the source. All but
// the name are offsets of bytes.
type Span struct {
	Name       string
	Start, Key int // the line of the key, and the key
	Value      int // the value, with its anchor and tag
	Tail, Line int // what follows the value on the line of the key: a comment or nothing
	Stop, End  int // the end of the value, and of the comments indented below it
}

// Spans returns the members of the outermost mapping in their order; none where
// there is nothing else than an empty mapping. It refuses a mapping in braces.
func Spans(src []byte) ([]Span, error) {
	root, err := compose(withoutVersion(src))
	switch {
	case err != nil:
		return nil, explain(err)
	case root == nil:
		return nil, nil
	case root.Kind != yaml.MappingNode, root.Style&yaml.FlowStyle != 0 && len(root.Content) > 0:
		return nil, &Error{Line: max(root.Line, 1), Column: max(root.Column, 1), Message: "is not a mapping with a key on each line"}
	}
	text := source{src: src, starts: lineStarts(src)}
	spans := make([]Span, 0, len(root.Content)/2)
	for i := 0; i+1 < len(root.Content); i += 2 {
		next := len(text.starts) // the line after the member
		if i+2 < len(root.Content) {
			next = root.Content[i+2].Line
		}
		spans = append(spans, text.span(root.Content[i], root.Content[i+1], next))
	}
	return spans, nil
}

// source is a text and where its lines start, with an end as the last.
type source struct {
	src    []byte
	starts []int
}

// lineStarts divides text at what the library takes for line breaks, which are
// those of YAML 1.1.
func lineStarts(src []byte) []int {
	starts := []int{0}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		i += size
		if r == '\n' || r == '\r' && (i == len(src) || src[i] != '\n') || r == '\u0085' || r == '\u2028' || r == '\u2029' {
			starts = append(starts, i)
		}
	}
	if starts[len(starts)-1] < len(src) {
		starts = append(starts, len(src))
	}
	return starts
}

func (t source) span(key, value *yaml.Node, next int) Span {
	s := Span{Name: key.Value, Start: t.starts[key.Line-1], Key: t.offset(key), Value: t.offset(value)}
	if key.Kind == yaml.AliasNode {
		s.Name = key.Alias.Value
	}
	block := value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	last := t.last(key.Line, next, func(indent int) bool { return !block || indent < key.Column })
	s.Stop = t.end(last)
	s.End = t.starts[t.last(last, next, func(indent int) bool { return indent < key.Column })]
	s.Line = t.end(key.Line)
	comment := key.LineComment
	if comment == "" && (block || last == key.Line) {
		comment = value.LineComment
	}
	s.Tail = len(bytes.TrimRight(bytes.TrimSuffix(t.src[:s.Line], []byte(comment)), " \t"))
	return s
}

// last returns the last line before next that is neither blank nor a comment
// which may be left out, given how far it is indented.
func (t source) last(from, next int, comment func(indent int) bool) int {
	for ; next-1 > from; next-- {
		line := t.src[t.starts[next-2]:t.starts[next-1]]
		words := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(words)) > 0 && (words[0] != '#' || !comment(len(line)-len(words))) {
			break
		}
	}
	return next - 1
}

// end returns the end of a line, without what ends it.
func (t source) end(line int) int {
	return len(bytes.TrimRight(t.src[:t.starts[line]], "\r\n"))
}

// offset returns where a node begins.
func (t source) offset(n *yaml.Node) int {
	at := t.starts[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(t.src[at:])
		at += size
	}
	return at
}
