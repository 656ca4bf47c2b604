package dialect

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// gitbookLine parses a block of GitBook on a line.
func gitbookLine(line string) (Mark, bool) {
	if strings.HasPrefix(line, "{% @") {
		return integration(line)
	}
	c, ok := scanCall(line, "{%", "%}")
	if !ok || c.width != len(line) {
		return Mark{}, false
	}
	return gitbookBlock(c)
}

// gitbookText parses a block of GitBook within a line, an emoji, the name of an icon in an
// element i, or bold that is empty or ends where the next begins, which GitBook writes.
func gitbookText(text string, at int) (Mark, bool) {
	switch text[at] {
	case '*':
		return Mark{Width: 4}, inline.RunLength(text[at:], '*') == 4 && (at == 0 || text[at-1] != '*')
	case ':':
		m, ok := emojiAt(text[at:])
		if name, _, _ := strings.Cut(text[at+1:], ":"); strings.Contains(name, `\_`) {
			m, ok = emojiAt(":" + strings.ReplaceAll(name, `\_`, "_") + ":")
			m.Width = len(name) + 2
		}
		icon := at > 0 && text[at-1] == '>' && m.Width > 2 && strings.HasPrefix(text[at+m.Width:], "</i>")
		return m, ok || icon
	}
	c, ok := scanCall(text[at:], "{%", "%}")
	if !ok {
		return Mark{}, false
	}
	m, ok := gitbookBlock(c)
	if m.Width = c.width; m.Form == Literal { // a formula
		inside, behind, closed := strings.Cut(text[at+c.width:min(len(text), at+c.width+maxReach)], "{% "+m.End)
		tail := strings.Index(behind, "%}")
		return Mark{Text: "$" + strings.TrimSpace(inside) + "$", Width: c.width + len("{% "+m.End) + len(inside) + tail + len("%}")}, closed && tail >= 0
	}
	return m, ok
}

// shownBy matches what an integration shows, which may have quotes inside, before other
// attributes.
var shownBy = regexp.MustCompile(`(?s)\scontent="(.*?)"(?:\s+\w+="[^"\n]*")*\s*$`)

// integration parses a block of an integration, {% @mermaid/diagram content="…" %}, which is
// code with the name of the integration, or a link.
func integration(line string) (Mark, bool) {
	inside, closed := strings.CutSuffix(line[len("{% @"):], "%}")
	tool, _, named := strings.Cut(inside, "/")
	m := Mark{Form: Opening, Alone: true, Name: "integration-block"}
	c, _ := scanCall(line, "{%", "%}")
	if said := shownBy.FindStringSubmatch(inside); said != nil {
		m.Code, m.Info, m.Above = true, tool, strings.Trim(strings.ReplaceAll(said[1], `\"`, `"`), "\n")
	} else if url := c.attributes.String("url"); url != "" {
		m.Name, m.Attributes = "iframe", with(nil, "src", url)
	}
	m.LeftOut = m.Above == "" && m.Attributes == nil
	return m, closed && named && attribute.IsName(tool)
}

func gitbookBlock(c call) (Mark, bool) {
	name, closing := strings.CutPrefix(c.name, "end")
	a := c.attributes
	m := Mark{Form: Opening, Name: gitbookNames[name], Attributes: a}
	switch name {
	case "hint":
		m.Attributes = with(nil, "type", cmp.Or(a.String("style"), "info"))
	case "code":
		m.Attributes = with(a, "title", a.String("title", "caption"))
	case "step":
		m.Alone = true
	case "update":
		m.Attributes = with(a, "title", a.String("date"))
	case "prompt":
		m.Attributes = with(nil, "title", a.String("description"))
	case "embed":
		m.Alone, m.Attributes = true, with(a, "src", a.String("url"))
	case "file", "page-ref":
		href := a.String("src", "page")
		m.Alone, m.Text, m.Attributes = true, cmp.Or(a.String("caption"), path.Base(href)), with(nil, "href", href)
	case "openapi", "openapi-operation", "swagger", "api-method":
		m.Alone, m.Text = true, strings.TrimSpace(strings.ToUpper(a.String("method"))+" "+a.String("baseUrl", "host")+a.String("path")+" "+a.String("summary"))
	case "swagger-response", "api-method-response":
		m.Alone, m.Title = true, strings.TrimSpace(a.String("status")+" "+a.String("description"))
	case "include":
		if len(c.words) != 1 {
			return m, closing
		}
		return Mark{Include: &File{Name: c.words[0]}}, true
	case "else":
		return Mark{}, true
	case "math":
		if closing { // of a formula on lines of its own
			return Mark{}, true
		}
		return Mark{Form: Literal, Info: name, End: "end" + name}, true
	}
	if strings.HasPrefix(name, "api-method-") || strings.HasPrefix(name, "swagger-") {
		m.Name = cmp.Or(m.Name, name)
	}
	if closing {
		return Mark{Form: Closing, Name: m.Name}, m.Name != ""
	}
	return m, m.Name != ""
}

// gitbookNames maps blocks of GitBook to elements and components. Names with a hyphen show
// only their content.
var gitbookNames = map[string]string{
	"hint": "Callout", "tabs": "Tabs", "tab": "Tab", "stepper": "Steps", "step": "Step", "columns": "Columns", "column": "Column",
	"code": "Code", "update": "Update", "updates": "updates-list", "prompt": "Card", "embed": "iframe", "file": "Link", "page-ref": "Link",
	"content-ref": "content-ref", "if": "if-block", "raw": "raw-block",
	"openapi": "openapi-block", "openapi-operation": "openapi-operation", "openapi-schemas": "openapi-schemas", "swagger": "swagger-block", "api-method": "api-method",
	"swagger-parameter": "Param", "api-method-parameter": "Param",
}
