package picture

import (
	"slices"
	"strings"
)

// Limits of style sheets: rules, parts of one selector, and comparisons and applied declarations in total.
const (
	maxRules    = 2000
	maxParts    = 16
	maxCompared = 4 << 20
)

type sheets struct {
	rules    map[string][]rule // by required id, class or name, or *
	count    int
	compared int
	unknown  bool // there were unsupported selectors
	found    []*rule
}

type rule struct {
	selector     []compound // from the element outwards
	weight       int        // precedence: specificity, then order
	declarations []declaration
}

type declaration struct {
	name, value string
	important   bool
}

func declarations(text string) (all []declaration) {
	for text != "" {
		end := outside(text, ";")
		name, value, found := strings.Cut(text[:end], ":")
		text = text[min(end+1, len(text)):]
		if !found {
			continue
		}
		d := declaration{name: strings.TrimSpace(name), value: strings.TrimSpace(value)}
		if before, ok := strings.CutSuffix(d.value, "important"); ok {
			d.value, d.important = strings.TrimRight(before, "! \t\r\n"), true
		}
		if !strings.HasPrefix(d.name, "--") {
			d.name = strings.ToLower(d.name)
		}
		all = append(all, d)
	}
	return all
}

// outside returns the index of the first of chars outside of brackets and quotes, else len(text).
func outside(text, chars string) int {
	depth, quote := 0, byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case depth == 0 && strings.IndexByte(chars, c) >= 0:
			return i
		case c == '"' || c == '\'':
			quote = c
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth = max(0, depth-1)
		}
	}
	return len(text)
}

func (t *tree) addRules(e *element) {
	var sheet strings.Builder
	for _, c := range e.children {
		for text, more := c.text, true; more; {
			var before string
			before, text, more = strings.Cut(text, "/*")
			sheet.WriteString(before + " ")
			if more {
				_, text, _ = strings.Cut(text, "*/")
			}
		}
	}
	t.addSheet(strings.NewReplacer("<!--", " ", "-->", " ").Replace(sheet.String()), 0)
	t.left["style"] = t.left["style"] || t.unknown
	if !t.left["style"] {
		delete(t.left, "style")
	}
}

// addSheet adds the rules of a style sheet or at-rule.
func (t *sheets) addSheet(text string, depth int) {
	for text != "" && t.count <= maxRules {
		end := outside(text, "{;")
		prelude := strings.TrimSpace(text[:end])
		if end == len(text) {
			return
		}
		if text[end] == ';' {
			text = text[end+1:]
			continue
		}
		body, rest := block(text[end+1:])
		text = rest
		at, condition, _ := strings.Cut(prelude, " ")
		switch {
		case !strings.HasPrefix(prelude, "@"):
			t.unknown = t.unknown || strings.Contains(body, "{") // nested rules
			t.addRule(prelude, declarations(body))
		case depth < 4 && (at == "@supports" || at == "@layer" || at == "@media" && onScreen(condition)):
			t.addSheet(body, depth+1)
		}
	}
}

// block splits a text at the closing brace of a block.
func block(text string) (body, rest string) {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// onScreen reports whether a media query matches a light screen.
func onScreen(condition string) bool {
	others := []string{"dark", "print", "speech", "not ", "max-", "reduce", "forced-colors", "more"}
	return !slices.ContainsFunc(others, func(word string) bool { return strings.Contains(condition, word) })
}

func (t *sheets) addRule(selectors string, all []declaration) {
	for selectors != "" {
		end := outside(selectors, ",")
		text := strings.TrimSpace(selectors[:end])
		selectors = selectors[min(end+1, len(selectors)):]
		if t.count++; t.count > maxRules {
			t.unknown = true
			return
		}
		r := rule{declarations: all}
		p := parser{rest: text}
		if !p.selector(&r) {
			t.unknown = t.unknown || !p.idle
			continue
		}
		r.weight = r.weight<<16 | t.count
		last := r.selector[0]
		key := "*"
		switch {
		case last.id != "":
			key = "#" + last.id
		case len(last.classes) > 0:
			key = "." + last.classes[0]
		case last.name != "":
			key = last.name
		}
		t.rules[key] = append(t.rules[key], r)
	}
}

// rulesFor returns the rules for an element, strongest last, valid until the next call.
func (t *sheets) rulesFor(e *element) []*rule {
	t.found = t.found[:0]
	if len(t.rules) == 0 {
		return nil
	}
	add := func(key string) {
		rules := t.rules[key]
		for i := range rules {
			if t.matches(e, rules[i].selector) {
				t.compared += len(rules[i].declarations)
				t.found = append(t.found, &rules[i])
			}
		}
	}
	add("*")
	add(e.Name.Local)
	for _, class := range strings.Fields(e.attribute("class")) {
		add("." + class)
	}
	if id := e.attribute("id"); id != "" {
		add("#" + id)
	}
	slices.SortFunc(t.found, func(a, b *rule) int { return a.weight - b.weight })
	return t.found
}

func (t *sheets) matches(e *element, selector []compound) bool {
	if e == nil {
		return false
	}
	if t.compared++; t.compared > maxCompared || !selector[0].is(e) {
		return false
	}
	if len(selector) == 1 {
		return true
	}
	switch selector[0].joint {
	case '>':
		return t.matches(e.parent, selector[1:])
	case '+':
		return t.matches(e.sibling(-1), selector[1:])
	case '~':
		for s := e.sibling(-1); s != nil && t.compared <= maxCompared; s = s.sibling(-1) {
			if t.matches(s, selector[1:]) {
				return true
			}
		}
		return false
	}
	for p := e.parent; p != nil; p = p.parent {
		if t.matches(p, selector[1:]) {
			return true
		}
	}
	return false
}
