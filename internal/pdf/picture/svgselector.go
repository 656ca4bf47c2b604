package picture

import (
	"encoding/xml"
	"slices"
	"strings"
)

// compound is the part of a selector about one element.
type compound struct {
	name, id   string // "" matches any
	classes    []string
	attributes []condition
	first      bool // :first-child
	last       bool // :last-child
	root       bool
	not        []compound
	joint      byte // combinator with the next outer one: a blank, or one of > + ~
}

// condition is an attribute selector.
type condition struct {
	name, value string
	how         byte // '=' or the character before it, one of ~ | ^ $ *; 0 only requires presence
}

func (c condition) holds(e *element) bool {
	have := e.attribute(c.name)
	switch c.how {
	case 0:
		return slices.ContainsFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == c.name })
	case '=':
		return have == c.value
	case '~':
		return slices.Contains(strings.Fields(have), c.value)
	case '|':
		return have == c.value || strings.HasPrefix(have, c.value+"-")
	case '^':
		return c.value != "" && strings.HasPrefix(have, c.value)
	case '$':
		return c.value != "" && strings.HasSuffix(have, c.value)
	}
	return c.value != "" && strings.Contains(have, c.value)
}

func (c *compound) is(e *element) bool {
	if c.name != "" && c.name != e.Name.Local || c.id != "" && c.id != e.attribute("id") ||
		c.root && e.parent != nil || c.first && e.sibling(-1) != nil || c.last && e.sibling(1) != nil {
		return false
	}
	if len(c.classes) > 0 {
		have := strings.Fields(e.attribute("class"))
		for _, class := range c.classes {
			if !slices.Contains(have, class) {
				return false
			}
		}
	}
	return !slices.ContainsFunc(c.attributes, func(a condition) bool { return !a.holds(e) }) &&
		!slices.ContainsFunc(c.not, func(not compound) bool { return not.is(e) })
}

func (e *element) sibling(step int) *element {
	if e.parent == nil {
		return nil
	}
	all := e.parent.children
	for i := slices.Index(all, e) + step; i >= 0 && i < len(all); i += step {
		if all[i].Name.Local != "" {
			return all[i]
		}
	}
	return nil
}

type parser struct {
	rest string
	idle bool // the selector needs interaction, such as :hover
}

// selector parses a selector, and reports whether it is supported.
func (p *parser) selector(r *rule) bool {
	joint := byte(0)
	for len(r.selector) < maxParts {
		c := compound{joint: joint}
		weight, ok := p.compound(&c)
		if !ok {
			return false
		}
		r.weight += weight
		r.selector = slices.Insert(r.selector, 0, c)
		if p.rest == "" {
			return true
		}
		after := strings.TrimLeft(p.rest, " \t\r\n>+~")
		between := strings.TrimSpace(p.rest[:len(p.rest)-len(after)])
		if p.rest = after; len(between) > 1 || after == "" {
			return false
		}
		if joint = ' '; between != "" {
			joint = between[0]
		}
	}
	return false
}

// The specificity of selector parts.
const (
	weightOfName  = 1
	weightOfClass = 1 << 7
	weightOfID    = 1 << 14
)

func (p *parser) compound(c *compound) (weight int, ok bool) {
	for p.rest != "" {
		switch first := p.rest[0]; first {
		case ' ', '\t', '\r', '\n', '>', '+', '~', ')':
			return weight, ok
		case '*':
			p.rest = p.rest[1:]
		case '.', '#', ':':
			p.rest = p.rest[1:]
			name := p.word()
			switch {
			case name == "" && first == ':':
				p.idle = strings.HasPrefix(p.rest, ":") // a pseudo-element, such as ::before
				return 0, false
			case name == "" || first == '#' && c.id != "" && c.id != name:
				return 0, false
			case first == '.':
				c.classes = append(c.classes, name)
				weight += weightOfClass
			case first == '#':
				c.id = name
				weight += weightOfID
			default:
				more, understood := p.pseudo(name, c)
				if !understood {
					return 0, false
				}
				weight += more
			}
		case '[':
			if !p.condition(c) {
				return 0, false
			}
			weight += weightOfClass
		default:
			name := p.word()
			if name == "" || c.name != "" {
				return 0, false
			}
			c.name = name
			weight += weightOfName
		}
		ok = true
	}
	return weight, ok
}

func (p *parser) word() string {
	var name []byte
	for p.rest != "" {
		c := p.rest[0]
		if c == '\\' && len(p.rest) > 1 {
			name, p.rest = append(name, p.rest[1]), p.rest[2:]
			continue
		}
		if c < 0x80 && c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		name, p.rest = append(name, c), p.rest[1:]
	}
	return string(name)
}

// pseudo parses a pseudo-class after its name.
func (p *parser) pseudo(name string, c *compound) (weight int, ok bool) {
	switch name {
	case "root":
		c.root = true
	case "first-child":
		c.first = true
	case "last-child":
		c.last = true
	case "only-child":
		c.first, c.last = true, true
	case "hover", "focus", "focus-visible", "focus-within", "active", "visited", "target":
		p.idle = true
		return 0, false
	case "not":
		if !strings.HasPrefix(p.rest, "(") || len(c.not) >= maxParts {
			return 0, false
		}
		p.rest = p.rest[1:]
		var inner compound
		weight, ok = p.compound(&inner)
		if !ok || !strings.HasPrefix(p.rest, ")") || len(inner.not) > 0 {
			return 0, false
		}
		p.rest = p.rest[1:]
		c.not = append(c.not, inner)
		return weight, true
	default:
		return 0, false
	}
	return weightOfClass, true
}

// condition parses an attribute selector.
func (p *parser) condition(c *compound) bool {
	inner, rest, ok := strings.Cut(p.rest[1:], "]")
	p.rest = rest
	name, value, compared := strings.Cut(inner, "=")
	a := condition{name: strings.TrimSpace(name)}
	if compared {
		a.how = '='
		if last := len(a.name) - 1; last >= 0 && strings.IndexByte("~|^$*", a.name[last]) >= 0 {
			a.name, a.how = strings.TrimSpace(a.name[:last]), a.name[last]
		}
		a.value = strings.Trim(strings.TrimSpace(value), `"'`)
	}
	if _, local, prefixed := strings.Cut(a.name, "|"); prefixed {
		a.name = local
	}
	c.attributes = append(c.attributes, a)
	return ok && a.name != ""
}
