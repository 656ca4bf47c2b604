package element

import (
	"strconv"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// Choices is what tabs have from their parent: values of Docusaurus, or items of Nextra.
type Choices struct {
	labels       map[string]string
	items        []any
	first, index string
	n            int
	opened       bool
}

func ChoicesOf(attributes attribute.List) *Choices {
	return &Choices{
		labels: attribute.Labels(attributes.List("values")), items: attributes.List("items"),
		first: attributes.String("defaultValue"), index: attributes.String("defaultIndex", "defaultTabIndex"),
	}
}

// Next returns the label of the next tab, "" if it has its own, and whether it is selected.
func (c *Choices) Next(tab attribute.List, titled bool) (label string, open bool) {
	value := tab.String("value")
	switch {
	case value != "" && tab.String("title", "label", "name") == "":
		label = c.labels[value]
	case c.n < len(c.items) && !titled:
		label = attribute.Text(c.items[c.n])
	}
	open = !c.opened && (c.first != "" && c.first == value || tab.Bool("default") || c.index == strconv.Itoa(c.n))
	c.opened = c.opened || open
	c.n++
	return label, open
}
