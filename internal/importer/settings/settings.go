// Package settings parses the configuration of generators, YAML, TOML and JSON, strictly or
// as leniently as generators do. Package importer interprets the settings.
package settings

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
)

var (
	lastComma = regexp.MustCompile(`,(\s*[}\]])`)
	noNumber  = regexp.MustCompile(`(=\s*)[+-]?(?:nan|inf)\b`)
)

// Lenient parses like generators: the last of duplicate keys counts, merge keys apply, and
// tags, trailing commas and invalid numbers are ignored. A list gives no members.
func Lenient(name string, text []byte) (octavo.Value, error) {
	v, strict := Strict(name, text)
	if strict == nil {
		return v, nil
	}
	var err error
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	switch path.Ext(name) {
	case ".toml":
		if text, err = frontmatter.Parse(noNumber.ReplaceAll(text, []byte("${1}0")), frontmatter.TOML); err == nil && text != nil {
			v, err = octavo.ValueOf(text)
		}
	case ".json":
		var plain any
		if err = json.Unmarshal(lastComma.ReplaceAll(text, []byte("$1")), &plain); err == nil {
			text, _ = json.Marshal(plain) // always valid
			v, err = octavo.ValueOf(text)
		}
	default:
		var doc *yaml.Node
		if doc, err = YAML(text); err == nil {
			v = valueOf(doc)
		}
	}
	if err != nil || v.Kind != octavo.KindObject && v.Kind != octavo.KindArray && v.Kind != octavo.KindNull {
		return octavo.Value{}, cmp.Or(errors.Unwrap(strict), strict) // without the prefix of Strict
	}
	return v, nil
}

// Strict parses a file of keys and values; its extension determines the format.
func Strict(name string, text []byte) (octavo.Value, error) {
	format := frontmatter.YAML
	switch path.Ext(name) {
	case ".toml":
		format = frontmatter.TOML
	case ".json":
		format = frontmatter.JSON
	}
	front, err := frontmatter.Parse(text, format)
	if err == nil && front == nil {
		return octavo.Value{}, errors.New("it contains no keys and values")
	}
	var v octavo.Value
	if err == nil {
		v, err = octavo.ValueOf(front)
	}
	if err != nil {
		return octavo.Value{}, fmt.Errorf("it cannot be read: %w", err)
	}
	return v, nil
}

// YAML parses a document and resolves aliases and merge keys.
func YAML(text []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("it is not valid YAML: %w", err)
	}
	nodes := 200_000
	return expand(&doc, &nodes)
}

func expand(n *yaml.Node, nodes *int) (*yaml.Node, error) {
	if *nodes--; *nodes < 0 {
		return nil, errors.New("its aliases expand to too much")
	}
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if n.Kind == yaml.DocumentNode && len(n.Content) == 1 {
		return expand(n.Content[0], nodes)
	}
	full := *n
	full.Content = nil
	for i, inner := range n.Content {
		inner, err := expand(inner, nodes)
		if err != nil {
			return nil, err
		}
		full.Content = append(full.Content, inner)
		if last := len(full.Content) - 1; n.Kind == yaml.MappingNode && i%2 == 1 && full.Content[last-1].Value == "<<" {
			full.Content = full.Content[:last-1]
			merged := []*yaml.Node{inner}
			if inner.Kind == yaml.SequenceNode {
				merged = inner.Content
			}
			for _, m := range merged { // the mapping's own keys come later and win
				if m.Kind == yaml.MappingNode {
					full.Content = slices.Concat(m.Content, full.Content)
				}
			}
		}
	}
	return &full, nil
}

// valueOf converts a node; scalars become strings.
func valueOf(n *yaml.Node) octavo.Value {
	switch v := (octavo.Value{}); n.Kind {
	case yaml.SequenceNode:
		v.Kind = octavo.KindArray
		for _, item := range n.Content {
			v.Items = append(v.Items, valueOf(item))
		}
		return v
	case yaml.MappingNode:
		v.Kind = octavo.KindObject
		at := map[string]int{}
		for key, value := range Members(n) {
			if _, twice := at[key.Value]; !twice {
				at[key.Value] = len(v.Members)
				v.Members = append(v.Members, octavo.Member{Name: key.Value})
			}
			v.Members[at[key.Value]].Value = valueOf(value)
		}
		return v
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return octavo.Value{}
	}
	return octavo.String(n.Value)
}

// Option returns the values, one or several, of an option of an extension or plugin in a list of
// these.
func Option(list *yaml.Node, extension, option string) (values []*yaml.Node) {
	for _, item := range slices.Concat(list.Content, []*yaml.Node{list}) {
		for name, options := range Members(item) {
			for key, value := range Members(options) {
				for _, one := range slices.Concat(value.Content, []*yaml.Node{value}) {
					if name.Value == extension && key.Value == option && one.Kind == yaml.ScalarNode {
						values = append(values, one)
					}
				}
			}
		}
	}
	return values
}

// Members iterates over the keys and values of a YAML mapping; other nodes have none.
func Members(n *yaml.Node) func(func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}
