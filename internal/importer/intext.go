package importer

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/importer/include"
	"github.com/octavo-docs/octavo/internal/importer/moment"
	"github.com/octavo-docs/octavo/internal/importer/settings"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// maxMetaLines is the length in bytes of the text that is searched for metadata lines.
const maxMetaLines = 8 << 10

// looseFence matches front matter that only some generators accept: after empty lines
// or comments, or with a language name.
var (
	looseFence = regexp.MustCompile(`^(?:\s|\x{FEFF}|<!--(?s:.*?)-->)*(?:(-{3,})[ \t\x{A0}]*(\w+|#[^\n]*)?[ \t\x{A0}]*\n|[+;{])`)
	endOfLoose = regexp.MustCompile(`(?m)^\s*-{3,}\s*$`)
)

// readLate reads front matter that only some generators accept. It stays in the text.
func (p *publication) readLate(text []byte) {
	p.readMetaLines(text)
	if first := bytes.TrimLeft(text, "\t\n\f\r \uFEFF"); len(first) == 0 || !strings.ContainsRune("-+;{<", rune(first[0])) {
		return // the common case
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
			p.because(1, "its front matter is in a language that is not read, %s, and is text", language)
		}
	}
	front, err := frontmatter.Parse(raw, format)
	if err == nil && front == nil { // draft:true
		_, _, front = frontmatter.SplitMeta(raw)
	}
	if err != nil || front == nil {
		return
	}
	v, _ := octavo.ValueOf(front) // it parsed above
	p.readAsText(v)
}

func (p *publication) readAsText(front octavo.Value) {
	late := publicationOf("", front, func(string) int { return 1 })
	if late.why != "" {
		p.because(1, "its front matter is not at the start or not in a form that is read here, and is text")
	}
	p.publish, p.unpublish, p.vague = cmp.Or(late.publish, p.publish), cmp.Or(late.unpublish, p.unpublish), p.vague || late.vague
	p.dates = append(p.dates, late.dates...)
}

// readMetaLines reads "Key: value" (Pelican) and ".. key: value" (Nikola), also in a
// comment. Prose may look alike, so only status, dates and Booleans count.
func (p *publication) readMetaLines(text []byte) {
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
		return // the common case
	}
	v, _ := octavo.ValueOf(front) // always valid
	v.Members = slices.DeleteFunc(v.Members, func(m octavo.Member) bool {
		_, truth := settings.Truth(m.Value)
		times, vague := moment.Of(settings.Scalar(m.Value))
		return !truth && (vague || len(times) == 0) && !slices.Contains([]string{"status", "state", "poststatus"}, fold(m.Name))
	})
	p.readAsText(v)
}

// readModule reads metadata that MDX exports. The text begins on line first.
func (p *publication) readModule(content string, format markdown.Format, first int) {
	if !format.MDX || !strings.Contains(content, "export ") {
		return
	}
	fence, module, number := "", false, first-1
	for line := range strings.Lines(content) {
		number++
		fence = include.FenceAfter(fence, line)
		module = strings.TrimSpace(line) != "" && (module || fence == "" && include.BeginsModule(line))
		if module && fence == "" && include.HoldsInModule(line) {
			p.because(number, "%.80s", strings.TrimSpace(line))
		}
	}
}
