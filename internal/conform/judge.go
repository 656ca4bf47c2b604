package conform

import (
	"fmt"
	"net/http"
)

// Judge holds answers against an OpenAPI document. It may be used by one
// goroutine at a time.
type Judge struct{ document *document }

// NewJudge reads a document in YAML or JSON.
func NewJudge(document []byte) (*Judge, error) {
	d, err := loadDocument(document, true)
	if err != nil {
		return nil, err
	}
	return &Judge{d}, nil
}

// Check returns what the document does not allow in the answer to a request
// for that target: its status, its header or its body, which must not be
// compressed. Members and header fields that the document does not name are
// not allowed either. Of operations that the document does not have it allows
// all.
func (j *Judge) Check(method, target string, status int, header http.Header, body []byte) []string {
	var list []string
	for _, m := range j.document.checkAnswer(method, target, &answer{status, header, body}) {
		list = append(list, fmt.Sprintf("have %s, want %s", m.have, m.want))
	}
	return list
}

// CheckSchema returns what a schema of the document's components does not allow
// in a JSON body, such as that of an event which was sent.
func (j *Judge) CheckSchema(name string, body []byte) []string {
	if m := j.document.checkComponent(name, body); m != nil {
		return []string{fmt.Sprintf("have %s, want %s", m.have, m.want)}
	}
	return nil
}
