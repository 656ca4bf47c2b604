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

// element is an element of a drawing, or text between elements.
type element struct {
	xml.StartElement
	parent   *element
	children []*element
	text     string // of text, which has no name
}

func (e *element) attribute(name string) string { return attribute(e.StartElement, name) }

// foreign reports whether an element is of a namespace that draws nothing, such
// as those of drawing programs.
func (e *element) foreign() bool {
	return e.Name.Space != "" && e.Name.Space != "svg" && !strings.HasSuffix(e.Name.Space, "w3.org/2000/svg")
}

// tree is a drawing as it was read.
type tree struct {
	sheets
	root *element
	ids  map[string]*element // the first of each name
	left map[string]bool     // names of what is not drawn
}

// read reads a drawing. Nothing is loaded: what an address names elsewhere is not
// looked for.
func read(data []byte) (*tree, error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		data, _ = unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Bytes(data) // what is no UTF-16 is no XML either
	}
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict, decoder.CharsetReader = false, decoded
	t := &tree{sheets: newSheets(), ids: map[string]*element{}, left: map[string]bool{}}
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

// decoded reads what is not in UTF-8.
func decoded(label string, in io.Reader) (io.Reader, error) {
	switch strings.ToLower(label) {
	case "us-ascii", "ascii", "utf-16", "utf-16le", "utf-16be": // the last were turned to UTF-8 before
		return in, nil
	}
	return charset.NewReaderLabel(label, in)
}

// maxEntity bounds the bytes that an entity stands for.
const maxEntity = 4096

// entities returns the entities that a document type declares, to be used at most
// so many times: text, which may hold those before. Markup is left out.
func (t *tree) entities(doctype string, uses int) (map[string]string, error) {
	all, longest := map[string]string{}, 0
	for _, part := range strings.Split(doctype, "<!ENTITY")[1:] {
		name, rest, _ := strings.Cut(strings.TrimSpace(part), " ")
		rest = strings.TrimSpace(rest)
		if rest == "" || rest[0] != '"' && rest[0] != '\'' { // of another file
			continue
		}
		value, _, _ := strings.Cut(rest[1:], rest[:1])
		for i := strings.IndexByte(value, '&'); i >= 0 && len(value) <= maxEntity; i = strings.IndexByte(value, '&') {
			inner, after, ok := strings.Cut(value[i+1:], ";")
			known, found := all[inner]
			if !ok || !found {
				known = strings.NewReplacer("#38", "", "#60", "<").Replace(inner) // as XML has them, or a mistake
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

// reader builds a tree.
type reader struct {
	*tree
	open     []*element
	elements int
	html     int // how many of the open elements are HTML, or hold some
}

func (r *reader) start(token xml.StartElement) error {
	if r.elements++; r.elements > maxElements {
		return errors.New("a drawing of too many elements")
	}
	if len(r.open) > maxNesting {
		return errors.New("a drawing that is nested too deeply")
	}
	e := &element{StartElement: token.Copy()}
	e.Attr = slices.DeleteFunc(e.Attr, func(a xml.Attr) bool { // those of programs, such as Inkscape
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
	case name == "set" || strings.HasPrefix(name, "animate"): // shown as it is at first
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
