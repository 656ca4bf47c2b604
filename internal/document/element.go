package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
)

func (p *parser) class(name string) element.Class {
	if p.imports[name] != "" {
		return element.Unknown
	}
	if c := element.ClassOf(name); c != element.Unknown {
		return c
	}
	if element.KindOf(name) != NoKind || element.IsLink(name) || element.IsImage(name) {
		return element.Component
	}
	if strings.IndexByte(name, '-') > 0 {
		return element.Transparent // a custom element
	}
	return element.Unknown
}

// isBlock reports whether a tag is at block level.
func (p *parser) isBlock(name string) bool {
	switch p.class(name) {
	case element.Flow:
		return true
	case element.Void:
		return name == "hr"
	case element.Component:
		return !element.KindOf(name).Inline()
	case element.Unknown:
		return p.imports[name] != ""
	}
	return false
}
