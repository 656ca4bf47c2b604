package conform

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// step is an expectation or a capture.
type step struct {
	line    int
	text    string // as written, for reports
	subject string // status, header, body, json, schema or capture
	key     string // the field of a header, the pointer of json, the name of a capture
	op      string
	want    string // the operand with its placeholders
}

func (s step) isStatus() bool { return s.subject == "status" }

// operators returns the operators of a subject, and whether each takes an operand.
func operators(subject string) map[string]bool {
	text := map[string]bool{"==": true, "!=": true, "contains": true, "lacks": true, "matches": true}
	switch subject {
	case "header":
		text["absent"], text["present"] = false, false
	case "body":
		text["empty"] = false
	case "json":
		text["each"], text["length"], text["absent"], text["present"] = true, true, false, false
	}
	return text
}

func (p *parser) step(b *block, subject, rest, line string) error {
	s := step{line: p.next, text: line, subject: subject}
	var err error
	switch subject {
	case "status":
		if !statusForm.MatchString(rest) {
			return fmt.Errorf("a status is a number such as 201 or a class such as 2xx, not %q", rest)
		}
		s.want = rest
	case "schema":
		if !bareName.MatchString(rest) {
			return fmt.Errorf("\"schema\" needs the name of a component, not %q", rest)
		}
		s.want = rest
	case "capture":
		err = s.capture(rest)
		defer func() { p.known[s.key] = true }()
	default:
		err = p.operation(&s, rest)
	}
	if err != nil {
		return err
	}
	b.steps = append(b.steps, s)
	return p.check(s.want)
}

var statusForm = regexp.MustCompile(`^[1-5](xx|\d\d)$`)

// capture parses what follows "capture".
func (s *step) capture(rest string) error {
	words := strings.Fields(rest)
	switch {
	case len(words) < 2 || !bareName.MatchString(words[0]):
	case len(words) == 2 && strings.HasPrefix(words[1], "/"):
		s.key, s.op, s.want = words[0], "json", words[1]
		return nil
	case len(words) == 2 && words[1] == "body":
		s.key, s.op = words[0], "body"
		return nil
	case len(words) == 3 && words[1] == "header":
		s.key, s.op, s.want = words[0], "header", words[2]
		return nil
	}
	return fmt.Errorf("a capture is NAME /POINTER, NAME header FIELD or NAME body, not %q", rest)
}

// operation parses what follows "header", "body" or "json".
func (p *parser) operation(s *step, rest string) error {
	if s.subject == "header" || s.subject == "json" && strings.HasPrefix(rest, "/") {
		s.key, rest, _ = strings.Cut(rest, " ")
	}
	if s.subject == "header" && !bareName.MatchString(s.key) {
		return fmt.Errorf("%q is no field name", s.key)
	}
	s.op, rest, _ = strings.Cut(rest, " ")
	operand, ok := operators(s.subject)[s.op]
	switch {
	case !ok:
		return fmt.Errorf("%q cannot be asked of %s; these can: %s", s.op, s.subject, strings.Join(slices.Sorted(maps.Keys(operators(s.subject))), ", "))
	case !operand && rest != "":
		return fmt.Errorf("nothing may follow %q, but there is %q", s.op, rest)
	case !operand:
		return nil
	case strings.TrimSpace(rest) == "":
		return fmt.Errorf("something must follow %q", s.op)
	}
	want, err := p.fenced(rest)
	if err != nil {
		return err
	}
	if s.subject != "json" && s.op != "matches" && strings.HasPrefix(want, `"`) {
		if want, err = strconv.Unquote(want); err != nil {
			return fmt.Errorf("%s is no string in Go syntax", rest)
		}
	}
	s.want = want
	return s.checkOperand()
}

// checkOperand finds mistakes in an operand before a run.
func (s *step) checkOperand() error {
	switch {
	case s.op == "matches":
		_, err := regexp.Compile(placeholderForm.ReplaceAllString(s.want, "x"))
		return err
	case s.op == "length":
		if n, err := strconv.Atoi(s.want); err != nil || n < 0 {
			return fmt.Errorf("a length is a number, not %q", s.want)
		}
	case s.subject == "json" && !strings.Contains(s.want, "${"):
		if _, err := parseJSON([]byte(s.want)); err != nil {
			return fmt.Errorf("%q is no JSON: %w", s.want, err)
		}
	}
	return nil
}
