package fuzztest

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/api/apitest"
)

// node is an object of the document.
type node = map[string]any

// document is the parsed OpenAPI document.
type document struct {
	root       node
	operations []operation
	proposals  []operation // those that proposals and their pages need
}

// operation is an operation that requests are generated for.
type operation struct {
	apitest.Operation
	parameters []node
	bodies     []content
	statuses   map[string]bool // declared by number
}

// content is a body in one media type.
type content struct {
	media  string
	schema any
}

// readDocument reads the document of the API.
func readDocument() (*document, error) {
	d := &document{}
	if err := yaml.Unmarshal(api.Document(), &d.root); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	list, err := apitest.Operations()
	if err != nil {
		return nil, err
	}
	paths := d.object(d.root["paths"])
	for _, op := range list {
		described := d.object(d.object(paths[op.Path])[strings.ToLower(op.Method)])
		o := operation{Operation: op, statuses: map[string]bool{}}
		parameters, _ := described["parameters"].([]any)
		for _, p := range parameters {
			o.parameters = append(o.parameters, d.object(p))
		}
		media := d.object(d.object(described["requestBody"])["content"])
		for name, body := range media {
			o.bodies = append(o.bodies, content{name, d.object(body)["schema"]})
		}
		slices.SortFunc(o.bodies, func(a, b content) int { return strings.Compare(a.media, b.media) })
		for status := range d.object(described["responses"]) {
			o.statuses[fmt.Sprint(status)] = true
		}
		d.operations = append(d.operations, o)
		if strings.HasPrefix(op.Path, "/proposals") || op.Path == "/pages" || op.Path == "/pages/{pageId}" || op.Path == "/notifications" {
			d.proposals = append(d.proposals, o)
		}
	}
	return d, nil
}

// object returns v as an object, with its reference followed; nil for others.
func (d *document) object(v any) node {
	for range 10 {
		n, _ := v.(node)
		ref, isRef := n["$ref"].(string)
		if !isRef {
			return n
		}
		v = d.at(ref)
	}
	return nil
}

// at resolves a reference within the document.
func (d *document) at(ref string) any {
	var v any = d.root
	for token := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		n, _ := v.(node)
		v = n[strings.NewReplacer("~1", "/", "~0", "~").Replace(token)]
	}
	return v
}
