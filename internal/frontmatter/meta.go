package frontmatter

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/octavo-docs/octavo"
)

// SplitMeta splits lines of the form "Key: value" off the start of a file, as in
// MultiMarkdown and MkDocs: a line indented by four continues a value, and an empty line
// ends them. front is a JSON object of strings with lower-case keys, nil if there are
// none.
func SplitMeta(file []byte) (raw, body []byte, front json.RawMessage) {
	object := octavo.Value{Kind: octavo.KindObject}
	rest := bytes.TrimPrefix(file, []byte(byteOrderMark))
lines:
	for len(rest) > 0 && len(file)-len(rest) <= MaxBytes {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		text := strings.TrimSpace(string(line))
		key, value, found := strings.Cut(text, ":")
		n := len(object.Members)
		switch {
		case text == "" && n > 0:
			rest = after
			break lines
		case n > 0 && (bytes.HasPrefix(line, []byte("    ")) || bytes.HasPrefix(line, []byte("\t"))):
			object.Members[n-1].Value.Str = strings.TrimSpace(object.Members[n-1].Value.Str + " " + text)
			rest = after
		case found && isMetaKey(key) && !bytes.HasPrefix(line, []byte("    ")):
			key = strings.ToLower(key)
			if _, twice := object.Get(key); !twice {
				object.Members = append(object.Members, octavo.Member{Name: key, Value: octavo.String(strings.TrimSpace(value))})
			}
			rest = after
		default:
			break lines
		}
	}
	if len(object.Members) == 0 {
		return nil, file, nil
	}
	return file[:len(file)-len(rest)], rest, object.AppendJSON(nil)
}

// isMetaKey reports whether text consists of letters, digits, _ and -.
func isMetaKey(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
