package document

import (
	"fmt"
	"strings"
)

// dump writes a tree on one line, as name(children).
func dump(d *Document) string {
	s := dumpBlocks(d.Blocks)
	for _, note := range d.Footnotes {
		s += fmt.Sprintf(" note%d×%d(%s)", note.Number, note.References, dumpBlocks(note.Blocks))
	}
	return strings.TrimSpace(s)
}

func dumpBlocks(blocks []Block) string {
	var parts []string
	for _, b := range blocks {
		parts = append(parts, dumpBlock(b))
	}
	return strings.Join(parts, " ")
}

func dumpBlock(b Block) string {
	switch b := b.(type) {
	case *Paragraph:
		name := "p"
		if b.Tight {
			name = "t"
		}
		return name + "(" + dumpInlines(b.Inlines) + ")"
	case *Heading:
		return fmt.Sprintf("h%d#%s%s(%s)", b.Level, b.Anchor, dumpAttributes(b.Attributes), dumpInlines(b.Inlines))
	case *List:
		name := "ul"
		if b.Ordered {
			name = fmt.Sprintf("ol%d", b.Start)
		}
		var items []string
		for _, item := range b.Items {
			items = append(items, [...]string{"li", "todo", "done"}[item.Task]+"("+dumpBlocks(item.Blocks)+")")
		}
		return name + "(" + strings.Join(items, " ") + ")"
	case *Quote:
		return "quote(" + dumpBlocks(b.Blocks) + ")"
	case *Rule:
		return "rule"
	case *Code:
		return "code" + dumpCode(b)
	case *Table:
		rows := dumpRow(b.Head)
		for _, row := range b.Rows {
			rows += " / " + dumpRow(row)
		}
		return fmt.Sprintf("table%v(%s)", b.Align, rows)
	case *DefinitionList:
		var items []string
		for _, item := range b.Items {
			for _, term := range item.Terms {
				items = append(items, "dt("+dumpInlines(term.Inlines)+")")
			}
			for _, description := range item.Descriptions {
				items = append(items, "dd("+dumpBlocks(description.Blocks)+")")
			}
		}
		return "dl(" + strings.Join(items, " ") + ")"
	case *Element:
		return b.Name + dumpAttributes(b.Attributes) + "(" + dumpBlocks(b.Blocks) + ")"
	case *Component:
		title := ""
		if len(b.Title) > 0 {
			title = "“" + dumpInlines(b.Title) + "”"
		}
		attributes := ""
		if b.Name == strings.ToLower(b.Name) { // those of MDX are known
			attributes = dumpAttributes(b.Attributes)
		}
		return fmt.Sprintf("@%s:%d%s%s%s(%s)", b.Name, b.Kind, b.Variant, title, attributes, dumpBlocks(b.Blocks))
	}
	return fmt.Sprintf("%T", b)
}

func dumpCode(c *Code) string {
	s := ""
	for _, part := range []string{c.Language, c.Title, c.Label} {
		if part != "" {
			s += "." + part
		}
	}
	if c.Numbered {
		s += fmt.Sprintf("#%d", c.First)
	}
	for _, m := range c.Marks {
		s += fmt.Sprintf("{%d-%d:%d}", m.First, m.Last, m.Kind)
	}
	return s + fmt.Sprintf("(%q)", c.Text)
}

func dumpRow(r *Row) string {
	var cells []string
	for _, cell := range r.Cells {
		cells = append(cells, dumpInlines(cell.Inlines))
	}
	return strings.Join(cells, "|")
}

func dumpAttributes(attributes Attributes) string {
	s := ""
	for _, a := range attributes {
		s += fmt.Sprintf("[%s=%v]", a.Name, a.Value)
	}
	return s
}

func dumpInlines(inlines []Inline) string {
	s := ""
	for _, n := range inlines {
		switch n := n.(type) {
		case *Text:
			s += n.Text
		case *Break:
			if n.Hard {
				s += "↵"
			} else {
				s += "·"
			}
		case *CodeSpan:
			s += "`" + n.Text + "`"
		case *Emphasis:
			s += "em(" + dumpInlines(n.Inlines) + ")"
		case *Strong:
			s += "strong(" + dumpInlines(n.Inlines) + ")"
		case *Deleted:
			s += "del(" + dumpInlines(n.Inlines) + ")"
		case *Link:
			s += "a" + dumpAttributes(n.Attributes) + "<" + n.Href + dumpTitle(n.Title) + ">(" + dumpInlines(n.Inlines) + ")"
		case *Image:
			s += "img" + dumpAttributes(n.Attributes) + "<" + n.Src + dumpTitle(n.Title) + ">(" + n.Alt + ")"
		case *FootnoteRef:
			s += fmt.Sprintf("ref%d.%d", n.Footnote.Number, n.Use)
		case *Span:
			s += "<" + n.Name + dumpAttributes(n.Attributes) + ">(" + dumpInlines(n.Inlines) + ")"
		}
	}
	return s
}

func dumpTitle(title string) string {
	if title == "" {
		return ""
	}
	return " " + title
}

func dumpNotices(d *Document) string {
	var lines []string
	for _, n := range d.Notices {
		lines = append(lines, n.String())
	}
	return strings.Join(lines, "; ")
}
