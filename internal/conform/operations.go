package conform

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func (d *document) readOperations() error {
	paths, _ := lookup(d.root, "/paths")
	items, _ := paths.(map[string]any)
	for path := range items {
		pathPointer := "/paths/" + escapeToken(path)
		for _, method := range []string{"get", "put", "post", "delete", "options", "head", "patch", "trace"} {
			pointer := pathPointer + "/" + method
			if _, ok := lookup(d.root, pointer); !ok {
				continue
			}
			if err := d.readOperation(path, pathPointer, pointer, strings.ToUpper(method)); err != nil {
				return err
			}
		}
	}
	if len(d.operations) == 0 {
		return errors.New("the OpenAPI document has no operations")
	}
	slices.SortFunc(d.operations, func(a, b operation) int {
		if a.literals != b.literals {
			return b.literals - a.literals
		}
		return strings.Compare(a.pointer, b.pointer)
	})
	return nil
}

// readOperation adds an operation once for each of its servers.
func (d *document) readOperation(path, pathPointer, pointer, method string) error {
	list, own := lookup(d.root, pointer+"/servers")
	if !own {
		list, own = lookup(d.root, pathPointer+"/servers")
	}
	if !own {
		list, _ = lookup(d.root, "/servers")
	}
	servers, _ := list.([]any)
	if len(servers) == 0 {
		servers = []any{map[string]any{"url": ""}}
	}
	for _, server := range servers {
		prefix, literals := serverPattern(server)
		if own {
			// The search server is at /search of the public address (decision 1), whatever its host
			// in the document.
			prefix = "(?:/search)?" + prefix
		}
		rest, more := replaceVariables(path, func(string) string { return "[^/]+" })
		pattern, err := regexp.Compile("^" + prefix + rest + "$")
		if err != nil {
			return fmt.Errorf("read the OpenAPI document: path %s: %w", path, err)
		}
		d.operations = append(d.operations, operation{method, path, pattern, literals + more, pointer})
	}
	return nil
}

var variable = regexp.MustCompile(`\{([^{}]+)\}`)

// serverPattern returns a pattern for the path of a server's address. A variable matches
// the values of its enum, or its default.
func serverPattern(server any) (pattern string, literals int) {
	address, _ := lookup(server, "/url")
	text, _ := address.(string)
	text = variable.ReplaceAllStringFunc(text, func(name string) string {
		at := "/variables/" + escapeToken(name[1:len(name)-1])
		if _, ok := lookup(server, at+"/enum"); ok {
			return name
		}
		value, _ := lookup(server, at+"/default")
		fixed, _ := value.(string)
		return fixed
	})
	if _, rest, ok := strings.Cut(text, "://"); ok {
		_, path, _ := strings.Cut(rest, "/")
		text = "/" + path
	}
	return replaceVariables(strings.TrimRight(text, "/"), func(name string) string {
		list, _ := lookup(server, "/variables/"+escapeToken(name)+"/enum")
		values, _ := list.([]any)
		var choice []string
		for _, value := range values {
			choice = append(choice, regexp.QuoteMeta(fmt.Sprint(value)))
		}
		return "(?:" + strings.Join(choice, "|") + ")"
	})
}

func replaceVariables(text string, with func(name string) string) (pattern string, literals int) {
	var b strings.Builder
	at := 0
	for _, m := range variable.FindAllStringSubmatchIndex(text, -1) {
		b.WriteString(regexp.QuoteMeta(text[at:m[0]]))
		b.WriteString(with(text[m[2]:m[3]]))
		literals += m[0] - at
		at = m[1]
	}
	b.WriteString(regexp.QuoteMeta(text[at:]))
	return b.String(), literals + len(text) - at
}
