package frontmatter

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/octavo-docs/octavo"
)

// SplitMeta divides a file after lines of the form "Key: value" at its start, as
// MultiMarkdown and MkDocs have them: a line that is indented by four goes on with
// the value above, and an empty line ends them. The result front is a JSON object
// of strings, whose keys are in lower case; nil where there are no such lines.
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

// isMetaKey reports whether text is a key: letters, digits, _ and -.
func isMetaKey(text string) bool {
	return text != "" && strings.IndexFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}
