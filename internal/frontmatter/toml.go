package frontmatter

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/octavo-docs/octavo"
)

func decodeTOML(text []byte) (octavo.Value, error) {
	if line, column, deep := tooDeep(text); deep {
		return octavo.Value{}, &Error{Line: line, Column: column, Message: depthMessage()}
	}
	var document map[string]any
	meta, err := toml.Decode(string(text), &document)
	if syntax, ok := errors.AsType[toml.ParseError](err); ok {
		at := syntax.Position
		return octavo.Value{}, &Error{Line: max(at.Line, 1), Column: max(at.Col, 1), Message: "is not valid TOML: " + syntax.Message}
	}
	if err != nil {
		return octavo.Value{}, &Error{Line: 1, Column: 1, Message: "is not valid TOML: " + err.Error()}
	}
	c := tomlConverter{rank: ranks(meta.Keys())}
	return c.value(document, "", 0)
}

// ranks numbers keys by first appearance. Their parts are joined by NUL, which TOML
// forbids.
func ranks(keys []toml.Key) map[string]int {
	rank := make(map[string]int, len(keys))
	for _, key := range keys {
		path := ""
		for _, part := range key {
			path += "\x00" + part
			if _, known := rank[path]; !known {
				rank[path] = len(rank)
			}
		}
	}
	return rank
}

type tomlConverter struct {
	rank map[string]int
}

func (c tomlConverter) value(in any, path string, depth int) (octavo.Value, error) {
	if depth > MaxDepth { // from dotted keys, which tooDeep checks separately
		return octavo.Value{}, c.fault(path, depthMessage())
	}
	switch in := in.(type) {
	case map[string]any:
		return c.table(in, path, depth+1)
	case []map[string]any:
		items := make([]any, len(in))
		for i, table := range in {
			items[i] = table
		}
		return c.array(items, path, depth+1)
	case []any:
		return c.array(in, path, depth+1)
	case string:
		return octavo.String(in), nil
	case bool:
		return octavo.Value{Kind: octavo.KindBool, Bool: in}, nil
	case int64:
		return octavo.Value{Kind: octavo.KindNumber, Str: strconv.FormatInt(in, 10)}, nil
	case float64:
		if math.IsInf(in, 0) || math.IsNaN(in) {
			return octavo.Value{}, c.fault(path, "the numbers inf and nan cannot be expressed in JSON")
		}
		return octavo.Value{Kind: octavo.KindNumber, Str: formatFloat(in)}, nil
	case time.Time:
		return octavo.String(formatTime(in)), nil
	}
	return octavo.Value{}, c.fault(path, fmt.Sprintf("a TOML value of type %T is not known", in))
}

func (c tomlConverter) table(in map[string]any, path string, depth int) (octavo.Value, error) {
	v := octavo.Value{Kind: octavo.KindObject}
	for _, name := range slices.SortedFunc(maps.Keys(in), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.rank[path+"\x00"+a], c.rank[path+"\x00"+b]), strings.Compare(a, b))
	}) {
		member, err := c.value(in[name], path+"\x00"+name, depth)
		if err != nil {
			return v, err
		}
		v.Members = append(v.Members, octavo.Member{Name: name, Value: member})
	}
	return v, nil
}

func (c tomlConverter) array(in []any, path string, depth int) (octavo.Value, error) {
	v := octavo.Value{Kind: octavo.KindArray}
	for _, element := range in {
		item, err := c.value(element, path, depth)
		if err != nil {
			return v, err
		}
		v.Items = append(v.Items, item)
	}
	return v, nil
}

// fault names the key, since the library does not report lines of values.
func (c tomlConverter) fault(path, message string) *Error {
	escape := strings.NewReplacer("~", "~0", "/", "~1", "\x00", "/")
	return &Error{Line: 1, Column: 1, Pointer: escape.Replace(path), Message: message}
}

// formatFloat returns the shortest literal for a binary64 value.
func formatFloat(f float64) string {
	literal := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(literal, ".e") {
		literal += ".0"
	}
	return literal
}

// formatTime formats a TOML date or time like RFC 3339, with only the parts given. The
// library encodes missing parts in the location.
func formatTime(t time.Time) string {
	switch t.Location().String() {
	case "datetime-local":
		return t.Format("2006-01-02T15:04:05.999999999")
	case "date-local":
		return t.Format(time.DateOnly)
	case "time-local":
		return t.Format("15:04:05.999999999")
	}
	return t.Format(time.RFC3339Nano)
}
