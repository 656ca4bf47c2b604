package html

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
)

func (w *writer) component(c *document.Component) {
	switch c.Kind {
	case element.Callout:
		w.callout(c)
	case element.Tabs, element.CodeGroup:
		w.alternatives(c)
	case element.Steps:
		w.steps(c)
	case element.Card:
		w.card(c)
	case element.Accordion:
		w.details(c, "oct-accordion", "", c.Attributes.Bool("defaultOpen", "open"))
	case element.Tab: // outside of Tabs
		w.details(c, "oct-tab", "", true)
	case element.Field:
		w.field(c)
	case element.Frame:
		w.raw(`<figure class="oct-frame"`, w.direction(), ">\n")
		w.blocks(c.Blocks)
		if len(c.Title) > 0 {
			w.around("figcaption", c.Title)
		}
		w.raw("</figure>\n")
	case element.Folder, element.File:
		w.raw("<ul", w.direction(), "><li>")
		w.box(c, "oct-"+cmp.Or(kindClasses[c.Kind], "box"), "span")
		w.raw("</li></ul>\n")
	default:
		w.box(c, "oct-"+cmp.Or(kindClasses[c.Kind], "box"), "p")
	}
}

// kindClasses are the classes of components rendered as boxes.
var kindClasses = map[element.Kind]string{
	element.Cards: "cards", element.Columns: "columns", element.Column: "column", element.Accordions: "accordions", element.Step: "step",
	element.Update: "update", element.FileTree: "tree", element.Folder: "folder", element.File: "file",
}

// box writes a component with its title and content.
func (w *writer) box(c *document.Component, class, title string) {
	w.begin(c, "div", class)
	w.raw(">")
	w.title(c, title)
	w.blocks(c.Blocks)
	w.raw("</div>\n")
}

// begin writes the start of a tag for a component, with its class, anchor and direction.
func (w *writer) begin(c *document.Component, name, class string) {
	w.raw("<", name, ` class="`, class, `"`)
	if idValue.MatchString(c.Anchor) {
		w.id(c.Anchor)
	}
	w.raw(w.direction())
}

func (w *writer) title(c *document.Component, element string) {
	if len(c.Title) > 0 {
		w.raw("<", element, ` class="oct-title">`)
		w.inlines(c.Title)
		w.raw("</", element, ">\n")
	}
	if text := c.Attributes.String("description"); text != "" {
		w.raw("<p>")
		w.text(text)
		w.raw("</p>\n")
	}
}

func (w *writer) callout(c *document.Component) {
	box, title, more := "div", "p", ` role="note"`
	if folded, folds := c.Attributes.Get(dialect.Folds); folds {
		box, title, more = "details", "summary", ""
		if folded == false {
			more = ` open=""`
		}
	}
	w.raw("<", box, ` class="oct-callout oct-`, c.Variant, `"`, more, w.direction(), ">")
	if c.Title == nil {
		w.raw("<", title, ` class="oct-title">`, w.words.Callout(c.Variant, c.Called()), "</", title, ">\n")
	}
	w.title(c, title)
	w.blocks(c.Blocks)
	w.raw("</", box, ">\n")
}

// alternatives writes tabs as exclusive details elements, which need no script.
func (w *writer) alternatives(c *document.Component) {
	w.tabs++
	group := "oct-tabs-" + strconv.Itoa(w.tabs)
	w.raw(`<div class="oct-tabs"`, w.direction(), ">\n")
	chosen := slices.ContainsFunc(c.Blocks, func(b document.Block) bool {
		tab, ok := b.(*document.Component)
		return ok && tab.Kind == element.Tab && tab.Open
	})
	open := !chosen
	for _, b := range c.Blocks {
		switch b := b.(type) {
		case *document.Component:
			if b.Kind == element.Tab {
				w.details(b, "oct-tab", group, open || chosen && b.Open)
				open = false
				continue
			}
		case *document.Code:
			if c.Kind == element.CodeGroup {
				w.codeTab(b, group, open)
				open = false
				continue
			}
		}
		w.block(b)
	}
	w.raw("</div>\n")
}

func (w *writer) codeTab(b *document.Code, group string, open bool) {
	w.openDetails(&document.Component{}, "oct-tab", group, open)
	title := cmp.Or(b.Title, b.Language, w.words.Code)
	w.raw("<summary>")
	w.text(title)
	w.raw("</summary>\n")
	plain := *b
	plain.Title = ""
	w.code(&plain)
	w.raw("</details>\n")
}

func (w *writer) openDetails(c *document.Component, class, group string, open bool) {
	w.begin(c, "details", class)
	if group != "" {
		w.attribute("name", group)
	}
	if open {
		w.raw(` open=""`)
	}
	w.raw(">")
}

func (w *writer) details(c *document.Component, class, group string, open bool) {
	w.openDetails(c, class, group, open)
	w.raw("<summary>")
	if len(c.Title) > 0 {
		w.inlines(c.Title)
	} else {
		w.text(w.words.Details)
	}
	w.raw("</summary>\n")
	if text := c.Attributes.String("description"); text != "" {
		w.raw("<p>")
		w.text(text)
		w.raw("</p>\n")
	}
	w.blocks(c.Blocks)
	w.raw("</details>\n")
}

// steps writes an ordered list if the component contains one.
func (w *writer) steps(c *document.Component) {
	for _, b := range c.Blocks {
		if step, ok := b.(*document.Component); !ok || step.Kind != element.Step {
			w.box(c, "oct-steps", "p")
			return
		}
	}
	w.raw(`<ol class="oct-steps"`, w.direction(), ">\n")
	for _, b := range c.Blocks {
		step := b.(*document.Component)
		w.begin(step, "li", "oct-step")
		w.raw(">")
		w.title(step, "p")
		w.blocks(step.Blocks)
		w.raw("</li>\n")
	}
	w.raw("</ol>\n")
}

func (w *writer) card(c *document.Component) {
	w.begin(c, "div", "oct-card")
	w.raw(">")
	href := c.Attributes.String("href", "to", "link")
	if href != "" && !w.inLink {
		title := c.Title
		if len(title) == 0 {
			title = []document.Inline{&document.Text{Text: href}}
		}
		w.raw(`<p class="oct-title">`)
		w.anchor(c, href, "", nil)
		w.inLink = true
		w.inlines(title)
		w.inLink = false
		w.raw("</a></p>\n")
		plain := *c
		plain.Title = nil
		c = &plain
	}
	w.title(c, "p")
	w.blocks(c.Blocks)
	w.raw("</div>\n")
}

func (w *writer) field(c *document.Component) {
	w.begin(c, "div", "oct-field")
	w.raw(`><p class="oct-title">`)
	if len(c.Title) > 0 {
		w.around("code", c.Title)
	}
	if kind := c.Attributes.String("type"); kind != "" {
		w.raw(` <span class="oct-type">`)
		w.text(kind)
		w.raw("</span>")
	}
	if c.Attributes.Bool("required") {
		w.raw(` <span class="oct-required">`, w.words.Required, "</span>")
	}
	if c.Attributes.Bool("deprecated") {
		w.raw(` <span class="oct-deprecated">`, w.words.Deprecated, "</span>")
	}
	if value := c.Attributes.String("default"); value != "" {
		w.raw(` <span class="oct-default">`, w.words.Default, " <code>")
		w.text(value)
		w.raw("</code></span>")
	}
	w.raw("</p>\n")
	w.blocks(c.Blocks)
	w.raw("</div>\n")
}
