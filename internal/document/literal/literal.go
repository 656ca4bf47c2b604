// Package literal parses MDX expressions that are literals. It evaluates nothing.
package literal

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// maxDepth limits the nesting of arrays and objects.
const maxDepth = 64

// Value returns the value of an expression that is a literal: a string, a template without
// substitutions, a number, true, false, null, or an array or object of literals; or the
// name of one of values, optionally followed by members.
func Value(expression string, values map[string]any) (value any, ok bool) {
	r := reader{rest: expression, values: values}
	value, ok = r.value(0)
	r.skip()
	return value, ok && r.rest == ""
}

// Constant parses "name = literal" at the start of a text and returns the rest.
func Constant(text string, values map[string]any) (name string, value any, rest string, ok bool) {
	r := reader{rest: text, values: values}
	r.skip()
	if name = r.identifier(); name == "" || !r.take('=') {
		return "", nil, text, false
	}
	value, ok = r.value(0)
	return name, value, r.rest, ok
}

// Empty reports whether an expression is blank or a comment.
func Empty(expression string) bool {
	r := reader{rest: expression}
	r.skip()
	return r.rest == ""
}

// Comment reports whether braces contain only a comment or nothing.
func Comment(expression string) bool {
	return len(expression) > 1 && expression[0] == '{' && Empty(expression[1:len(expression)-1])
}

// reader parses literals at the start of rest.
type reader struct {
	rest   string
	values map[string]any
}

// skip skips white space and comments.
func (r *reader) skip() {
	for {
		r.rest = r.rest[inline.Spaces(r.rest):]
		switch {
		case strings.HasPrefix(r.rest, "/*"):
			_, after, _ := strings.Cut(r.rest[2:], "*/")
			r.rest = after
		case strings.HasPrefix(r.rest, "//"):
			_, after, _ := strings.Cut(r.rest, "\n")
			r.rest = after
		default:
			return
		}
	}
}

// take skips c if it is next.
func (r *reader) take(c byte) bool {
	r.skip()
	if r.rest == "" || r.rest[0] != c {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *reader) value(depth int) (any, bool) {
	r.skip()
	if r.rest == "" || depth > maxDepth {
		return nil, false
	}
	switch c := r.rest[0]; {
	case c == '"' || c == '\'' || c == '`':
		return r.str()
	case c == '[':
		return r.array(depth)
	case c == '{':
		return r.object(depth)
	case inline.IsDigit(c) || c == '-' || c == '.':
		return r.number()
	}
	return r.named()
}

func (r *reader) str() (any, bool) {
	n := inline.Quoted(r.rest)
	if n == 0 {
		return nil, false
	}
	quote, s := r.rest[0], r.rest[1:n]
	r.rest = r.rest[n+1:]
	if quote == '`' && strings.Contains(s, "${") {
		return nil, false
	}
	if strings.IndexByte(s, '\\') < 0 {
		return s, true
	}
	return Unescape(s), true
}

// Unescape resolves the escapes of a JavaScript string.
func Unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r', '\n': // a line continuation
		case 'u', 'x':
			n := codeUnit(s[i:])
			if n == 0 {
				b.WriteByte(s[i])
				continue
			}
			code, _ := strconv.ParseUint(strings.Trim(s[i+1:i+n], "{}"), 16, 32) // codeUnit has checked the digits
			b.WriteRune(rune(min(code, utf8.MaxRune+1)))
			i += n - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func codeUnit(s string) int {
	n := 5
	if s[0] == 'x' {
		n = 3
	} else if len(s) > 1 && s[1] == '{' {
		n = strings.IndexByte(s, '}') + 1
	}
	if n <= 1 || n > 10 || n > len(s) {
		return 0
	}
	digits := strings.Trim(s[1:n], "{}")
	if _, err := strconv.ParseUint(digits, 16, 32); err != nil {
		return 0
	}
	return n
}

func (r *reader) number() (any, bool) {
	n := 1
	for n < len(r.rest) && (inline.IsDigit(r.rest[n]) || inline.IsLetter(r.rest[n]) || r.rest[n] == '.' || r.rest[n] == '_') {
		n++
	}
	digits := strings.ReplaceAll(r.rest[:n], "_", "")
	r.rest = r.rest[n:]
	if i, err := strconv.ParseInt(digits, 0, 64); err == nil && len(digits) > 2 && inline.IsLetter(digits[1]) {
		return float64(i), true
	}
	f, err := strconv.ParseFloat(digits, 64)
	return f, err == nil && !strings.ContainsAny(digits, "pPiInN")
}

func (r *reader) array(depth int) (any, bool) {
	r.rest = r.rest[1:]
	items := []any{}
	for !r.take(']') {
		item, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		items = append(items, item)
		if !r.take(',') && !strings.HasPrefix(r.rest, "]") {
			return nil, false
		}
	}
	return items, true
}

func (r *reader) object(depth int) (any, bool) {
	r.rest = r.rest[1:]
	members := map[string]any{}
	for !r.take('}') {
		name, ok := r.memberName()
		if !ok || !r.take(':') {
			return nil, false
		}
		value, ok := r.value(depth + 1)
		if !ok {
			return nil, false
		}
		members[name] = value
		if !r.take(',') && !strings.HasPrefix(r.rest, "}") {
			return nil, false
		}
	}
	return members, true
}

func (r *reader) memberName() (string, bool) {
	r.skip()
	if r.rest != "" && (r.rest[0] == '"' || r.rest[0] == '\'') {
		name, ok := r.str()
		if !ok {
			return "", false
		}
		return name.(string), true
	}
	name := r.identifier()
	return name, name != ""
}

// identifier reads a name.
func (r *reader) identifier() string {
	n := 0
	for n < len(r.rest) && (inline.IsLetter(r.rest[n]) || inline.IsDigit(r.rest[n]) || r.rest[n] == '_' || r.rest[n] == '$') {
		n++
	}
	name := r.rest[:n]
	r.rest = r.rest[n:]
	return name
}

// named parses a keyword or the name of a value.
func (r *reader) named() (any, bool) {
	name := r.identifier()
	switch name {
	case "true":
		return true, true
	case "false":
		return false, true
	case "null", "undefined":
		return nil, true
	case "require", "useBaseUrl", "withBase": // of a file: it is where it says
		if !r.take('(') {
			return nil, false
		}
		r.skip()
		file, ok := r.str()
		ok = ok && r.take(')')
		r.rest = strings.TrimPrefix(r.rest, ".default")
		return file, ok
	}
	value, ok := r.values[name]
	for ok && strings.HasPrefix(r.rest, ".") {
		r.rest = r.rest[1:]
		var members map[string]any
		if members, ok = value.(map[string]any); ok {
			value, ok = members[r.identifier()]
		}
	}
	return value, ok
}

// Exported parses "export const name = literal"; width is 0 for other statements.
func Exported(statement string, values map[string]any) (name string, value any, width int) {
	rest, ok := strings.CutPrefix(statement, "export const ")
	if !ok {
		return "", nil, 0
	}
	name, value, after, ok := Constant(rest, values)
	line, _, _ := strings.Cut(after, "\n")
	if !ok || strings.Trim(line, " \t;") != "" {
		return "", nil, 0
	}
	return name, value, len(statement) - len(after) + len(line)
}
