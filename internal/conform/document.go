package conform

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v4"
)

// documentURL is the name of the document for the compiler; it is never fetched.
const documentURL = "octavo:///openapi.json"

// document is a parsed OpenAPI 3.1 document.
type document struct {
	root       any
	operations []operation
	compiler   *jsonschema.Compiler
	compiled   map[string]*jsonschema.Schema // by pointer
	closed     bool                          // see Options.Closed
}

// operation is one method of one path under one server.
type operation struct {
	method   string
	template string // for reports
	path     *regexp.Regexp
	literals int    // bytes of the path outside variables; the match with most wins
	pointer  string // of the operation object
}

// loadDocument reads a YAML or JSON document; closed is Options.Closed.
func loadDocument(text []byte, closed bool) (*document, error) {
	var tree any
	if err := yaml.Unmarshal(text, &tree); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	// Through JSON, so that values have the types that the schemas expect.
	asJSON, err := json.Marshal(tree)
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	d := &document{root: root, compiler: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}, closed: closed}
	if closed {
		d.close()
	}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	if err := d.compiler.AddResource(documentURL, root); err != nil {
		return nil, fmt.Errorf("read the OpenAPI document: %w", err)
	}
	return d, d.readOperations()
}

// find returns the operation for a request, or nil.
func (d *document) find(method, path string) *operation {
	for i := range d.operations {
		op := &d.operations[i]
		if (op.method == method || method == http.MethodHead && op.method == http.MethodGet) && op.path.MatchString(path) {
			return op
		}
	}
	return nil
}
