package portal

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestPagesWellFormed reads each page as XML with HTML's void elements:
// every element that is opened must be closed in order, every attribute quoted
// and no name of a fragment given twice.
func TestPagesWellFormed(t *testing.T) {
	t.Parallel()
	p := sample(t, "http://x")
	for path, f := range p.files {
		if f.policy == "" {
			continue
		}
		elements, ids, err := parse(body(t, serve(t, p, "GET", path, nil)))
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, name := range []string{"title", "h1", "main", "header"} {
			if n := count(elements, name); n != 1 {
				t.Errorf("%s: have %d elements %s, want 1", path, n, name)
			}
		}
		slices.Sort(ids)
		if n := len(slices.Compact(slices.Clone(ids))); n != len(ids) {
			t.Errorf("%s: an id stands twice among %v", path, ids)
		}
	}
}

func count(list []string, name string) int {
	n := 0
	for _, have := range list {
		if have == name {
			n++
		}
	}
	return n
}

// void matches the elements of HTML that have no end.
var void = regexp.MustCompile(`<((?:meta|link|img)\b[^>]*)>`)

func parse(text string) (elements, ids []string, err error) {
	d := xml.NewDecoder(strings.NewReader(void.ReplaceAllString(text, "<$1/>")))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return elements, ids, nil
		}
		if err != nil {
			return elements, ids, err
		}
		if start, ok := token.(xml.StartElement); ok {
			elements = append(elements, start.Name.Local)
			for _, a := range start.Attr {
				if a.Name.Local == "id" {
					ids = append(ids, a.Value)
				}
			}
		}
	}
}

// TestProblemExplanations holds the explanations to the problem types.
func TestProblemExplanations(t *testing.T) {
	t.Parallel()
	types := octavo.ProblemTypes()
	explained, err := explanations()
	if err != nil {
		t.Fatal(err)
	}
	if len(explained) != len(types) {
		t.Errorf("%d explanations for %d types", len(explained), len(types))
	}
	for _, info := range types {
		e := explained[info.Type]
		if e.Meaning == "" || len(e.Causes) == 0 || len(e.Remedies) == 0 {
			t.Errorf("%s: is not explained: %+v", info.Type, e)
		}
		if info.Type == octavo.Unauthorized {
			continue
		}
		var problem octavo.Problem
		if err := json.Unmarshal([]byte(e.example(info)), &problem); err != nil {
			t.Errorf("%s: the example is no JSON: %v", info.Type, err)
		}
		if problem.Type != "/problems/"+string(info.Type) || problem.Status != info.Status {
			t.Errorf("%s: the example is another problem: %+v", info.Type, problem)
		}
	}
}
