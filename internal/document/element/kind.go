package element

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind tells what a component is, whichever of the generators of
// documentation has the name.
type Kind uint8

// The kinds of components.
const (
	NoKind    Kind = iota
	Callout        // a note, tip or warning; see Component.Variant
	Tabs           // holds Tab
	Tab            // one of several alternatives, with a title
	CodeGroup      // blocks of code as alternatives, by their titles
	Steps          // holds Step, an ordered list or headings
	Step           // one of several steps, with a title
	Cards          // holds Card
	Card           // a box with a title, and often a link
	Columns        // holds Column, or blocks side by side
	Column
	Accordions // holds Accordion
	Accordion  // what is shown on demand, with a title
	Field      // a parameter or member of an answer
	Frame      // a picture with a caption
	Update     // an entry of a change log
	FileTree   // files and folders as nested lists
	Folder     // in a FileTree, with a title
	File       // in a FileTree, with a title
	Badge      // a word that stands out
	Icon       // a picture in a line of text
	Tooltip    // text that explains itself on demand
	Keys       // keys to press
	Formula    // mathematics, kept as code
)

// Inline reports whether components of a kind are part of a line of text.
func (k Kind) Inline() bool {
	switch k {
	case NoKind, Badge, Icon, Tooltip, Keys:
		return true
	}
	return false
}

// KindOf returns what the component of a name is: as written, or the part
// behind the last dot, as in Tabs.Tab.
func KindOf(name string) Kind {
	if name == "" || !StartsUpper(name) {
		return NoKind
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	if Variant(strings.ToLower(name)) != "" {
		return Callout
	}
	return Kinds[name]
}

// StartsUpper reports whether a name starts with a capital, as those of components do.
func StartsUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// Kinds are the names of components in Docusaurus, Mintlify, Starlight, Nextra
// and the documentation of React. Those of callouts are in Variant.
var Kinds = map[string]Kind{
	"Aside": Callout, "Callout": Callout, "Admonition": Callout,
	"Tabs": Tabs, "Sandpack": CodeGroup, "CodeGroup": CodeGroup, "CodeTabs": CodeGroup, "RequestExample": CodeGroup, "ResponseExample": CodeGroup,
	"Tab": Tab, "TabItem": Tab,
	"Steps": Steps, "Step": Step,
	"CardGroup": Cards, "Cards": Cards, "CardGrid": Cards, "Card": Card, "LinkCard": Card, "YouWillLearnCard": Card,
	"Columns": Columns, "Column": Column, "Col": Column, "Split": Columns,
	"Accordion": Accordion, "AccordionGroup": Accordions, "Expandable": Accordion, "Details": Accordion, "DeepDive": Accordion, "Collapsible": Accordion, "Spoiler": Accordion,
	"ResponseField": Field, "ParamField": Field, "Param": Field, "Property": Field,
	"Frame": Frame, "Figure": Frame, "Update": Update,
	"FileTree": FileTree, "Folder": Folder, "File": File, "Tree": FileTree,
	"Badge": Badge, "Icon": Icon, "Tooltip": Tooltip, "Kbd": Keys, "Key": Keys,
	"Math": Formula, "TeX": Formula, "Latex": Formula, "BlockMath": Formula,
}

// Variant returns the variant of a callout by the name of an admonition,
// alert or component in lower case: note, tip, info, warning or danger; "" for
// a name that is none.
func Variant(name string) string {
	switch name {
	case "note", "abstract", "summary", "example", "quote", "cite", "seealso", "canary", "experimental", "remark":
		return "note"
	case "tip", "hint", "check", "success", "recap", "done", "best-practice":
		return "tip"
	case "info", "important", "todo", "question", "help", "faq", "announcement", "youwilllearn", "wip":
		return "info"
	case "warning", "caution", "attention", "pitfall", "warn", "deprecated":
		return "warning"
	case "danger", "error", "bug", "failure", "fail", "critical", "rootcause":
		return "danger"
	}
	return ""
}

// Containers are the names of containers between colons that are no callouts.
var Containers = map[string]Kind{
	"details": Accordion, "spoiler": Accordion, "code-group": CodeGroup, "tabs": Tabs, "tab": Tab, "steps": Steps, "step": Step,
	"cards": Cards, "card": Card, "columns": Columns, "column": Column,
}

// CalloutTitle returns what a callout is called that has no title, by its name as it is
// written; "" where that is only what its variant is called, in whatever language.
func CalloutTitle(written string) string {
	name := strings.ToLower(written)
	switch name {
	case "note", "tip", "hint", "info", "important", "warning", "warn", "caution", "attention", "danger", "error":
		return ""
	case "seealso":
		return "See also"
	}
	if Variant(name) != "" {
		written = name // [!EXAMPLE]
	}
	first, width := utf8.DecodeRuneInString(written)
	return string(unicode.ToTitle(first)) + strings.ReplaceAll(written[width:], "-", " ")
}
