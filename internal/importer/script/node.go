// Package script reads literals from the configuration of generators: JSON, YAML, and
// JavaScript and TypeScript, which are never run. Everything keeps its order and its
// line.
package script

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// Kind is what a node is.
type Kind int

// The kinds. Other is what is no literal, Call a call with arguments.
const (
	Other Kind = iota
	Null
	Text // also numbers, true and false
	List
	Object
	Call
)

// Node is a value.
type Node struct {
	Kind    Kind
	Text    string // of a Text, and the name of what is called
	Items   []Node // of a List and a Call
	Members []Member
	Line    int
	File    string // that it stands in, of a program
}

// Member is a part of an object. One named "..." takes in others that are not literal.
type Member struct {
	Name  string
	Value Node
}

// Get returns the member of that name, of several the last.
func (n Node) Get(name string) Node {
	for _, m := range slices.Backward(n.Members) {
		if m.Name == name {
			return m.Value
		}
	}
	return Node{Kind: Null, Line: n.Line}
}

// First returns the first text among the members of some names, and its line.
func (n Node) First(names ...string) Node {
	for _, name := range names {
		if v := n.Get(name); v.Kind == Text && v.Text != "" {
			return v
		}
	}
	return Node{Kind: Null, Line: n.Line}
}

// Inner returns what wrappers such as defineConfig are called with.
func (n Node) Inner() Node {
	for n.Kind == Call && len(n.Items) > 0 {
		n = n.Items[0]
	}
	return n
}

// YAML reads a document.
func YAML(text []byte) (Node, error) {
	doc, err := settings.YAML(text)
	if err != nil {
		return Node{}, err
	}
	return FromYAML(doc), nil
}

// FromValue returns what a value says that has lost its lines.
func FromValue(v octavo.Value) Node {
	out := Node{Kind: Null, Text: v.Str, Line: 1}
	switch v.Kind {
	case octavo.KindString, octavo.KindNumber:
		out.Kind = Text
	case octavo.KindBool:
		out.Kind, out.Text = Text, strconv.FormatBool(v.Bool)
	case octavo.KindArray:
		out.Kind = List
		for _, item := range v.Items {
			out.Items = append(out.Items, FromValue(item))
		}
	case octavo.KindObject:
		out.Kind = Object
		for _, m := range v.Members {
			out.Members = append(out.Members, Member{m.Name, FromValue(m.Value)})
		}
	}
	return out
}

// FromYAML returns what a node of YAML says.
func FromYAML(n *yaml.Node) Node {
	out := Node{Kind: Null, Line: n.Line}
	switch {
	case n.Kind == yaml.SequenceNode:
		out.Kind = List
		for _, item := range n.Content {
			out.Items = append(out.Items, FromYAML(item))
		}
	case n.Kind == yaml.MappingNode:
		out.Kind = Object
		for key, value := range settings.Members(n) {
			member := FromYAML(value)
			member.Line = key.Line
			out.Members = append(out.Members, Member{key.Value, member})
		}
	case n.Kind == yaml.ScalarNode && n.ShortTag() != "!!null":
		out.Kind, out.Text = Text, n.Value
	}
	return out
}
