package conform

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// checkAnswer checks a response against the operation of its request, and returns
// everything that the document does not allow. Requests outside the document are not
// checked.
func (d *document) checkAnswer(method, target string, a *answer) []mismatch {
	path, _, _ := strings.Cut(target, "?")
	op := d.find(method, path)
	if op == nil {
		return nil
	}
	name := op.method + " " + op.template
	pointer, ok := d.response(op, a.status)
	if !ok {
		return []mismatch{{fmt.Sprintf("%d %s", a.status, excerpt(a.body)), "a status that the document declares for " + name}}
	}
	list := d.checkHeaders(pointer, a)
	bodiless := method == http.MethodHead || a.status == http.StatusNotModified || a.status == http.StatusNoContent
	if m := d.checkBody(pointer, bodiless, a); m != nil {
		list = append(list, *m)
	}
	return list
}

func (d *document) response(op *operation, status int) (pointer string, found bool) {
	for _, key := range []string{strconv.Itoa(status), fmt.Sprintf("%dXX", status/100), "default"} {
		pointer := op.pointer + "/responses/" + key
		if _, ok := lookup(d.root, pointer); ok {
			return d.follow(pointer), true
		}
	}
	return "", false
}

// follow resolves references within the document.
func (d *document) follow(pointer string) string {
	for range 10 {
		ref, ok := lookup(d.root, pointer+"/$ref")
		target, isText := ref.(string)
		if !ok || !isText || !strings.HasPrefix(target, "#") {
			return pointer
		}
		pointer = target[1:]
	}
	return pointer
}

// reportedHeaders must be declared in the document if a response has one, since generated
// clients only read declared fields.
var reportedHeaders = [...]string{"ETag", "Idempotency-Replayed", "Link", "Location", "Retry-After", "WWW-Authenticate"}

// checkHeaders validates header fields against their schemas, and checks that required
// ones are present.
func (d *document) checkHeaders(response string, a *answer) []mismatch {
	node, _ := lookup(d.root, response+"/headers")
	declared, _ := node.(map[string]any)
	var list []mismatch
	known := http.Header{}
	for name := range declared {
		known.Set(name, "")
	}
	names := reportedHeaders[:]
	if d.closed {
		names = unusual(a.header)
	}
	for _, name := range names {
		if value := a.header.Get(name); value != "" && known.Values(name) == nil {
			list = append(list, mismatch{fmt.Sprintf("header %s %q", name, value), "a field that the document declares for the answer"})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(declared)) {
		pointer := d.follow(response + "/headers/" + escapeToken(name))
		values := a.header.Values(name)
		if len(values) == 0 {
			if required, _ := lookup(d.root, pointer+"/required"); required == true {
				list = append(list, mismatch{"no header " + name, "the header, which the document requires"})
			}
			continue
		}
		text := strings.Join(values, ", ")
		if err := d.validateHeader(pointer+"/schema", text); err != nil {
			list = append(list, mismatch{fmt.Sprintf("header %s %q: %v", name, text, err), "a value that fits the document"})
		}
	}
	return list
}

// validateHeader validates a field value: as a string, or else as the number or boolean
// that it spells.
func (d *document) validateHeader(pointer, text string) error {
	err := d.validate(pointer, text)
	if err == nil {
		return nil
	}
	if value, bad := parseJSON([]byte(text)); bad == nil && d.validate(pointer, value) == nil {
		return nil
	}
	return err
}

// checkBody checks a body against the media types of a response.
func (d *document) checkBody(response string, bodiless bool, a *answer) *mismatch {
	node, _ := lookup(d.root, response+"/content")
	content, _ := node.(map[string]any)
	if bodiless || len(content) == 0 {
		if len(a.body) > 0 {
			return &mismatch{excerpt(a.body), "no body, as the document declares none"}
		}
		return nil
	}
	declared := strings.Join(slices.Sorted(maps.Keys(content)), " or ")
	mediaType, _, err := mime.ParseMediaType(a.header.Get(contentType))
	if err != nil {
		return &mismatch{fmt.Sprintf("Content-Type %q and the body %s", a.header.Get(contentType), excerpt(a.body)), declared}
	}
	key, ok := pickMediaType(content, mediaType)
	if !ok {
		return &mismatch{"Content-Type " + mediaType, declared}
	}
	pointer := response + "/content/" + escapeToken(key)
	if _, ok := lookup(d.root, pointer+"/schema"); !ok {
		return nil
	}
	var value any = string(a.body)
	if mediaType == "application/json" || strings.HasSuffix(mediaType, "+json") {
		if value, err = parseJSON(a.body); err != nil {
			return &mismatch{"no JSON: " + err.Error() + ": " + excerpt(a.body), mediaType}
		}
	}
	if err := d.validate(pointer+"/schema", value); err != nil {
		return &mismatch{fmt.Sprintf("%s: %v", excerpt(a.body), err), "a body that fits the document"}
	}
	return nil
}

// pickMediaType finds the key of a content object that covers a media type.
func pickMediaType(content map[string]any, mediaType string) (string, bool) {
	kind, _, _ := strings.Cut(mediaType, "/")
	for _, key := range []string{mediaType, kind + "/*", "*/*"} {
		if _, ok := content[key]; ok {
			return key, true
		}
	}
	return "", false
}

// checkComponent checks a body against a component schema of the document.
func (d *document) checkComponent(name string, body []byte) *mismatch {
	value, err := parseJSON(body)
	if err != nil {
		return &mismatch{"no JSON: " + err.Error() + ": " + excerpt(body), "the schema " + name}
	}
	schemas := "/components/schemas/"
	if d.closed {
		schemas = closedSchemas
	}
	if err := d.validate(schemas+name, value); err != nil {
		return &mismatch{fmt.Sprintf("%s: %v", excerpt(body), err), "the schema " + name}
	}
	return nil
}
