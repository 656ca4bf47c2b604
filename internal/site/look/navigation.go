package look

// MaxSiblings limits the siblings in the navigation of a page. Without it, the size of a flat site would
// grow quadratically.
const MaxSiblings = 80

// Navigation writes the page tree for one page, expanded only on the path to it. Nil is outside of the
// tree.
func (o Out) Navigation(s *Site, here *Node) {
	n := navigator{Out: o, site: s, here: here, open: map[*Node]bool{here: here != nil}}
	if here == nil && len(s.Top) == 1 {
		n.open[s.Top[0]] = true
	}
	for _, above := range here.Trail() {
		n.open[above] = true
	}
	n.list(nil, s.Top)
}

func (o Out) Outline(s *Site) {
	n := navigator{Out: o, site: s, whole: true}
	n.list(nil, s.Top)
}

// navigator writes lists of pages. Titles are escaped once for all pages; addresses need no escaping.
type navigator struct {
	Out
	site  *Site
	here  *Node
	open  map[*Node]bool
	whole bool
}

func (n *navigator) list(parent *Node, items []*Node) {
	if len(items) == 0 {
		return
	}
	n.WriteString("<ul>\n")
	from, to := 0, len(items)
	if !n.whole {
		from, to = n.window(items)
	}
	if from > 0 {
		n.more(parent, n.site.Words.Earlier)
	}
	for _, it := range items[from:to] {
		n.WriteString(`<li><a href="`)
		n.WriteString(it.Href)
		n.WriteByte('"')
		if it == n.here {
			n.WriteString(` aria-current="page"`)
		}
		if len(it.Children) > 0 && !n.whole {
			n.WriteString(` class="site-branch`)
			if n.open[it] {
				n.WriteString(" site-open")
			}
			n.WriteByte('"')
		}
		n.WriteByte('>')
		n.WriteString(n.site.title(it))
		n.WriteString("</a>")
		if n.whole || n.open[it] {
			if len(it.Children) > 0 {
				n.WriteByte('\n')
			}
			n.list(it, it.Children)
		}
		n.WriteString("</li>\n")
	}
	if to < len(items) {
		n.more(parent, n.site.Words.More)
	}
	n.WriteString("</ul>\n")
}

// more writes a link to the list of all children.
func (n *navigator) more(parent *Node, text string) {
	n.WriteString(`<li><a class="site-more" href="` + n.site.More(parent) + `">` + text + "</a></li>\n")
}

// window returns the range of siblings to show, around the expanded one.
func (n *navigator) window(items []*Node) (from, to int) {
	if len(items) <= MaxSiblings {
		return 0, len(items)
	}
	for i, it := range items {
		if n.open[it] {
			from = max(0, min(i-MaxSiblings/2, len(items)-MaxSiblings))
			break
		}
	}
	return from, from + MaxSiblings
}
