package dialect

import "strings"

// mdbookLine parses a line of mdBook that includes a file or sets the page title.
func mdbookLine(line string) (Mark, bool) {
	c, ok := scanCall(line, "{{#", "}}")
	if !ok || c.width != len(line) {
		return Mark{}, false
	}
	return mdbookBlock(c)
}

func mdbookText(text string, at int) (Mark, bool) {
	if text[at] == '-' {
		return emDash(text, at)
	}
	c, ok := scanCall(text[at:], "{{#", "}}")
	if !ok || at > 0 && text[at-1] == '\\' {
		return Mark{}, false
	}
	m, ok := mdbookBlock(c)
	m.Width = c.width
	return m, ok && m.Include == nil
}

func mdbookBlock(c call) (Mark, bool) {
	var m Mark
	name, part, _ := strings.Cut(c.word(0), ":")
	file, found := File{Name: name, Part: part}.found(true)
	switch c.name {
	case "title":
	case "include", "template":
		m.Include = &file
	case "playground", "playpen", "rustdoc_include":
		m.Include, m.Code, m.Info = &file, true, "rust"
	default:
		return m, false
	}
	return m, found || c.name == "title"
}

// mdbookCode removes hidden lines of Rust, and those that begin with the hidelines of a fence.
func mdbookCode(info, text string) string {
	text = strings.ReplaceAll(text, `\{{#`, "{{#")
	language, flags, _ := strings.Cut(info, ",")
	rust := strings.TrimSpace(language) == "rust" && strings.Contains(text, "#")
	_, hidden, hides := strings.Cut(flags, "hidelines=")
	hidden, _, _ = strings.Cut(hidden, ",")
	hides = hides && strings.TrimSpace(hidden) != ""
	if !rust && !hides {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if hides && strings.HasPrefix(trimmed, strings.TrimSpace(hidden)) || rust && (trimmed == "#" || strings.HasPrefix(trimmed, "# ")) {
			continue
		}
		if rest, ok := strings.CutPrefix(trimmed, "##"); ok && rust { // ## escapes one #
			line = strings.Replace(line, "##"+rest, "#"+rest, 1)
		}
		out.WriteString(line)
	}
	return out.String()
}
