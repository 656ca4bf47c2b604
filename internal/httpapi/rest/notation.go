package rest

import (
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
)

// IsPart reports whether other is a client's notation for a part of the parameter name,
// such as filters[tags][], include[], metadata.alt or metadata{}.
func IsPart(other, name string) bool {
	rest, ok := strings.CutPrefix(other, name)
	return ok && rest != "" && strings.Contains("[.{", rest[:1])
}

// parts returns the parameters that are parts of another, in order.
func (p *Params) parts(name string) []string {
	var list []string
	for other := range p.values {
		if IsPart(other, name) {
			list = append(list, other)
		}
	}
	slices.Sort(list)
	return list
}

// JoinList converts a list in brackets (include[]=a&include[]=b, include[0]=a), as
// axios and others write it, to one with commas. It keeps other notations, which Get
// refuses.
func (p *Params) JoinList(name string) {
	parts := p.parts(name)
	if len(parts) == 0 || p.values[name] != nil {
		return
	}
	var items []string
	for _, part := range parts {
		if !isIndex(part[len(name):]) {
			return
		}
		items = append(items, p.values[part]...)
	}
	p.replace(parts, name, strings.Join(items, ","))
}

// JoinObject converts an object in brackets (filters[tags][]=a) to JSON, in which the
// member lists is an array, and others are strings.
func (p *Params) JoinObject(name, lists string) {
	parts := p.parts(name)
	if len(parts) == 0 || p.values[name] != nil {
		return
	}
	var members []octavo.Member
	list := octavo.Value{Kind: octavo.KindArray}
	for _, part := range parts {
		member, index, ok := strings.Cut(part[len(name):], "]")
		member = strings.TrimPrefix(member, "[")
		isList := member == lists && (index == "" || isIndex(index))
		if !ok || member == "" || !isList && (index != "" || len(p.values[part]) != 1) {
			return
		}
		for _, text := range p.values[part] {
			if isList {
				list.Items = append(list.Items, octavo.String(text))
			} else {
				members = append(members, octavo.Member{Name: member, Value: octavo.String(text)})
			}
		}
	}
	if len(list.Items) > 0 {
		members = append(members, octavo.Member{Name: lists, Value: list})
	}
	p.replace(parts, name, string(octavo.Value{Kind: octavo.KindObject, Members: members}.AppendJSON(nil)))
}

func (p *Params) replace(parts []string, name, text string) {
	for _, part := range parts {
		delete(p.values, part)
	}
	p.values.Set(name, text)
}

// isIndex reports whether a text is [] or a number in brackets.
func isIndex(text string) bool {
	inner, ok := strings.CutPrefix(text, "[")
	inner, ok2 := strings.CutSuffix(inner, "]")
	return ok && ok2 && strings.Trim(inner, "0123456789") == ""
}
