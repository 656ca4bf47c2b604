package markup

import (
	"net/url"
	"regexp"
	"strings"
)

var (
	entity   = regexp.MustCompile(`^&#?\w+;`)
	numbered = regexp.MustCompile(`^(\d{1,9})([.)])(\s|$)`)
)

// Escape escapes the text of a line.
func Escape(s string) string { return escape(s) }

// escape escapes a word.
func escape(s string) string {
	if !strings.ContainsAny(s, "\\`*[]<_~&{^\x00") {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; c {
		case '\\', '`', '*', '[', ']', '<', '~', '{', '^': // ^ as \[ begins mathematics
			b.WriteByte('\\')
		case '_':
			if i == 0 || i == len(s)-1 || !isWord(s[i-1]) || !isWord(s[i+1]) {
				b.WriteByte('\\')
			}
		case '&':
			if entity.MatchString(s[i:min(len(s), i+40)]) {
				b.WriteByte('\\')
			}
		case 0:
			b.WriteString("\uFFFD")
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// startOfLine escapes the beginning of a line that would start a block.
func startOfLine(s string) string {
	if s == "" {
		return s
	}
	if strings.IndexByte("#>-+=:|$%", s[0]) >= 0 {
		return `\` + s
	}
	if m := numbered.FindStringSubmatchIndex(s); m != nil {
		return s[:m[3]] + `\` + s[m[3]:]
	}
	return s
}

var addressEscapes = strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "\\", "%5C", "\n", "", "\r", "", "\t", "%09")

// Destination escapes an address in a link.
func Destination(address string) string { return addressEscapes.Replace(address) }

// codeSpan returns inline code with sufficient backticks.
func codeSpan(text string) string {
	fence := strings.Repeat("`", longestRun(text, '`')+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return fence + text + fence
}

func longestRun(s string, c byte) (longest int) {
	run := 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// anchor returns the markup of a link target.
func anchor(id string) string {
	return `<a id="` + strings.NewReplacer(`"`, "", "<", "", ">", "", "&", "").Replace(id) + `"></a>`
}

// keeps reports whether an id is linked and has to stay.
func (w *writer) keeps(id string) bool {
	if id == "" || strings.ContainsAny(id, " \t\n\"'<>&{}") || len(id) > 200 {
		return false
	}
	escaped := (&url.URL{Fragment: id}).EscapedFragment()
	return w.linked[id] || w.linked[escaped] || w.Keep(id)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
