// Package script parses literals in the configuration of generators: JSON, YAML,
// JavaScript and TypeScript, which it never runs. Nodes keep their order and line.
package script

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// Kind is the kind of a node.
type Kind int

// The kinds. Other is not a literal, Call is a call with arguments.
const (
	Other Kind = iota
	Null
	Text // also numbers, true and false
	List
	Object
	Call
)

type Node struct {
	Kind    Kind
	Text    string // of a Text, or the name of the called function
	Items   []Node // of a List or Call
	Members []Member
	Line    int
	File    string // source file, for programs
}

// Member is a member of an object. The name "..." spreads objects that are not literals.
type Member struct {
	Name  string
	Value Node
}

// Get returns the last member with that name.
func (n Node) Get(name string) Node {
	for _, m := range slices.Backward(n.Members) {
		if m.Name == name {
			return m.Value
		}
	}
	return Node{Kind: Null, Line: n.Line}
}

// First returns the first member with text, by order of the names.
func (n Node) First(names ...string) Node {
	for _, name := range names {
		if v := n.Get(name); v.Kind == Text && v.Text != "" {
			return v
		}
	}
	return Node{Kind: Null, Line: n.Line}
}

// Inner returns the argument of wrappers such as defineConfig.
func (n Node) Inner() Node {
	for n.Kind == Call && len(n.Items) > 0 {
		n = n.Items[0]
	}
	return n
}

func YAML(text []byte) (Node, error) {
	doc, err := settings.YAML(text)
	if err != nil {
		return Node{}, err
	}
	return FromYAML(doc), nil
}

// FromValue converts a value; its lines are unknown.
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

// FromYAML converts a node of YAML.
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
