package dialect

import (
	"path"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// jekyllLine parses a line of Liquid: {% tag %} or {{ output }}.
func jekyllLine(line string) (Mark, bool) {
	if m, ok := output(line); ok && m.Width == len(line) {
		return m, true
	}
	c, ok := scanCall(line, "{%", "%}")
	if !ok || c.width != len(line) {
		return Mark{}, false
	}
	return jekyllBlock(c)
}

// jekyllText parses Liquid in a text, or an emoji.
func jekyllText(text string, at int) (Mark, bool) {
	if text[at] == ':' {
		return emojiAt(text[at:min(len(text), at+maxReach)])
	}
	if text[at] == '-' {
		return emDash(text, at)
	}
	if !strings.HasPrefix(text[at:], "{%") && !strings.HasPrefix(text[at:], "{{") {
		return Mark{}, false
	}
	c, ok := scanCall(text[at:], "{%", "%}")
	if raw(text[max(0, at-maxReach):at]) && c.name != "endraw" {
		return Mark{}, false
	}
	if !ok {
		return output(text[at:])
	}
	m, ok := jekyllBlock(c)
	if m.Form == Literal {
		behind := text[at+c.width : min(len(text), at+c.width+maxReach)]
		end := strings.Index(behind, m.End)
		if end >= 0 { // otherwise the content is among elements
			end += strings.Index(behind[end:]+"%}", "%}") + len("%}")
		}
		m, c.width = Mark{LeftOut: m.LeftOut}, c.width+min(max(end, 0), len(behind))
	}
	m.Width = c.width
	return m, ok
}

// raw reports whether a text ends between {% raw %} and {% endraw %}.
func raw(text string) bool {
	i := strings.LastIndex(text, "raw")
	return i >= 0 && strings.HasSuffix(strings.TrimRight(text[:i], " -"), "{%")
}

func jekyllBlock(c call) (Mark, bool) {
	switch c.name {
	case "highlight", "endhighlight":
		return Mark{}, false // available in every dialect
	case "raw", "endraw", "endcomment":
		return Mark{}, true
	case "comment":
		return Mark{Form: Literal, Hidden: true, End: "endcomment"}, true
	case "for", "tablerow":
		return Mark{Form: Literal, Hidden: true, LeftOut: true, End: "end" + c.name}, true
	case "if", "elsif", "else", "unless", "case", "when", "assign", "capture", "increment", "decrement", "break", "continue", "cycle", "seo", "feed_meta":
		return Mark{LeftOut: true}, true
	case "endif", "endunless", "endcase", "endcapture", "endfor", "endtablerow":
		return Mark{}, true
	case "include_relative":
		return jekyllFile(c.word(0), c.attributes), true
	case "include", "include_cached":
		return jekyllInclude(c), true
	case "link", "post_url":
		to, ok := jekyllAddress("{% " + c.name + " " + c.rest + " %}")
		return Mark{Name: "Link", Text: strings.TrimSuffix(path.Base(c.rest), path.Ext(c.rest)), Attributes: with(nil, "href", to)}, ok
	case "gist", "youtube", "vimeo":
		return Mark{Name: "iframe", Attributes: with(nil, "src", outside(c.name, c))}, true
	}
	if name, closing := strings.CutPrefix(c.name, "end"); closing {
		return Mark{Form: Closing, Name: unknownName(name)}, true
	}
	return Mark{Form: Opening, Alone: true, Name: unknownName(c.name), Attributes: c.attributes}, true
}

// jekyllInclude parses the include of a template: a callout whose text is an attribute, or
// Markdown.
func jekyllInclude(c call) Mark {
	name := c.word(0)
	kind := strings.TrimSuffix(path.Base(name), path.Ext(name))
	content := c.attributes.String("content", "text")
	switch {
	case content != "" && (element.Variant(kind) != "" || kind == "alert" || kind == "callout"):
		c.words = nil
		m := Mark{Name: "Callout", Title: content}
		m.Attributes, _ = calloutOf(kind, c)
		return m
	case reference.IsText(name), path.Ext(name) == ".html" && len(c.attributes) > 0:
		return jekyllFile("_includes/"+name, c.attributes)
	}
	return Mark{LeftOut: true}
}

// jekyllFile makes a mark for a file that shows these values.
func jekyllFile(name string, values attribute.List) Mark {
	m := included(name, false, "")
	if m.Include != nil {
		m.Include.Values = values
	}
	return m
}

// jekyllAddress resolves an address with {% link file %}, {% post_url name %} or
// {{ site.baseurl }}.
func jekyllAddress(written string) (to string, ok bool) {
	if c, ok := scanCall(written, "{%", "%}"); ok {
		rest := written[c.width:]
		switch c.name {
		case "link":
			return "/" + strings.TrimPrefix(c.word(0), "/") + rest, true
		case "post_url":
			return reference.ByName(path.Base(c.word(0)), "") + rest, true
		}
		return "", false
	}
	if !strings.HasPrefix(written, "{{") {
		return written, true
	}
	m, ok := output(written)
	if !ok || m.LeftOut {
		return "", false
	}
	to, ok = jekyllAddress(written[m.Width:])
	return m.Text + to, ok
}

// loopTag begins or ends a loop, or text that Liquid does not read.
var loopTag = regexp.MustCompile(`\{%-?\s*(end)?(for|tablerow|raw)\b(?s:.*?)%\}`)

// Loops returns the start and end of each loop in a text. Its content needs data of the site.
func (d *Dialect) Loops(text string) (list [][2]int) {
	if d == nil || !d.Raw || !strings.Contains(text, "{%") {
		return nil
	}
	depth, start, raw := 0, 0, false
	for _, at := range loopTag.FindAllStringSubmatchIndex(text, -1) {
		switch ends := at[2] >= 0; {
		case text[at[4]:at[5]] == "raw":
			raw = !ends
		case raw || ends && depth == 0:
		case ends:
			if depth--; depth == 0 {
				list = append(list, [2]int{start, at[1]})
			}
		default:
			if depth++; depth == 1 {
				start = at[0]
			}
		}
	}
	return list
}

// rawMark matches the tags that turn Liquid off and on.
var rawMark = regexp.MustCompile(`\{%-? *(?:end)?raw *-?%\}`)

// WithoutRaw strips {% endraw %} from the start of a line.
func (d *Dialect) WithoutRaw(line string) string {
	if d == nil || !d.Raw || line == "" || line[0] != '{' {
		return line
	}
	if at := rawMark.FindStringIndex(line[:min(len(line), 20)]); at != nil && at[0] == 0 {
		return line[at[1]:]
	}
	return line
}

// jekyllCode removes the raw tags from code.
func jekyllCode(_, text string) string {
	if !strings.Contains(text, "raw") {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		plain := rawMark.ReplaceAllLiteralString(line, "")
		if len(plain) == len(line) || strings.TrimSpace(plain) != "" {
			out.WriteString(plain)
		}
	}
	return out.String()
}
