package api

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
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

// Operations lists the operations of the document in its order. Webhooks and
// callbacks, which the service itself calls, are not among them.
func Operations() ([]Operation, error) {
	root, err := parse(document)
	if err != nil {
		return nil, err
	}
	standard := get(root, "security")
	var list []Operation
	paths := get(root, "paths").Content
	for i := 0; i < len(paths); i += 2 {
		methods := paths[i+1].Content
		for j := 0; j < len(methods); j += 2 {
			op, err := operation(methods[j+1], standard)
			if err != nil {
				return nil, fmt.Errorf("read %s %s of the API document: %w", methods[j].Value, paths[i].Value, err)
			}
			op.Method, op.Path = strings.ToUpper(methods[j].Value), paths[i].Value
			list = append(list, op)
		}
	}
	return list, nil
}

// operation reads one operation; standard is the security of those that name
// none.
func operation(n, standard *yaml.Node) (Operation, error) {
	var raw struct {
		ID        string                `yaml:"operationId"`
		Scope     string                `yaml:"x-octavo-scope"`
		Extension bool                  `yaml:"x-octavo-extension"`
		Servers   []map[string]any      `yaml:"servers"`
		Security  []map[string][]string `yaml:"security"`
	}
	if err := n.Decode(&raw); err != nil {
		return Operation{}, err
	}
	if get(n, "security") == nil {
		if err := standard.Decode(&raw.Security); err != nil {
			return Operation{}, err
		}
	}
	op := Operation{ID: raw.ID, Scope: raw.Scope, Extension: raw.Extension, Search: len(raw.Servers) > 0}
	for _, requirement := range raw.Security {
		for name := range requirement { // one scheme each
			op.Security = append(op.Security, name)
		}
	}
	return op, nil
}
