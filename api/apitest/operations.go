// Package apitest lists the operations of the API document for tests of other
// packages. It checks nothing against the document.
package apitest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo/api"
)

// Operation is one operation that the document declares.
type Operation struct {
	ID        string   // operationId, unique in the document
	Method    string   // in capitals
	Path      string   // template below the server, such as /pages/{pageId}
	Security  []string // names of the accepted schemes, each enough by itself; empty where anyone may call
	Scope     string   // the scope that a credential needs; empty where anyone may call
	Search    bool     // whether the operation lives on the search host alone
	Extension bool     // whether the contract does not have it
}

// Operations lists the operations of the document by path and method. Webhooks
// and callbacks, which the service itself calls, are not among them.
func Operations() (list []Operation, err error) {
	type schemes []map[string][]string // one scheme each
	var document struct {
		Security schemes
		Paths    map[string]map[string]struct {
			ID        string `yaml:"operationId"`
			Scope     string `yaml:"x-octavo-scope"`
			Extension bool   `yaml:"x-octavo-extension"`
			Servers   []any
			Security  *schemes
		}
	}
	if err := yaml.Unmarshal(api.Document(), &document); err != nil {
		return nil, fmt.Errorf("read the API document: %w", err)
	}
	for path, methods := range document.Paths {
		for method, raw := range methods {
			op := Operation{ID: raw.ID, Method: strings.ToUpper(method), Path: path, Scope: raw.Scope, Search: len(raw.Servers) > 0, Extension: raw.Extension}
			for _, scheme := range *cmp.Or(raw.Security, &document.Security) {
				op.Security = slices.AppendSeq(op.Security, maps.Keys(scheme))
			}
			list = append(list, op)
		}
	}
	slices.SortFunc(list, func(a, b Operation) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Method, b.Method))
	})
	return list, nil
}
