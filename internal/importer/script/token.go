package script

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/literal"
)

type tokenKind byte

const (
	punct tokenKind = iota
	name
	text     // of a string
	number   // as it is written
	opaque   // a template with substitutions, or a regular expression
	lastWord // end of the program
)

type token struct {
	kind  tokenKind
	text  string
	line  int
	match int // index of the matching bracket
}

// divide splits any program into tokens.
func divide(source string) []token {
	s := splitter{rest: source, line: 1}
	for s.skip(); s.rest != ""; s.skip() {
		s.next()
	}
	s.add(lastWord, "", 0)
	s.pair()
	return s.tokens
}

type splitter struct {
	rest   string
	line   int
	tokens []token

	apostrophes int // line with an unmatched quote
}

// skip moves over white space and comments.
func (s *splitter) skip() {
	for s.rest != "" {
		n := 0
		switch r, size := utf8.DecodeRuneInString(s.rest); {
		case unicode.IsSpace(r) || r == '\uFEFF':
			n = size
		case strings.HasPrefix(s.rest, "//"), strings.HasPrefix(s.rest, "#!"):
			if n = strings.IndexByte(s.rest, '\n'); n < 0 {
				n = len(s.rest)
			}
		case strings.HasPrefix(s.rest, "/*"):
			if n = strings.Index(s.rest[2:], "*/") + 4; n == 3 {
				n = len(s.rest)
			}
		default:
			return
		}
		s.move(n)
	}
}

func (s *splitter) move(n int) {
	s.line += strings.Count(s.rest[:n], "\n")
	s.rest = s.rest[n:]
}

func (s *splitter) add(kind tokenKind, text string, width int) {
	s.tokens = append(s.tokens, token{kind: kind, text: text, line: s.line, match: -1})
	s.move(width)
}

func (s *splitter) next() {
	c := s.rest[0]
	r, _ := utf8.DecodeRuneInString(s.rest)
	switch {
	case c == '"' || c == '\'' || c == '`':
		s.quoted(c)
	case c >= '0' && c <= '9':
		n := s.width(func(r rune) bool { return isWord(r) || r == '.' })
		s.add(number, s.rest[:n], n)
	case isWord(r):
		n := s.width(isWord)
		s.add(name, s.rest[:n], n)
	case c == '/' && s.startsPattern():
		n := patternWidth(s.rest)
		s.add(opaque, "", n)
	case strings.HasPrefix(s.rest, "..."), strings.HasPrefix(s.rest, "==="), strings.HasPrefix(s.rest, "!=="):
		s.add(punct, s.rest[:3], 3)
	case strings.HasPrefix(s.rest, "=>"), strings.HasPrefix(s.rest, "=="), strings.HasPrefix(s.rest, "!="), strings.HasPrefix(s.rest, "<="), strings.HasPrefix(s.rest, ">="):
		s.add(punct, s.rest[:2], 2)
	default:
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			n = 1
		}
		s.add(punct, s.rest[:n], n)
	}
}

func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func (s *splitter) width(in func(rune) bool) int {
	if n := strings.IndexFunc(s.rest, func(r rune) bool { return !in(r) }); n >= 0 {
		return n
	}
	return len(s.rest)
}

// quoted reads a string. A plain quote without a partner in its line is an apostrophe,
// like all others after it in the line.
func (s *splitter) quoted(quote byte) {
	if quote != '`' && s.apostrophes == s.line {
		s.add(punct, s.rest[:1], 1)
		return
	}
	depth, substitutes := 0, false
	i := 1
	for ; i < len(s.rest); i++ {
		c := s.rest[i]
		switch {
		case c == '\\':
			i++
		case quote == '`' && strings.HasPrefix(s.rest[i:], "${"):
			depth, substitutes = depth+1, true
		case depth > 0 && c == '}':
			depth--
		}
		if c == quote && depth == 0 || c == '\n' && quote != '`' {
			break
		}
	}
	i = min(i, len(s.rest))
	if quote != '`' && (i == len(s.rest) || s.rest[i] != quote) {
		s.apostrophes = s.line
		s.add(punct, s.rest[:1], 1)
		return
	}
	kind, width := text, i
	if substitutes {
		kind = opaque
	}
	if i < len(s.rest) {
		width++
	}
	s.add(kind, literal.Unescape(s.rest[1:max(i, 1)]), width)
}

// startsPattern reports whether a slash begins a regular expression.
func (s *splitter) startsPattern() bool {
	if len(s.tokens) == 0 {
		return true
	}
	last := s.tokens[len(s.tokens)-1]
	return last.kind == punct && strings.Contains("( , = : [ ! & | ? ; => {", last.text) || last.kind == name && last.text == "return"
}

func patternWidth(s string) int {
	class := false
	for i := 1; i < min(len(s), 1000); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '\n':
			return 1
		case '/':
			if !class {
				return i + 1
			}
		}
	}
	return 1
}

// pair matches brackets. One without a partner ends with the program.
func (s *splitter) pair() {
	ends := map[string]string{"(": ")", "[": "]", "{": "}"}
	var open []int
	for i, t := range s.tokens {
		if t.kind != punct {
			continue
		}
		switch t.text {
		case "(", "[", "{":
			s.tokens[i].match = len(s.tokens) - 1
			open = append(open, i)
		case ")", "]", "}":
			for len(open) > 0 {
				at := open[len(open)-1]
				open = open[:len(open)-1]
				if ends[s.tokens[at].text] == t.text {
					s.tokens[at].match = i
					break
				}
			}
		}
	}
}
