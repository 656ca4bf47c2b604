package inline

import (
	"strings"
	"unicode/utf8"
)

// bracket is a [ or ![ that may open a link or image.
type bracket struct {
	token    int32
	pos      int32 // after the bracket
	runs     int32 // length of Tokenizer.runs at that point
	image    bool
	inactive bool // a link may not contain links
	nested   bool // it contains brackets, so its text is not a label
}

// open records a bracket of n bytes.
func (p *Tokenizer) open(n int) {
	if len(p.brackets) > 0 {
		p.brackets[len(p.brackets)-1].nested = true
	}
	p.emit(Plain, n)
	p.brackets = append(p.brackets, bracket{token: int32(len(p.tokens) - 1), pos: int32(p.pos), image: n == 2, runs: int32(len(p.runs))})
}

// close parses a closing bracket, and the link or image it completes, if any.
func (p *Tokenizer) close() {
	if len(p.brackets) == 0 {
		p.pos++
		return
	}
	opener := p.brackets[len(p.brackets)-1]
	p.brackets = p.brackets[:len(p.brackets)-1]
	p.linked = min(p.linked, len(p.brackets))
	if opener.inactive {
		p.pos++
		return
	}
	to, width, found := p.target(opener)
	if !found {
		if p.isFootnote(opener) {
			p.tokens = append(p.tokens[:opener.token], Token{Kind: Footnote, Start: opener.pos + 1, End: int32(p.pos)})
			p.runs = p.runs[:opener.runs]
			p.plain = p.pos + 1
		}
		p.pos++
		return
	}
	first, last := Link, LinkEnd
	if opener.image {
		first, last = Image, ImageEnd
	}
	p.tokens[opener.token].Kind = first
	p.tokens[opener.token].Index = int32(len(p.Targets))
	p.emit(last, 1+width)
	p.Targets = append(p.Targets, to)
	if p.Behind != nil {
		p.pos += p.Behind(p.text[p.pos:])
		p.plain = p.pos
	}
	p.pairRuns(int(opener.runs))
	if !opener.image {
		for ; p.linked < len(p.brackets); p.linked++ {
			around := &p.brackets[p.linked]
			around.inactive = !around.image
		}
	}
}

// target parses the text after a closing bracket. It returns the target and the width.
func (p *Tokenizer) target(opener bracket) (to Target, width int, found bool) {
	rest := p.text[p.pos+1:]
	if len(rest) > 0 && rest[0] == '(' && !p.Scan.Spent() {
		if to, width = inlineTarget(rest, p.Scan); width > 0 {
			to.At += p.pos + 1
			return to, width, true
		}
	}
	label, used := rest[:0], 0
	if len(rest) > 0 && rest[0] == '[' {
		label, used = scanLabel(rest)
	} else if p.Loose && len(rest) > 3 && (rest[0] == ' ' || rest[0] == '\n') && rest[1] == '[' && !p.notes(rest[1:]) && p.pos-int(opener.pos) > 1 { // one letter may be of a task
		if label, used = scanLabel(rest[1:]); used > 2 && (p.References.Defined(label) || p.Label != nil && p.Label(label)) {
			used++
		} else {
			used = 0
		}
	}
	if used > 2 && p.notes(rest) {
		used = 0
	}
	if used <= 2 {
		label = p.text[opener.pos:p.pos]
		if opener.nested || len(label) > maxLabel {
			return to, 0, false
		}
	}
	if to, found = p.References.use(label); !found && used > 1 && p.Label != nil && !opener.image && p.Label(label) {
		return Target{Destination: "{" + label + "}", At: -1}, used, true
	}
	return to, used, found
}

// inlineTarget parses (destination "title"); width is 0 if there is none.
func inlineTarget(s string, scan *Budget) (to Target, width int) {
	i := 1 + Spaces(s[1:])
	to.Title = s[:0]
	destination, n := scanDestination(s[i:])
	to.Destination, to.At = destination, i+(n-len(destination))/2
	if n == 0 {
		if i < len(s) && s[i] == ')' {
			return to, i + 1
		}
		scan.Spend(destinationReach(s[i:]))
		return to, 0
	}
	i += n
	gap := Spaces(s[i:])
	if gap > 0 {
		if title := scanTitle(s[i+gap:]); title > 0 {
			to.Title = s[i+gap+1 : i+gap+title-1]
			i += gap + title
			gap = Spaces(s[i:])
		} else if i+gap < len(s) && opensTitle(s[i+gap]) {
			scan.Spend(len(s) - i)
		}
	}
	i += gap
	if i >= len(s) || s[i] != ')' {
		scan.Spend(i)
		return to, 0
	}
	return to, i + 1
}

// destinationReach returns the distance of a failed scan for a destination.
func destinationReach(s string) int {
	ends := " \t\n"
	if len(s) > 0 && s[0] == '<' {
		ends = "\n>"
	}
	for i := range len(s) {
		if strings.IndexByte(ends, s[i]) >= 0 {
			return i
		}
	}
	return len(s)
}

// notes reports whether a text begins with a reference to a defined footnote.
func (p *Tokenizer) notes(text string) bool {
	if p.Footnote == nil || !strings.HasPrefix(text, "[^") {
		return false
	}
	label, used := scanLabel(text)
	return used > 3 && p.Footnote(FoldLabel(label[1:]))
}

// isFootnote reports whether brackets contain the label of a defined footnote.
func (p *Tokenizer) isFootnote(opener bracket) bool {
	label := p.text[opener.pos:p.pos]
	if p.Footnote == nil || opener.image || len(label) < 2 || label[0] != '^' || len(label) > maxLabel {
		return false
	}
	for i := range len(label) {
		if IsBlank(label[i]) || label[i] == '\n' {
			return false
		}
	}
	return p.Footnote(FoldLabel(label[1:]))
}

// note returns the width of ^[text] at the current position, or 0. There is none within another.
func (p *Tokenizer) note(rest string) int {
	if !p.Notes || len(rest) < 4 || rest[1] != '[' || rest[2] == ']' {
		return 0
	}
	if p.Wary && (p.pos == 0 || !IsLetter(p.text[p.pos-1]) && !IsDigit(p.text[p.pos-1]) && p.text[p.pos-1] < utf8.RuneSelf && strings.IndexByte(".,;:!?)\"'*_`", p.text[p.pos-1]) < 0) {
		return 0
	}
	depth, words := 1, false
	for i := 2; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '^':
			if i+1 < len(rest) && rest[i+1] == '[' {
				return 0
			}
		case ' ', '\n':
			words = true
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 && (words || !p.Wary) {
				return i + 1
			} else if depth == 0 {
				return 0
			}
		}
	}
	return 0
}
