package picture

import (
	"cmp"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
)

// compound is the part of a selector about one element.
type compound struct {
	name, id   string // "" matches any
	classes    []string
	attributes []condition
	places     []place
	root       bool
	not        []compound
	any        [][]compound // of each, one must match
	joint      byte         // combinator with the next outer one: a blank, or one of > + ~
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
		c.root && e.parent != nil || slices.ContainsFunc(c.places, func(p place) bool { return !p.holds(e) }) {
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
	holds := func(one compound) bool { return one.is(e) }
	return !slices.ContainsFunc(c.attributes, func(a condition) bool { return !a.holds(e) }) && !slices.ContainsFunc(c.not, holds) &&
		!slices.ContainsFunc(c.any, func(list []compound) bool { return !slices.ContainsFunc(list, holds) })
}

// place is what a selector asks of the place of an element among its siblings, from 1: to
// be a multiple of step, and first.
type place struct {
	step, first int
	last        bool // whether it counts from the last
	named       bool // whether only those of its name count
}

func (p place) holds(e *element) bool {
	at := 1
	if e.parent != nil {
		all := e.parent.children
		before := all[:slices.Index(all, e)]
		if p.last {
			before = all[len(before)+1:]
		}
		for _, c := range before {
			if c.Name.Local != "" && (!p.named || c.Name.Local == e.Name.Local) {
				at++
			}
		}
	}
	if at -= p.first; p.step == 0 {
		return at == 0
	}
	return at%p.step == 0 && at/p.step >= 0
}

// placeOf reads what is in the parentheses of :nth-child().
func placeOf(text string) (p place, ok bool) {
	text = strings.ReplaceAll(strings.ToLower(text), " ", "")
	if n, known := map[string]place{"odd": {step: 2, first: 1}, "even": {step: 2}}[text]; known {
		return n, true
	}
	step, first, stepped := strings.Cut(text, "n")
	if !stepped {
		step, first = "0", text
	}
	if strings.Trim(step, "+-") == "" {
		step += "1"
	}
	var err, wrong error
	p.step, err = strconv.Atoi(step)
	p.first, wrong = strconv.Atoi(cmp.Or(first, "0"))
	return p, err == nil && wrong == nil
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
		case ' ', '\t', '\r', '\n', '>', '+', '~', ')', ',':
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
	case "first-child", "last-child", "first-of-type", "last-of-type":
		c.places = append(c.places, place{first: 1, last: name[0] == 'l', named: strings.HasSuffix(name, "type")})
	case "only-child", "only-of-type":
		named := strings.HasSuffix(name, "type")
		c.places = append(c.places, place{first: 1, named: named}, place{first: 1, last: true, named: named})
	case "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type":
		inside, rest, closed := strings.Cut(strings.TrimPrefix(p.rest, "("), ")")
		at, understood := placeOf(inside)
		at.last, at.named = strings.HasPrefix(name, "nth-last"), strings.HasSuffix(name, "type")
		if p.rest, c.places = rest, append(c.places, at); !closed || !understood {
			return 0, false
		}
	case "hover", "focus", "focus-visible", "focus-within", "active", "visited", "target":
		p.idle = true
		return 0, false
	case "not", "is", "where":
		list, most, understood := p.list()
		switch {
		case !understood || len(c.not)+len(c.any) >= maxParts:
			return 0, false
		case name == "not":
			c.not = append(c.not, list...)
		default:
			c.any = append(c.any, list)
		}
		if name == "where" {
			most = 0
		}
		return most, true
	default:
		return 0, false
	}
	return weightOfClass, true
}

// list parses compounds in parentheses and returns the highest weight.
func (p *parser) list() (list []compound, most int, ok bool) {
	mark := "("
	for strings.HasPrefix(p.rest, mark) && len(list) < maxParts {
		p.rest = strings.TrimLeft(p.rest[1:], " ")
		var one compound
		weight, understood := p.compound(&one)
		if !understood || len(one.not)+len(one.any) > 0 {
			return nil, 0, false
		}
		list, most, mark = append(list, one), max(most, weight), ","
		p.rest = strings.TrimLeft(p.rest, " ")
	}
	p.rest, ok = strings.CutPrefix(p.rest, ")")
	return list, most, ok && len(list) > 0
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
	return ok && a.name != "" && !strings.HasSuffix(strings.ToLower(inner), " i") && !strings.HasSuffix(inner, " s")
}
