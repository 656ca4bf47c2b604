package importer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

// readData reads a file of configuration as generators do: of equal keys the last
// counts, merge keys count, and tags, last commas and numbers that are none are
// passed over. A list says nothing.
func readData(fsys fs.FS, name string) (octavo.Value, error) {
	v, strict := readValue(fsys, name)
	if strict == nil {
		return v, nil
	}
	text, err := readFile(fsys, name)
	if err != nil {
		return v, err
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	switch path.Ext(name) {
	case ".toml":
		if text, err = frontmatter.Parse(noNumber.ReplaceAll(text, []byte("${1}0")), frontmatter.TOML); err == nil && text != nil {
			v, err = octavo.ValueOf(text)
		}
	case ".json":
		var plain any
		if err = json.Unmarshal(lastComma.ReplaceAll(text, []byte("$1")), &plain); err == nil {
			text, _ = json.Marshal(plain) // it was read from JSON
			v, err = octavo.ValueOf(text)
		}
	default:
		var doc *yaml.Node
		if doc, err = readYAML(text); err == nil {
			v = valueOf(doc)
		}
	}
	if err != nil || v.Kind != octavo.KindObject && v.Kind != octavo.KindArray && v.Kind != octavo.KindNull {
		return octavo.Value{}, cmp.Or(errors.Unwrap(strict), strict) // without what readValue says first
	}
	return v, nil
}

// readYAML reads a document, with what its aliases and merge keys stand for.
func readYAML(text []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("it is not valid YAML: %w", err)
	}
	nodes := 200_000
	return expand(&doc, &nodes)
}

func expand(n *yaml.Node, nodes *int) (*yaml.Node, error) {
	if *nodes--; *nodes < 0 {
		return nil, errors.New("its aliases stand for too much")
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
			for _, m := range merged { // before what the mapping has itself, which counts
				if m.Kind == yaml.MappingNode {
					full.Content = slices.Concat(m.Content, full.Content)
				}
			}
		}
	}
	return &full, nil
}

// valueOf returns the value of a node, with scalars as text.
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
		for key, value := range members(n) {
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
