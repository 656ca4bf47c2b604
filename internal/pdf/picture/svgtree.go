package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
)

// element is an element of a drawing, or a text node.
type element struct {
	xml.StartElement
	parent   *element
	children []*element
	text     string // of a text node, which has no name
}

func (e *element) attribute(name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// foreign reports whether an element is of a namespace without visible content, such as those of editors.
func (e *element) foreign() bool {
	return e.Name.Space != "" && e.Name.Space != "svg" && !strings.HasSuffix(e.Name.Space, "w3.org/2000/svg")
}

type tree struct {
	sheets
	root *element
	ids  map[string]*element // first element per id
	left map[string]bool     // names of unsupported elements
}

// read parses a drawing. It loads no external resources.
func read(data []byte) (*tree, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		data, _ = unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Bytes(data) // invalid UTF-16 is not XML either
	}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict, decoder.CharsetReader = false, decoded
	t := &tree{sheets: sheets{rules: map[string][]rule{}}, ids: map[string]*element{}, left: map[string]bool{}}
	r := reader{tree: t}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && t.root != nil {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read drawing: %w", err)
		}
		switch token := token.(type) {
		case xml.Directive:
			if decoder.Entity, err = t.entities(string(token), bytes.Count(data, []byte("&"))); err != nil {
				return nil, err
			}
		case xml.StartElement:
			if err := r.start(token); err != nil {
				return nil, err
			}
		case xml.EndElement:
			r.end()
		case xml.CharData:
			r.text(token)
		}
	}
}

// decoded converts other encodings than UTF-8.
func decoded(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be": // UTF-16 was converted before
		return in, nil
	}
	return charset.NewReaderLabel(label, in)
}

// maxEntity limits the bytes of an entity.
const maxEntity = 4096

// entities returns the entities declared in a document type. uses limits their expansion. Markup in
// them is ignored.
func (t *tree) entities(doctype string, uses int) (map[string]string, error) {
	all, longest := map[string]string{}, 0
	for _, part := range strings.Split(doctype, "<!ENTITY")[1:] {
		name, rest, _ := strings.Cut(strings.TrimSpace(part), " ")
		rest = strings.TrimSpace(rest)
		if rest == "" || rest[0] != '"' && rest[0] != '\'' { // an external entity
			continue
		}
		value, _, _ := strings.Cut(rest[1:], rest[:1])
		for i := strings.IndexByte(value, '&'); i >= 0 && len(value) <= maxEntity; i = strings.IndexByte(value, '&') {
			inner, after, ok := strings.Cut(value[i+1:], ";")
			known, found := all[inner]
			if !ok || !found {
				known = strings.NewReplacer("#38", "", "#60", "<").Replace(inner) // as written in XML, or a mistake
			}
			value = value[:i] + known + after
		}
		if len(value) > maxEntity || strings.Contains(value, "<") {
			t.left["ENTITY"] = true
			continue
		}
		all[name], longest = value, max(longest, len(value))
	}
	if uses*longest > maxSource {
		return nil, errors.New("a drawing whose entities are too long")
	}
	return all, nil
}

type reader struct {
	*tree
	open     []*element
	elements int
	html     int // number of open elements that are HTML, or contain it
}

func (r *reader) start(token xml.StartElement) error {
	if r.elements++; r.elements > maxElements {
		return errors.New("a drawing of too many elements")
	}
	if len(r.open) > maxNesting {
		return errors.New("a drawing that is nested too deeply")
	}
	e := &element{StartElement: token.Copy()}
	e.Attr = slices.DeleteFunc(e.Attr, func(a xml.Attr) bool { // attributes of editors, such as Inkscape
		return a.Name.Space != "" && !strings.HasSuffix(a.Name.Space, "xlink") && !strings.HasSuffix(a.Name.Space, "/namespace") && a.Name.Space != "xml"
	})
	if r.root == nil {
		if e.Name.Local != "svg" {
			return ErrFormat
		}
		r.root = e
	} else if len(r.open) > 0 {
		e.parent = r.open[len(r.open)-1]
		e.parent.children = append(e.parent.children, e)
	}
	if id := e.attribute("id"); id != "" && r.ids[id] == nil {
		r.ids[id] = e
	}
	switch name := e.Name.Local; {
	case name == "foreignObject" || r.html > 0:
		r.html++
	case name == "set" || strings.HasPrefix(name, "animate"): // only the initial state is shown
		r.left[name] = true
	}
	r.open = append(r.open, e)
	return nil
}

func (r *reader) end() {
	if len(r.open) == 0 {
		return
	}
	if e := r.open[len(r.open)-1]; e.Name.Local == "style" {
		r.addRules(e)
	}
	r.html = max(0, r.html-1)
	r.open = r.open[:len(r.open)-1]
}

func (r *reader) text(data []byte) {
	if len(r.open) == 0 {
		return
	}
	parent := r.open[len(r.open)-1]
	switch parent.Name.Local {
	case "text", "tspan", "textPath", "a", "style":
	default:
		if r.html == 0 {
			return
		}
	}
	parent.children = append(parent.children, &element{text: string(data)})
}
