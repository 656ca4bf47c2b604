package conform

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

const contentType = "Content-Type"

// answer is the response to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

type mismatch struct{ have, want string }

// try checks a response by a step, or stores what the step captures. It returns nil if the
// step succeeds.
func (s *step) try(a *answer, v *values, doc *document) *mismatch {
	var want string
	var err error
	if s.op == "matches" {
		want, err = v.expandPattern(s.want)
	} else {
		want, err = v.expand(s.want)
	}
	if err != nil {
		return &mismatch{"an operand that cannot be made: " + err.Error(), s.want}
	}
	switch s.subject {
	case "status":
		return tryStatus(a, want)
	case "capture":
		return s.keep(a, v, want)
	case "schema":
		return doc.checkComponent(want, a.body)
	case "header":
		return tryHeader(a.header.Values(s.key), s.op, want)
	case "body":
		if s.op == "empty" {
			if len(a.body) == 0 {
				return nil
			}
			return &mismatch{excerpt(a.body), "no body"}
		}
		return tryText(string(a.body), s.op, want)
	}
	return tryJSON(a.body, s.key, s.op, want)
}

func tryStatus(a *answer, want string) *mismatch {
	have := strconv.Itoa(a.status)
	if have == want || want[1:] == "xx" && have[0] == want[0] {
		return nil
	}
	return &mismatch{strings.TrimSpace(have + " " + excerpt(a.body)), want}
}

func tryHeader(have []string, op, want string) *mismatch {
	joined := strings.Join(have, ", ")
	switch {
	case op == "absent" && len(have) > 0:
		return &mismatch{strconv.Quote(joined), "no such field"}
	case op == "absent":
		return nil
	case len(have) == 0 && op == "present":
		return &mismatch{"no such field", "any value"}
	case op == "present":
		return nil
	case len(have) == 0 && (op == "!=" || op == "lacks"):
		return nil
	case len(have) == 0:
		return &mismatch{"no such field", op + " " + strconv.Quote(want)}
	}
	return tryText(joined, op, want)
}

func tryText(have, op, want string) *mismatch {
	ok := false
	switch op {
	case "==":
		ok = have == want
	case "!=":
		ok = have != want
	case "contains":
		ok = strings.Contains(have, want)
	case "lacks":
		ok = !strings.Contains(have, want)
	case "matches":
		pattern, err := regexp.Compile(want)
		if err != nil {
			return &mismatch{err.Error(), "a regular expression"}
		}
		ok = pattern.MatchString(have)
	}
	switch {
	case ok:
		return nil
	case op == "==":
		return &mismatch{strconv.Quote(excerpt([]byte(have))), strconv.Quote(excerpt([]byte(want)))}
	}
	return &mismatch{strconv.Quote(excerpt([]byte(have))), op + " " + strconv.Quote(excerpt([]byte(want)))}
}

// tryJSON compares the value at a pointer with an operand.
func tryJSON(body []byte, pointer, op, want string) *mismatch {
	root, err := parseJSON(body)
	if err != nil {
		return &mismatch{"no JSON: " + err.Error() + ": " + excerpt(body), "JSON"}
	}
	have, found := lookup(root, pointer)
	switch {
	case op == "absent" && found:
		return &mismatch{show(have), "no such value"}
	case op == "absent", op == "present" && found:
		return nil
	case !found && (op == "!=" || op == "lacks"):
		return nil
	case !found:
		return &mismatch{fmt.Sprintf("nothing at %s in %s", pointer, show(root)), strings.TrimSpace(op + " " + want)}
	case op == "matches":
		text, ok := have.(string)
		if !ok {
			return &mismatch{show(have), "a string"}
		}
		return tryText(text, op, want)
	case op == "length":
		return tryLength(have, want)
	}
	wanted, err := parseJSON([]byte(want))
	if err != nil {
		return &mismatch{"an operand that is no JSON: " + err.Error(), want}
	}
	return tryValue(have, op, wanted)
}

// tryLength counts elements, members or code points.
func tryLength(have any, want string) *mismatch {
	n := -1
	switch v := have.(type) {
	case []any:
		n = len(v)
	case map[string]any:
		n = len(v)
	case string:
		n = utf8.RuneCountInString(v)
	}
	if strconv.Itoa(n) == want {
		return nil
	}
	return &mismatch{fmt.Sprintf("%d: %s", n, show(have)), want}
}

func tryValue(have any, op string, want any) *mismatch {
	switch op {
	case "==", "!=":
		if covers(have, want, true) == (op == "==") {
			return nil
		}
		if op == "==" {
			return &mismatch{show(have), show(want)}
		}
		return &mismatch{show(have), op + " " + show(want)}
	}
	list, ok := have.([]any)
	if !ok {
		return &mismatch{show(have), "an array"}
	}
	count := 0
	for i, item := range list {
		switch {
		case covers(item, want, false):
			count++
		case op == "each":
			return &mismatch{fmt.Sprintf("element %d: %s", i, show(item)), "each " + show(want)}
		}
	}
	if op == "each" || (count > 0) == (op == "contains") {
		return nil
	}
	return &mismatch{show(have), op + " " + show(want)}
}

// keep stores a captured value.
func (s *step) keep(a *answer, v *values, from string) *mismatch {
	switch s.op {
	case "body":
		v.named[s.key] = string(a.body)
		return nil
	case "header":
		list := a.header.Values(from)
		if len(list) == 0 {
			return &mismatch{"no such field", "a value to capture"}
		}
		v.named[s.key] = strings.Join(list, ", ")
		return nil
	}
	root, err := parseJSON(a.body)
	if err != nil {
		return &mismatch{"no JSON: " + err.Error() + ": " + excerpt(a.body), "JSON"}
	}
	value, found := lookup(root, from)
	if !found {
		return &mismatch{fmt.Sprintf("nothing at %s in %s", from, show(root)), "a value to capture"}
	}
	if text, ok := value.(string); ok {
		v.named[s.key] = text
		return nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return &mismatch{err.Error(), "a value to capture"}
	}
	v.named[s.key] = string(text)
	return nil
}
