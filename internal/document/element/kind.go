package element

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind is the type of a component, independent of the generator.
type Kind uint8

const (
	NoKind    Kind = iota
	Callout        // note, tip or warning; see Component.Variant
	Tabs           // contains Tab
	Tab            // one alternative, with a title
	CodeGroup      // alternative code blocks, by their titles
	Steps          // contains Step, an ordered list or headings
	Step           // with a title
	Cards          // contains Card
	Card           // a box with a title, often a link
	Columns        // contains Column, or blocks side by side
	Column
	Accordions // contains Accordion
	Accordion  // collapsible, with a title
	Field      // a parameter, or a member of a response
	Frame      // a picture with a caption
	Update     // an entry of a change log
	FileTree   // nested lists of files and folders
	Folder     // in a FileTree, with a title
	File       // in a FileTree, with a title
	Badge      // a highlighted word
	Icon       // an inline picture
	Tooltip    // text with an explanation on demand
	Keys       // keys to press
	Formula    // mathematics, kept as code
)

// Inline reports whether components of a kind are inline.
func (k Kind) Inline() bool {
	switch k {
	case NoKind, Badge, Icon, Tooltip, Keys:
		return true
	}
	return false
}

// KindOf returns the kind of a component name, as written or by the part after the last dot,
// as in Tabs.Tab.
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

// StartsUpper reports whether a name is capitalised like a component.
func StartsUpper(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// Kinds are the component names of Docusaurus, Mintlify, Starlight, Nextra and the React
// documentation. Variant has those of callouts.
var Kinds = map[string]Kind{
	"Aside": Callout, "Callout": Callout, "Admonition": Callout,
	"Tabs": Tabs, "Sandpack": CodeGroup, "CodeGroup": CodeGroup, "CodeTabs": CodeGroup, "RequestExample": CodeGroup, "ResponseExample": CodeGroup,
	"Tab": Tab, "TabItem": Tab, "View": Tab,
	"Steps": Steps, "Step": Step,
	"CardGroup": Cards, "Cards": Cards, "CardGrid": Cards, "Card": Card, "LinkCard": Card, "YouWillLearnCard": Card, "Prompt": Card, "Tile": Card,
	"Columns": Columns, "Column": Column, "Col": Column, "Split": Columns,
	"Accordion": Accordion, "AccordionGroup": Accordions, "Expandable": Accordion, "Details": Accordion, "DeepDive": Accordion, "Collapsible": Accordion, "Spoiler": Accordion,
	"ResponseField": Field, "ParamField": Field, "Param": Field, "Property": Field,
	"Frame": Frame, "Figure": Frame, "Listing": Frame, "Update": Update,
	"FileTree": FileTree, "Folder": Folder, "File": File, "Tree": FileTree,
	"Badge": Badge, "Icon": Icon, "Tooltip": Tooltip, "Kbd": Keys, "Key": Keys,
	"Math": Formula, "TeX": Formula, "Latex": Formula, "BlockMath": Formula,
}

// Variant returns the callout variant, note, tip, info, warning or danger, of a lower-case
// admonition, alert or component name; "" if it is none.
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

// TitleAttributes returns the attributes that may have the title of a component.
func TitleAttributes(k Kind) []string {
	switch k {
	case Tab:
		return []string{"title", "label", "name", "value"}
	case Card:
		return []string{"title", "label", "name"}
	case Accordion, Step:
		return []string{"title", "label", "summary", "name", "header"}
	case Folder, File:
		return []string{"name", "title"}
	case Field:
		return []string{"name", "path", "query", "body", "header", "title"}
	case Frame:
		return []string{"caption", "title"}
	case Update:
		return []string{"label", "title", "date"}
	}
	return []string{"title", "label"}
}

// AnchorText returns the text of the anchor that a component with a title has in Mintlify, or "".
func AnchorText(k Kind, title string) string {
	title = strings.ReplaceAll(title, ".", "-")
	switch {
	case k == Field && title != "":
		return "param-" + title
	case k == Accordion, k == Tab, k == Step, k == Update:
		return title
	}
	return ""
}

// Boxless reports whether a colon container only affects parsing or layout.
func Boxless(name string) bool {
	switch name {
	case "v-pre", "raw", "row", "zone", "moniker", "center", "left", "right", "image":
		return true
	}
	return false
}

// Containers are the names of colon containers that are not callouts.
var Containers = map[string]Kind{
	"details": Accordion, "spoiler": Accordion, "code-group": CodeGroup, "tabs": Tabs, "tab": Tab, "steps": Steps, "step": Step,
	"cards": Cards, "card": Card, "columns": Columns, "column": Column,
}

// CalloutTitle returns the title of a callout that has none, from its name as written; "" if
// that equals the variant in some language.
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

// Box returns the name of the callout that a class means, "" if none, and whether the class
// makes the first paragraph its title. "note warning" is a warning. On an element of HTML,
// fewer names are sure to mean one.
func Box(class string, html, text bool) (found string, titled bool) {
	sure := !html || strings.Contains(class, "admonition") || strings.Contains(class, "callout")
	for word := range strings.FieldsSeq(class) {
		name := word
		for _, prefix := range []string{"notice--", "prompt-", "alert-", "callout-"} {
			name = strings.TrimPrefix(name, prefix)
		}
		if !html {
			name = strings.TrimPrefix(name, "is-")
		}
		plain := name == word && !sure
		name, cut := strings.CutSuffix(name, "-title")
		known := Variant(name) != "" || !html && text && (name == "new" || name == "highlight") // of Just the Docs
		if known && (found == "" || found == "note") && !(html && (cut || plain && CalloutTitle(name) != "")) {
			found, titled = name, cut
		}
	}
	return found, titled
}
