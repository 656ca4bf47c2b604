package dialect

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

const maxOptions = 50

// Options parses option lines below a mark, ":name: value", or "name: value" between lines of
// three hyphens or indented, and returns their width. Lines ":  text" and, behind "|" or ">",
// indented lines continue a value, up to a limit. A component of MDC shows lists between
// hyphens above its content.
func (m *Mark) Options(source, line string) (list attribute.List, width int) {
	between, folded, first, indent := false, false, 0, ""
	var listed []string
	if m.Below {
		indent = line[:inline.Blanks(line)] + "    "
	}
	for line := range strings.Lines(source) {
		text := strings.TrimSpace(line)
		if !strings.HasPrefix(line, indent) {
			break
		}
		if text == "---" && (between || width == 0) {
			if width += len(line); between {
				if m.Exact { // of MDC
					m.Above = strings.Join(listed, "\\\n")
				}
				return list, width
			}
			between, first = true, width
			continue
		}
		rest, colon := strings.CutPrefix(text, ":")
		name, value, found := strings.Cut(rest, ":")
		named := found && attribute.IsName(name)
		begins := line // of what continues the last value
		if !between {
			begins = rest
		}
		if last := len(list) - 1; last >= 0 && indent == "" && colon != between && (folded || colon) && text != "" && width < 4*maxReach && begins != "" && inline.IsBlank(begins[0]) {
			said, _ := list[last].Value.(string)
			list[last].Value = strings.TrimSpace(said + " " + strings.TrimSpace(rest))
			width += len(line)
			continue
		}
		item := strings.HasPrefix(text, "- ")
		if between && text != "" && width < 4*maxReach && (item || !named || listed != nil) && (width > first || found && strings.IndexByte(name, ' ') < 0) {
			if width += len(line); item || listed != nil {
				listed = append(listed, strings.TrimPrefix(text, "- "))
			}
			continue
		}
		if colon == (between || indent != "") || !named || len(list) == maxOptions {
			if text == "" && width > 0 && !between {
				width += len(line)
			}
			break
		}
		if folded = strings.Trim(strings.TrimSpace(value), ">|+-") == "" && strings.ContainsAny(value, ">|"); folded {
			value = " "
		}
		list = append(list, attribute.Attribute{Name: name, Value: unquote(strings.TrimSpace(value))})
		if value == "" || strings.EqualFold(strings.TrimSpace(value), "false") {
			list[len(list)-1].Value = value == ""
		}
		width += len(line)
	}
	if between { // unclosed
		return nil, 0
	}
	return list, width
}
