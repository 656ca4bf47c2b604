package dialect

import (
	"cmp"
	"maps"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// mystLine parses a line of MyST: the start of a directive, ```{name} or :::{name}, a label
// for the next block, (label)=, a comment, or a block break.
func mystLine(line string) (Mark, bool) {
	if label, found := strings.CutSuffix(line, ")="); found && len(label) > 1 && label[0] == '(' && !strings.ContainsAny(label[1:], "(){}") {
		return Mark{Name: "div", Attributes: with(nil, "id", anchor(label[1:]))}, true
	}
	if m, ok := output(line); ok && m.Width == len(line) {
		return m, true
	}
	if _, label, found := strings.Cut(line, `"label":`); found && strings.HasPrefix(line, "+++") {
		label, _, _ = strings.Cut(strings.TrimLeft(label, ` "`), `"`)
		return Mark{Name: "div", Attributes: with(nil, "id", anchor(label))}, true
	}
	if line[0] == '%' || strings.HasPrefix(line, "+++") || line == "^^^" {
		return Mark{}, true
	}
	if m, ok := attributeLine(line); ok {
		return m, true
	}
	run := inline.RunLength(line, line[0])
	if class := line[run:]; run >= 3 && line[0] == ':' && attribute.IsName(class) && element.Variant(class) == "" {
		return Mark{Form: Fenced, Name: "div", Attributes: with(nil, "class", class)}, true
	}
	if run < 3 || strings.IndexByte("`~:", line[0]) < 0 || !strings.HasPrefix(line[run:], "{") {
		return Mark{}, false
	}
	name, argument, closed := strings.Cut(line[run+1:], "}")
	name, inside, _ := strings.Cut(name, " ")
	given, ok := attribute.Parse(inside, true) // {name .class #label}
	if !closed || !ok && inside != "" || name == "" || !inline.IsLetter(name[0]) || strings.ContainsAny(name, "\t`") || strings.IndexByte(argument, '`') >= 0 && line[0] == '`' {
		return Mark{}, false
	}
	m := directive(strings.ToLower(name), strings.TrimSpace(argument), line[0] != ':')
	m.Headed = m.Name == "Callout" && argument == ""
	own := m.With
	m.With = func(m Mark, options attribute.List) Mark {
		if options = append(options, given...); own != nil {
			m = own(m, options)
		} else {
			m.Attributes = append(m.Attributes, options...)
		}
		if m.Anchor = anchor(options.String("label", "name", "id")); strings.EqualFold(name, "figure-md") {
			m.Anchor, m.Title = cmp.Or(m.Anchor, anchor(m.Title)), ""
		}
		return m
	}
	return m, true
}

// mystSites maps schemes of links to addresses.
var mystSites = map[string]string{
	"wiki": "https://en.wikipedia.org/wiki/", "doi": "https://doi.org/", "ror": "https://ror.org/", "rrid": "https://scicrunch.org/resolver/",
	"project": "", "path": "",
}

// mystLeads resolves the scheme of a link.
func mystLeads(href string) string {
	scheme, rest, _ := strings.Cut(href, ":")
	if site, known := mystSites[scheme]; known {
		return site + rest
	}
	return href
}

// anchor returns the anchor for a label, which may contain spaces.
func anchor(label string) string { return strings.Join(strings.Fields(label), "-") }

// directive returns the mark for a directive. The body of an unknown one is code if it has a
// code fence.
func directive(name, argument string, code bool) Mark {
	m := Mark{Form: Fenced, Title: argument, Name: directiveNames[name]}
	phrase := map[string]string{"versionadded": "Added in version", "versionchanged": "Changed in version", "deprecated": "Deprecated since version"}[name]
	switch {
	case phrase != "":
		m.Name, m.Title, m.Attributes, m.Alone = "Callout", phrase+" "+argument, with(nil, "type", "info"), true
	case element.Variant(name) != "":
		m.Name, m.Attributes = "Callout", with(nil, "type", name)
	case m.Name == "Callout":
		m.With = func(m Mark, options attribute.List) Mark {
			m.Attributes = with(nil, "type", "note")
			for class := range strings.FieldsSeq(options.String("class")) {
				if element.Variant(class) != "" {
					m.Attributes = with(nil, "type", class)
				}
			}
			return m
		}
	case m.Name == "Figure" && strings.HasPrefix(argument, "#"): // something else with a caption
		m.Name, m.Title, m.Attributes = "Link", "", with(nil, "href", argument)
	case m.Name == "Figure" || m.Name == "Image" || m.Name == "iframe":
		m.Title, m.Attributes = "", with(nil, "src", argument)
	case m.Name == "Columns" || m.Name == "Tabs" || name == "div" || name == "container":
		m.Title = "" // number of columns, or a class
	case name == "list-table":
		m.Name = "table"
	case m.Name == "Link":
		m.Title, m.Attributes = "", with(nil, "href", argument)
		m.Attributes = with(m.Attributes, Shown, name == "embed")
	case m.Name == "Card":
		m.With = func(m Mark, options attribute.List) Mark {
			href := options.String("link")
			if options.String("link-type") == "ref" {
				href = "#" + href
			}
			m.Attributes = with(options, "href", href)
			m.Above, m.Beneath = options.String("header"), options.String("footer")
			return m
		}
	}
	if kind := strings.TrimPrefix(strings.TrimPrefix(name, "prf:"), "proof:"); kind != name || name == "exercise" || name == "solution" {
		if name == "solution" {
			argument = "" // the label of the exercise
		}
		m.Name, m.Title, m.Attributes = "Callout", strings.TrimSpace(capital(kind)+" "+argument), with(nil, "type", "note")
	}
	if m.Name == "" {
		m = directiveText(name, argument, m)
	}
	m.Alone = m.Alone || name == "rubric" || name == "centered" // with nothing below
	if m.Name == "" && m.Form == Fenced && m.Include == nil && !plainDirectives[name] {
		m.Title, m.Name, m.Attributes = "", unknownName(name), with(nil, "title", argument)
		m.With = func(m Mark, _ attribute.List) Mark { return m } // only its tool knows them
		if code {
			m.Form, m.Info = Literal, "text"
		}
	}
	return m
}

// directiveText completes the mark of a directive that is code, a file, or hidden.
func directiveText(name, argument string, m Mark) Mark {
	switch name {
	case "code-block", "code", "sourcecode", "code-cell", "parsed-literal", "eval-rst":
		language := map[string]string{"eval-rst": "rst", "parsed-literal": "text"}[name]
		return Mark{Form: Literal, Info: cmp.Or(language, argument, "text"), With: fenced}
	case "csv-table":
		return Mark{Form: Literal, Name: "table", Title: argument, With: csvTable}
	case "line-block":
		return Mark{Form: Literal, Name: "div", Becomes: brokenLines}
	case "math", "mermaid", "graphviz", "plantuml":
		if name == "math" {
			m.Above, m.Code = argument, true // a formula too
		}
		return Mark{Form: Literal, Info: name, Above: m.Above, Code: m.Code}
	case "myst", "myst-example":
		return Mark{Form: Literal, Info: "markdown", Example: true}
	case "toctree", "toc", "raw", "bibliography", "only":
		return Mark{Form: Literal, Hidden: true, LeftOut: true}
	case "contents", "tableofcontents", "index", "meta":
		return Mark{Form: Literal, Hidden: true}
	case "include", "literalinclude":
		m = included(argument, name == "literalinclude", "")
		m.Form = Fenced
		if m.Include != nil {
			m.With = func(m Mark, options attribute.List) Mark {
				m.Include.Part = options.String("lines")
				from, to := options.String("start-line"), options.String("end-line")
				if first, _ := strconv.Atoi(from); from+to != "" && first >= 0 && !strings.HasPrefix(to, "-") { // from 0
					m.Include.Part = strconv.Itoa(first+1) + "-" + to
				}
				m.Include.From, m.Include.To = options.String("start-after", "start-at"), options.String("end-before", "end-at")
				m.Include.After, m.Include.Before = options.String("start-after") != "", options.String("end-before") != ""
				m.Code = m.Code || options.String("code") != "" || options.Bool("literal")
				m.Info = cmp.Or(options.String("language", "code"), "text")
				return fenced(m, options)
			}
		}
	}
	return m
}

// brokenLines keeps the ends of lines and the blanks before them.
func brokenLines(text string) string {
	var broken strings.Builder
	for line := range strings.Lines(text) {
		ahead := inline.Blanks(line)
		broken.WriteString(strings.Repeat("\u00a0", ahead) + strings.TrimRight(line[ahead:], "\r\n") + "  \n")
	}
	return broken.String()
}

// fenced converts options of code to an info string.
func fenced(m Mark, options attribute.List) Mark {
	for _, o := range [][3]string{{"caption", "filename", "title"}, {"lineno-start", "", "linenostart"}, {"emphasize-lines", "", "hl_lines"}} {
		if value := options.String(o[:2]...); value != "" {
			m.Info += " " + o[2] + `="` + strings.ReplaceAll(value, `"`, "") + `"`
		}
	}
	if _, numbered := options.Get("linenos"); numbered {
		m.Info += " linenos"
	}
	return m
}

// directiveNames maps directives to elements and components.
var directiveNames = map[string]string{
	"admonition": "Callout", "topic": "Callout", "sidebar": "Callout", "margin": "Callout", "aside": "Callout",
	"dropdown": "Accordion", "tab-set": "Tabs", "tab-item": "Tab", "grid": "Columns", "grid-item": "Column", "card": "Card", "grid-item-card": "Card",
	"figure": "Figure", "image": "Image", "iframe": "iframe", "video": "iframe", "button-link": "Link", "button-ref": "Link", "embed": "Link",
	"epigraph": "blockquote", "pull-quote": "blockquote", "highlights": "blockquote", "blockquote": "blockquote",
}

// plainDirectives are shown as their title and content.
var plainDirectives = map[string]bool{
	"figure-md": true, "table": true, "rubric": true, "centered": true, "div": true, "container": true, "glossary": true, "card-carousel": true,
}

// mystText parses a role, {name}`text`, a substitution, {{ name }}, or text with attributes,
// [text]{.class}.
func mystText(text string, at int) (Mark, bool) {
	s := text[at:min(len(text), at+maxReach)]
	if s[0] == '[' {
		inside, behind, _ := strings.Cut(s[1:], "]{")
		list, _, closed := strings.Cut(behind, "}")
		attributes, ok := attribute.Parse(list, false)
		return Mark{Form: Opening, Name: "span", Attributes: attributes, Width: 1, Reach: 1 + len(inside), Tail: len(list) + len("]{}")}, closed && ok && list != "" && !strings.ContainsAny(inside, "[]")
	}
	if strings.HasPrefix(s, "{{") {
		return output(s)
	}
	name, behind, closed := strings.Cut(s[1:], "}")
	if m, ok := codeAttributes(text, at); ok {
		return m, true
	}
	if !closed || name == "" || len(name) > 50 || !inline.IsLetter(name[0]) || strings.ContainsAny(name, " \t\n`") || !strings.HasPrefix(behind, "`") {
		return Mark{}, false
	}
	run := behind[:inline.RunLength(behind, '`')]
	content, _, ended := strings.Cut(behind[len(run):], run)
	if !ended {
		return Mark{}, false
	}
	m := role(strings.ToLower(name), inline.OneLine(content))
	m.Width = len(name) + 2 + 2*len(run) + len(content)
	return m, true
}

func role(name, content string) Mark {
	label, target := content, content
	if before, inside, found := strings.Cut(strings.TrimSuffix(content, ">"), "<"); found && before != "" {
		label, target = strings.TrimRight(before, " "), inside
	}
	link := func(href string) Mark {
		return Mark{Name: "Link", Text: label, Attributes: with(nil, "href", href)}
	}
	switch name {
	case "download", "button":
		if name == "button" && label == target {
			return Mark{Text: label}
		}
		return link(target)
	case "doc", "ref", "numref", "eq", "any":
		if label = strings.TrimSpace(unnumbered.Replace(label)); label == target {
			label = "" // what is there has a title
		}
		if name != "doc" {
			target = "#" + strings.ToLower(target)
		}
		return link(target)
	case "pep":
		return link("https://peps.python.org/pep-" + target)
	case "rfc":
		return link("https://datatracker.ietf.org/doc/html/rfc" + target)
	case "term":
		return Mark{Text: label}
	case "math":
		return Mark{Text: "$" + content + "$"}
	case "menuselection":
		return Mark{Name: "strong", Text: strings.ReplaceAll(content, "-->", "›")}
	case "abbr":
		if text, title, found := strings.Cut(strings.TrimSuffix(content, ")"), " ("); found {
			return Mark{Name: "abbr", Text: text, Attributes: with(nil, "title", title)}
		}
	case "raw", "index", "octicon", "fas", "fab", "far", "bi":
		return Mark{}
	}
	if strings.HasPrefix(name, "material-") {
		return Mark{}
	}
	if strings.Contains(name, ":") {
		return Mark{Name: "code", Text: strings.TrimLeft(label, "~.!")}
	}
	if strings.HasPrefix(name, "bdg") {
		return Mark{Name: "Badge", Text: label}
	}
	return Mark{Name: cmp.Or(roleNames[name], unknownName(name)), Text: content}
}

// FormulaLabel returns the label that a formula gives itself in TeX, or "".
func FormulaLabel(text string) string {
	_, behind, _ := strings.Cut(text, `\label{`)
	label, _, _ := strings.Cut(behind, "}")
	return label
}

// Said returns the text of a link without placeholders for what has the label, or the name
// of something on another site.
func Said(href, text string) string {
	if _, name, found := strings.Cut(href, "#"); found && strings.HasPrefix(href, "inv:") && (text == "" || text == href) {
		return name
	}
	if said := unnumbered.Replace(text); strings.HasPrefix(href, "#") && said != text {
		return strings.TrimSpace(said)
	}
	return text
}

// unnumbered removes the placeholders for the number and name of a figure.
var unnumbered = strings.NewReplacer("%s", "", "{number}", "", "{name}", "")

// roleNames maps roles to elements and components.
var roleNames = map[string]string{
	"code": "code", "literal": "code", "file": "code", "samp": "code", "program": "code", "option": "code", "envvar": "code", "command": "code", "token": "code",
	"class": "code", "func": "code", "meth": "code", "mod": "code", "attr": "code", "exc": "code", "obj": "code", "data": "code", "const": "code",
	"kbd": "Kbd", "guilabel": "strong", "strong": "strong", "dfn": "dfn", "emphasis": "em", "title": "em", "title-reference": "em", "cite": "em",
	"sub": "sub", "subscript": "sub", "sup": "sup", "superscript": "sup", "del": "del", "strike": "del", "u": "u", "underline": "u", "abbr": "abbr",
}

// ownPrefix is what stands before the name of a member of front matter in expressions.
var ownPrefix = map[string]string{"hugo": "", "jekyll": "page.", "vitepress": "$frontmatter."}

// Values returns what the front matter of a page defines for expressions in it, and its label.
func Values(dialect string, front map[string]any) (values map[string]any, label string) {
	if prefix, ok := ownPrefix[dialect]; ok {
		values = map[string]any{}
		parameters, _ := front["params"].(map[string]any)
		for _, members := range []map[string]any{parameters, front} {
			for name, value := range members {
				values[prefix+name] = value
			}
		}
		site, _ := front[SiteValues].(map[string]any)
		for name, value := range site {
			if _, own := values[name]; !own {
				values[name] = value
			}
		}
		return values, ""
	}
	if dialect != "myst" {
		return nil, ""
	}
	if label, _ = front["label"].(string); label != "" {
		label = anchor(label)
	}
	own, _ := front["myst"].(map[string]any) // nil has no members
	values = map[string]any{}
	for _, from := range []any{front[SiteValues], front["substitutions"], own["substitutions"]} {
		members, _ := from.(map[string]any)
		maps.Copy(values, members)
	}
	return values, label
}

// Field returns the width of the name of a field at the start of a line, as in ":name: text", or 0.
func (d *Dialect) Field(line string) int {
	if d == nil || d.Leads == nil || len(line) < 2 || line[1] == ':' || inline.IsBlank(line[1]) {
		return 0
	}
	name, behind, found := strings.Cut(line[1:], ":")
	if !found || name == "" || behind != "" && !inline.IsBlank(behind[0]) || strings.ContainsAny(name, "`{") {
		return 0
	}
	return len(name) + 2
}
