// Package api owns the document of the API: the OpenAPI description that is
// served, and the addresses filled in when it is. DECISIONS.md beside it
// settles what the contract leaves open.
//
// The package does not serve anything and does not check requests against the
// document; tests hold the routes and the nouns to it.
package api

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
)

//go:embed openapi.yaml
var document string // a string, so that nobody can change it

// The hosts that stand in the document until a server fills in its own.
const (
	baseHost    = "https://api.docs.example"
	stagingHost = "https://staging.docs.example"
	searchHost  = "https://search.docs.example"
	authHost    = "https://auth.docs.example"
)

// Document returns the document as it was written, with its placeholders.
func Document() []byte { return []byte(document) }

// Addresses says where a server is reached and what it serves. URLs have no
// slash at their end.
type Addresses struct {
	Base     string   // public address; the version is added behind it
	Search   string   // search address; region and version are added behind it
	Auth     string   // address of the authorization server
	Versions []string // served versions, the default one first; at least one
	Regions  []string // served search regions, the default one first; at least one
}

// Render returns the document for a server at the given addresses, as YAML and
// as JSON. Members keep their order and comments are left out. The staging
// server of the contract goes too: a staging deployment is a server of its own
// (decision 1). It fails when Versions or Regions is empty.
func Render(at Addresses) (yamlText, jsonText []byte, err error) {
	if len(at.Versions) == 0 || len(at.Regions) == 0 {
		return nil, nil, errors.New("render the API document: it needs a version and a region")
	}
	root, err := parse(document)
	if err != nil {
		return nil, nil, err
	}
	fill(root, at)
	if jsonText, err = toJSON(root); err != nil {
		return nil, nil, err
	}
	if yamlText, err = yaml.Marshal(root); err != nil { // comes last, as it changes the tags of the nodes
		return nil, nil, fmt.Errorf("write the API document as YAML: %w", err)
	}
	return yamlText, jsonText, nil
}

// parse returns the outermost mapping of YAML text.
func parse(text string) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("parse the API document: %w", err)
	}
	return doc.Content[0], nil
}

// fill replaces the placeholders at and below n and drops comments.
func fill(n *yaml.Node, at Addresses) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	n.Content = slices.DeleteFunc(n.Content, func(item *yaml.Node) bool {
		url := get(item, "url")
		return url != nil && strings.HasPrefix(url.Value, stagingHost)
	})
	for _, host := range [][2]string{{baseHost, at.Base}, {searchHost, at.Search}, {authHost, at.Auth}} {
		if rest, ok := strings.CutPrefix(n.Value, host[0]); ok {
			n.Value = host[1] + rest
		}
	}
	if variables := get(n, "variables"); variables != nil {
		choose(get(variables, "version"), at.Versions)
		choose(get(variables, "region"), at.Regions)
	}
	for _, item := range n.Content {
		fill(item, at)
	}
}

// choose makes values the choice of a server variable; a variable that the
// server does not have is nil.
func choose(variable *yaml.Node, values []string) {
	if variable == nil {
		return
	}
	enum := get(variable, "enum")
	enum.Content = nil
	for _, v := range values {
		enum.Content = append(enum.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v})
	}
	get(variable, "default").Value = values[0]
}

// get returns the member of a mapping, or nil.
func get(n *yaml.Node, name string) *yaml.Node {
	if n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func toJSON(n *yaml.Node) ([]byte, error) {
	text := value(n).AppendJSON(nil)
	if !json.Valid(text) {
		return nil, errors.New("write the API document as JSON: it holds a scalar that JSON does not have")
	}
	return text, nil
}

// value converts a node of the document, which uses neither aliases nor
// scalars other than JSON's.
func value(n *yaml.Node) octavo.Value {
	switch n.Kind {
	case yaml.MappingNode:
		v := octavo.Value{Kind: octavo.KindObject}
		for i := 0; i < len(n.Content); i += 2 {
			v.Members = append(v.Members, octavo.Member{Name: n.Content[i].Value, Value: value(n.Content[i+1])})
		}
		return v
	case yaml.SequenceNode:
		v := octavo.Value{Kind: octavo.KindArray}
		for _, item := range n.Content {
			v.Items = append(v.Items, value(item))
		}
		return v
	}
	switch n.ShortTag() {
	case "!!null":
		return octavo.Value{}
	case "!!bool":
		return octavo.Value{Kind: octavo.KindBool, Bool: n.Value == "true"}
	case "!!int", "!!float":
		return octavo.Value{Kind: octavo.KindNumber, Str: n.Value}
	}
	return octavo.String(n.Value)
}
