package element

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// ComponentName returns the name of a Markdown tag, as written, if it is a component: a known
// one, or a capitalised name that HTML does not know; else "". lower is the name in lower
// case.
func ComponentName(written, lower string) string {
	switch {
	case !StartsUpper(written):
		return ""
	case ClassOf(lower) == Unknown:
		return written
	case written == strings.ToUpper(written) || KindOf(written) == NoKind && !IsLink(written) && !IsImage(written):
		return "" // <BR>, <Div>
	}
	return written
}

// Source returns the address of an embedded site or film, "" for none. Components may have
// the identifier of a film on YouTube instead.
func Source(name string, attributes attribute.List) string {
	src := attributes.String("src", "data", "href", "url")
	id, _, _ := strings.Cut(attributes.String("id", "videoId", "videoid"), "?")
	if src == "" && id != "" && StartsUpper(name) {
		src = "https://www.youtube.com/watch?v=" + id[strings.LastIndexByte(id, '/')+1:]
	}
	return src
}

// Sign returns the character that an icon stands for, such as a check mark; "" for icons that
// decorate.
func Sign(icon string) string {
	sign := ""
	for word := range strings.FieldsFuncSeq(icon, func(c rune) bool { return c < 'a' || c > 'z' }) {
		switch word {
		case "check", "checkmark", "tick":
			sign = "✓"
		case "close", "cross", "xmark", "times":
			sign = "✗"
		case "circle", "square", "all", "bold", "thick", "outline", "fill", "solid", "regular", "i", "lucide", "heroicons", "mdi", "ph", "tabler",
			"material", "octicons", "fontawesome", "fa", "fas", "far", "bi":
		default:
			return ""
		}
	}
	return sign
}

// Mode returns the fragment of a picture that classes of Tailwind show in one mode only.
func Mode(attributes attribute.List) string {
	class := " " + attributes.String("class", "className") + " "
	switch {
	case strings.Contains(class, " dark:hidden "):
		return "#only-light"
	case strings.Contains(class, " hidden ") && strings.Contains(class, " dark:block "):
		return "#only-dark"
	}
	return ""
}

// Import returns the component that an import statement takes from a Markdown or MDX file,
// and the file; "" for other statements.
func Import(statement string) (name, file string) {
	name, file = imported(statement)
	if lower := strings.ToLower(file); !StartsUpper(name) || !strings.HasSuffix(lower, ".mdx") && !strings.HasSuffix(lower, ".md") {
		return "", ""
	}
	return name, file
}

// ImportText returns the constant that an import statement makes of the text of a file, as
// Vite and the raw-loader of webpack do, and the file; "" for other statements.
func ImportText(statement string) (name, file string) {
	name, written := imported(statement)
	file = strings.TrimPrefix(strings.TrimLeft(strings.TrimSuffix(written, "?raw"), "!"), "raw-loader!")
	if file == written {
		return "", ""
	}
	return name, file
}

func imported(statement string) (name, file string) {
	name, rest, _ := strings.Cut(strings.TrimPrefix(statement, "import "), " from ")
	name, _, _ = strings.Cut(name, ",") // further imports, as in import Part, {toc} from
	name, rest = strings.TrimSpace(name), strings.TrimSpace(rest)
	if !attribute.IsName(name) || len(rest) < 2 || !strings.ContainsAny(rest[:1], `"'`) {
		return "", ""
	}
	file, _, closed := strings.Cut(rest[1:], rest[:1])
	if !closed {
		return "", ""
	}
	return name, file
}

// ImportsComponents reports whether a text begins with an import of components only.
func ImportsComponents(text string) bool {
	names, _, found := strings.Cut(strings.TrimPrefix(text, "import "), " from ")
	for name := range strings.FieldsFuncSeq(names, func(r rune) bool { return strings.ContainsRune("{}, \n", r) }) {
		found = found && StartsUpper(name) && attribute.IsName(name)
	}
	return found
}

// Pairs tells which tags in Markdown are components. A word in angle brackets without a
// closing tag is text, as in List<String>.
type Pairs struct {
	closing map[string]int // where the last closing tag of each name starts
	open    map[string]int // how many are open
}

// NewPairs returns the pairs of a text.
func NewPairs(text string) *Pairs {
	p := &Pairs{closing: map[string]int{}, open: map[string]int{}}
	for at := 0; ; {
		next := strings.Index(text[at:], "</")
		if next < 0 {
			return p
		}
		at += next + len("</")
		if width := strings.IndexByte(text[at:min(len(text), at+64)], '>'); width > 0 {
			p.closing[text[at:at+width]] = at
		}
	}
}

// Has reports whether a tag that ends at an offset has a partner, and uses it up.
func (p *Pairs) Has(name string, closing bool, end int) bool {
	switch {
	case closing && p.open[name] > 0:
		p.open[name]--
		return true
	case closing || p.closing[name] < end:
		return false
	}
	p.open[name]++
	return true
}
