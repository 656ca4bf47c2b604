package importer

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// maxMetaLines is how far lines of keys and values at the start of a text are read, in bytes.
const maxMetaLines = 8 << 10

// looseFence matches the start of front matter as only some generators take it:
// behind empty lines or comments, or with the name of its language.
var (
	looseFence = regexp.MustCompile(`^(?:\s|\x{FEFF}|<!--(?s:.*?)-->)*(?:(-{3,})[ \t\x{A0}]*(\w+|#[^\n]*)?[ \t\x{A0}]*\n|[+;{])`)
	endOfLoose = regexp.MustCompile(`(?m)^\s*-{3,}\s*$`)
)

// readLate holds back a page whose front matter only some generators take: it is text.
func (h *hold) readLate(text []byte) {
	h.readMetaLines(text)
	if first := bytes.TrimLeft(text, "\t\n\f\r \uFEFF"); len(first) == 0 || !strings.ContainsRune("-+;{<", rune(first[0])) {
		return // as most are
	}
	late := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text[:min(len(text), frontmatter.MaxBytes)]))
	at := looseFence.FindStringSubmatchIndex(late)
	if at == nil {
		return
	}
	var raw []byte
	var format frontmatter.Format
	if at[2] < 0 {
		raw, _, format, _ = frontmatter.Split([]byte(late[at[1]-1:]))
	} else if end := endOfLoose.FindStringIndex(late[at[1]:]); end != nil {
		raw, format = []byte(late[at[1]:at[1]+end[0]]), frontmatter.YAML
		switch language := late[max(at[4], 0):max(at[5], 0)]; {
		case language == "toml":
			format = frontmatter.TOML
		case language != "" && language[0] != '#' && !slices.Contains([]string{"yaml", "yml", "json", "json5"}, language):
			h.because(1, "its front matter is in a language that is not read, %s, and is text", language)
		}
	}
	front, err := frontmatter.Parse(raw, format)
	if err == nil && front == nil { // draft:true
		_, _, front = frontmatter.SplitMeta(raw)
	}
	if err != nil || front == nil {
		return
	}
	v, _ := octavo.ValueOf(front) // it was read just now
	h.readAsText(v)
}

func (h *hold) readAsText(front octavo.Value) {
	late := holdOf("", front, func(string) int { return 1 })
	if late.why != "" {
		h.because(1, "its front matter is not at the start or not in a form that is read here, and is text")
	}
	h.publish, h.unpublish, h.vague = cmp.Or(late.publish, h.publish), cmp.Or(late.unpublish, h.unpublish), h.vague || late.vague
	h.dates = append(h.dates, late.dates...)
}

// readMetaLines reads lines such as "Key: value" of Pelican and ".. key: value" of Nikola,
// also in a comment. Prose may look alike: only a status, dates, and truths count.
func (h *hold) readMetaLines(text []byte) {
	const blank, dots = "\t\n\f\r \uFEFF", "\n.. "
	text = bytes.TrimLeft(text[:min(len(text), maxMetaLines)], blank)
	text, comment := bytes.CutPrefix(text, []byte("<!--"))
	text = bytes.TrimLeft(text, blank)
	if dotted, ok := bytes.CutPrefix(text, []byte(dots[1:])); ok {
		text = bytes.ReplaceAll(dotted, []byte(dots), []byte("\n"))
	} else if comment {
		return
	}
	_, _, front := frontmatter.SplitMeta(text)
	if front == nil {
		return // as most are
	}
	v, _ := octavo.ValueOf(front) // it was made just now
	v.Members = slices.DeleteFunc(v.Members, func(m octavo.Member) bool {
		_, truth := truthOf(m.Value)
		times, vague := moments(m.Value)
		return !truth && (vague || len(times) == 0) && !slices.Contains([]string{"status", "state", "poststatus"}, fold(m.Name))
	})
	h.readAsText(v)
}

// readModule holds back a page of MDX by metadata that it exports, as in
// export const metadata = { draft: true }. Its text begins on line first.
func (h *hold) readModule(content string, format markdown.Format, first int) {
	if !format.MDX || !strings.Contains(content, "export ") {
		return
	}
	fence, module, number := "", false, first-1
	for line := range strings.Lines(content) {
		number++
		fence = fenceAfter(fence, line)
		module = strings.TrimSpace(line) != "" && (module || fence == "" && beginsModule(line))
		if module && fence == "" && holdsInModule(line) {
			h.because(number, "%.80s", strings.TrimSpace(line))
		}
	}
}

func beginsModule(line string) bool {
	return strings.HasPrefix(line, "import ") || strings.HasPrefix(line, "export ")
}

// holdsInModule reports whether a line of an export has metadata that holds the
// page back, as in export const metadata = { draft: true }.
func holdsInModule(line string) bool {
	line = strings.NewReplacer(" ", "", "\t", "", `"`, "", "'", "").Replace(line)
	for _, member := range []string{"draft:true", "hidden:true", "unlisted:true", "published:false"} {
		if before, _, found := strings.Cut(line, member); found && (before == "" || strings.ContainsAny(before[len(before)-1:], "{,")) {
			return true
		}
	}
	return false
}
