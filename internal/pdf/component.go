package pdf

import (
	"strconv"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// component sets a component. Everything collapsible on a screen is expanded: tabs and
// accordions.
func (b *builder) component(at area, c *document.Component) {
	switch c.Kind {
	case element.Callout:
		b.callout(at, c)
	case element.Tab, element.Accordion, element.Update:
		b.boxed(at, &frame{bar: &b.theme.border}, func(in area) { b.titled(in, c) })
	case element.CodeGroup:
		b.codeGroup(at, c)
	case element.Steps:
		b.steps(at, c)
	case element.Card:
		b.card(at, c)
	case element.Field:
		b.field(at, c)
	case element.Frame:
		b.blocks(at, c.Blocks)
		b.text(at, "Caption", c.Title, with(at.style, func(s *layout.Style) { s.Size--; s.Color = b.theme.muted }), spacing{after: paragraphSpace})
	case element.Folder:
		b.entry(at, "▸", c)
	case element.File:
		b.entry(at, "•", c)
	default:
		b.titled(at, c)
	}
}

// strong returns the style for titles.
func strong(s *layout.Style) *layout.Style {
	return with(s, func(s *layout.Style) { s.Font |= font.Bold })
}

func (b *builder) titled(at area, c *document.Component) {
	b.named("", document.Attributes{{Name: "id", Value: c.Anchor}})
	if len(c.Title) > 0 {
		b.text(at, "P", c.Title, strong(at.style), spacing{before: tightSpace, after: tightSpace, keep: true})
	}
	b.described(at, c)
	b.blocks(at, c.Blocks)
}

// described sets a description given as an attribute.
func (b *builder) described(at area, c *document.Component) {
	if text := c.Attributes.String("description"); text != "" {
		b.lines(at, "P", []layout.Span{{Text: text, Style: at.style}}, spacing{after: paragraphSpace})
	}
}

func (b *builder) callout(at area, c *document.Component) {
	color, known := b.theme.variants[c.Variant]
	if !known {
		color = b.theme.variants["note"]
	}
	back := mix(color, b.theme.background, 0.07)
	b.boxed(at, &frame{back: &back, bar: &color}, func(in area) {
		style := with(strong(in.style), func(s *layout.Style) { s.Color = color })
		title := c.Title
		if title == nil {
			say := b.words()
			title = []document.Inline{&document.Text{Text: say.Callout(c.Variant, c.Called())}}
		}
		if len(title) > 0 {
			b.text(in, "P", title, style, spacing{after: tightSpace, keep: true})
		}
		b.described(in, c)
		b.blocks(in, c.Blocks)
	})
}

func (b *builder) boxed(at area, fr *frame, f func(in area)) {
	e := at.element.Child("Div", writer.Properties{})
	in := at
	in.element = e
	b.framed(in, fr, 7, f)
	e.Release()
}

// codeGroup sets code blocks with their titles or languages.
func (b *builder) codeGroup(at area, c *document.Component) {
	for _, block := range c.Blocks {
		if code, ok := block.(*document.Code); ok && code.Title == "" && code.Language != "" {
			named := *code
			named.Title = code.Language
			block = &named
		}
		b.block(at, block)
	}
}

// steps sets steps as a numbered list if the component contains one.
func (b *builder) steps(at area, c *document.Component) {
	list := at.element.Child("L", writer.Properties{Attributes: "<</O/List/ListNumbering/Decimal>>"})
	number := 0
	for _, block := range c.Blocks {
		step, ok := block.(*document.Component)
		if !ok || step.Kind != element.Step {
			b.block(at, block)
			continue
		}
		number++
		b.item(at, list, strconv.Itoa(number)+".", strong(at.style), indent+4, func(in area) { b.titled(in, step) })
	}
	list.Release()
	b.flow.space(paragraphSpace)
}

func (b *builder) card(at area, c *document.Component) {
	b.boxed(at, &frame{border: &b.theme.border}, func(in area) {
		title := c.Title
		if href := c.Attributes.String("href", "to", "link"); href != "" {
			if len(title) == 0 {
				title = []document.Inline{&document.Text{Text: href}}
			}
			title = []document.Inline{&document.Link{Href: href, Inlines: title}}
		}
		plain := *c
		plain.Title = title
		b.titled(in, &plain)
	})
}

func (b *builder) field(at area, c *document.Component) {
	b.named("", document.Attributes{{Name: "id", Value: c.Anchor}})
	var spans []layout.Span
	muted := with(at.style, func(s *layout.Style) { s.Color = b.theme.muted; s.Size-- })
	add := func(text string, color layout.Color) {
		spans = append(spans, layout.Span{Text: "\u00a0 " + text, Style: with(muted, func(s *layout.Style) { s.Color = color })})
	}
	if kind := c.Attributes.String("type"); kind != "" {
		add(kind, b.theme.muted)
	}
	if c.Attributes.Bool("required") {
		add(b.words().Required, b.theme.variants["danger"])
	}
	if c.Attributes.Bool("deprecated") {
		add(b.words().Deprecated, b.theme.variants["warning"])
	}
	if value := c.Attributes.String("default"); value != "" {
		add(b.words().Default+" "+value, b.theme.muted)
	}
	b.text(at, "P", c.Title, b.theme.mono(strong(at.style)), spacing{before: paragraphSpace, after: tightSpace, keep: len(c.Blocks) > 0}, spans...)
	b.blocks(at.inset(indent), c.Blocks)
}

func (b *builder) entry(at area, text string, c *document.Component) {
	list := at.element.Child("L", writer.Properties{})
	b.item(at, list, text, at.style, indent, func(in area) {
		b.text(in, "P", c.Title, in.style, spacing{after: tightSpace})
		b.blocks(in, c.Blocks)
	})
	list.Release()
}
