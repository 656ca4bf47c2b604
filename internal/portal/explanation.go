package portal

import (
	"bytes"
	_ "embed" // of problems.yaml
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v4"

	"github.com/octavo-docs/octavo"
)

// explanation explains a problem type beyond its title.
type explanation struct {
	Meaning  string
	Causes   []string // likeliest first
	Remedies []string // what the caller can do, in order
	Detail   string   // of the example body
	Errors   []octavo.FieldError
	Oldest   string
}

// example returns an example response with invented identifiers.
func (e explanation) example(info octavo.ProblemInfo) string {
	if info.Type == octavo.Unauthorized { // the one error without a body
		return "HTTP/1.1 401 Unauthorized\n" +
			"WWW-Authenticate: Bearer realm=\"octavo\", error=\"invalid_token\", error_description=\"…\"\n" +
			"Content-Length: 0"
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(octavo.Problem{
		Type: "/problems/" + string(info.Type), Title: info.Title, Status: info.Status,
		Detail: e.Detail, Instance: "urn:octavo:request:req_01k5s0r6yqf0b9m1zk3w8d2x7c", Errors: e.Errors, Oldest: e.Oldest,
	})
	if err != nil {
		panic("portal: encode an example: " + err.Error()) // strings and a number always encode
	}
	return string(bytes.TrimSpace(b.Bytes()))
}

//go:embed problems.yaml
var problemsYAML []byte

func explanations() (map[octavo.ProblemType]explanation, error) {
	var all map[octavo.ProblemType]explanation
	if err := yaml.Load(problemsYAML, &all, yaml.WithKnownFields()); err != nil {
		return nil, fmt.Errorf("problems.yaml: %w", err)
	}
	return all, nil
}
