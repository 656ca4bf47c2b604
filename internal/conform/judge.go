package conform

import (
	"fmt"
	"net/http"
)

// Judge checks responses against an OpenAPI document. It is not safe for concurrent use.
type Judge struct{ document *document }

// NewJudge reads a YAML or JSON document.
func NewJudge(document []byte) (*Judge, error) {
	d, err := loadDocument(document, true)
	if err != nil {
		return nil, err
	}
	return &Judge{d}, nil
}

// Check returns everything that the document does not allow in a response to a request:
// status, header and body, which must not be compressed. Undeclared members and header
// fields are not allowed. Operations outside the document may respond with anything.
func (j *Judge) Check(method, target string, status int, header http.Header, body []byte) []string {
	var list []string
	for _, m := range j.document.checkAnswer(method, target, &answer{status, header, body}) {
		list = append(list, fmt.Sprintf("have %s, want %s", m.have, m.want))
	}
	return list
}

// CheckSchema returns what a component schema does not allow in a JSON body, such as that
// of a sent event.
func (j *Judge) CheckSchema(name string, body []byte) []string {
	if m := j.document.checkComponent(name, body); m != nil {
		return []string{fmt.Sprintf("have %s, want %s", m.have, m.want)}
	}
	return nil
}
