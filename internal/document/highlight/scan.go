package highlight

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/dlclark/regexp2/v2"
)

// ruleTime is the timeout per match, like in chroma.
const ruleTime = 250 * time.Millisecond

// maxStill is the maximal number of consecutive rules that match nothing and do not shrink the
// stack.
const maxStill = 1000

// errStill means that the rules of a lexer loop.
var errStill = errors.New("lexer: its rules stand still")

// scanner runs a rule-based lexer of chroma faster than chroma: it excludes most rules by the
// next character, and computes only the groups that a rule uses. It is safe for
// concurrent use.
type scanner struct {
	lexer *chroma.RegexLexer
	rules chroma.CompiledRules // those in states are compiled

	mu     sync.Mutex
	states map[string]state
	known  map[*chroma.CompiledRule]firsts // of rules, which several states share
}

// state is the rules of a state, in order.
type state []scanRule

type scanRule struct {
	*chroma.CompiledRule
	firsts firsts
}

// newScanner returns the scanner of a lexer; nil if the lexer has no rule table, or rules that
// do more than change the state.
func newScanner(lexer chroma.Lexer) *scanner {
	table, ok := lexer.(*chroma.RegexLexer)
	if !ok {
		return nil
	}
	raw, err := table.Rules()
	if err != nil {
		return nil
	}
	s := &scanner{lexer: table, rules: chroma.CompiledRules{}, states: map[string]state{}, known: map[*chroma.CompiledRule]firsts{}}
	for name, rules := range raw {
		s.rules[name] = make([]*chroma.CompiledRule, len(rules))
		for i, rule := range rules {
			if _, plain := rule.Mutator.(chroma.SerialisableMutator); !plain && rule.Mutator != nil {
				return nil
			}
			s.rules[name][i] = &chroma.CompiledRule{Rule: rule}
		}
	}
	for {
		changed, err := s.expand()
		if err != nil {
			return nil
		}
		if !changed {
			return s
		}
	}
}

// expand replaces rules that include others.
func (s *scanner) expand() (changed bool, err error) {
	for name, rules := range s.rules {
		for i, rule := range rules {
			if m, ok := rule.Mutator.(chroma.LexerMutator); ok {
				return true, m.MutateLexer(s.rules, name, i)
			}
		}
	}
	return false, nil
}

func (s *scanner) state(name string) (state, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.states[name]; ok {
		return known, nil
	}
	rules, ok := s.rules[name]
	if !ok {
		return nil, fmt.Errorf("lexer: unknown state %s", name)
	}
	made := make(state, len(rules))
	for i, rule := range rules {
		if rule.Regexp == nil {
			pattern := s.pattern(rule.Pattern)
			compiled, err := regexp2.Compile(pattern)
			if err != nil {
				return nil, fmt.Errorf("lexer: rule %d of state %s: %w", i, name, err)
			}
			compiled.MatchTimeout = ruleTime
			rule.Regexp, s.known[rule] = compiled, firstsOf(pattern)
		}
		made[i] = scanRule{rule, s.known[rule]}
	}
	s.states[name] = made
	return made, nil
}

// pattern returns the anchored expression of a rule.
func (s *scanner) pattern(rule string) string {
	flags, c := "", s.lexer.Config()
	if !c.NotMultiline {
		flags += "m"
	}
	if c.CaseInsensitive {
		flags += "i"
	}
	if c.DotAll {
		flags += "s"
	}
	if flags != "" {
		flags = "(?" + flags + ")"
	}
	return `\G` + flags + "(?:" + rule + ")"
}

// scan calls add for each token until it returns an error. It panics on faulty rules.
func (s *scanner) scan(ctx context.Context, code string, add func(chroma.Token) error) error {
	const start = "root"
	text := unixLines(code)
	added := s.lexer.Config().EnsureNL && !strings.HasSuffix(text, "\n")
	if added {
		text += "\n"
	}
	l := &chroma.LexerState{
		Lexer: s.lexer, Registry: lexers.GlobalLexerRegistry, Rules: s.rules,
		Text: []rune(text), Stack: []string{start}, MutatorContext: map[any]any{},
	}
	end := len(l.Text)
	if added {
		end--
	}
	var now state
	var err error
	rest, still := text, 0 // remaining code, and consecutive rules without progress
	for l.Pos < end && len(l.Stack) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if top := l.Stack[len(l.Stack)-1]; top != l.State || now == nil {
			if now, err = s.state(top); err != nil {
				return err
			}
			l.State = top
		}
		rule, m := now.match(ctx, l)
		if rule == nil {
			if l.Text[l.Pos] == '\n' && l.State != start {
				l.Stack = []string{start} // the end of a line resets the stack
				continue
			}
			n := sizeOf(l.Text[l.Pos:l.Pos+1], rest)
			if err := add(chroma.Token{Type: chroma.Error, Value: rest[:n]}); err != nil {
				return err
			}
			l.Pos, rest = l.Pos+1, rest[n:]
			continue
		}
		at, depth := l.Pos, len(l.Stack)
		n := sizeOf(l.Text[l.Pos:l.Pos+m.RuneLength], rest)
		matched := rest[:n]
		l.Pos, rest = l.Pos+m.RuneLength, rest[n:]
		kind, plain := rule.Type.(chroma.TokenType)
		if plain = plain || rule.Type == nil; !plain {
			l.Groups, l.NamedGroups = groups(m)
		}
		if rule.Mutator != nil {
			if err := rule.Mutator.Mutate(l); err != nil {
				return fmt.Errorf("lexer: %w", err)
			}
		}
		switch {
		case l.Pos != at:
			still = 0
		case len(l.Stack) >= depth:
			if still++; still > maxStill {
				return errStill
			}
		}
		switch {
		case rule.Type == nil:
		case plain && kind == chroma.Ignore:
		case plain:
			err = add(chroma.Token{Type: kind, Value: matched})
		default:
			err = each(rule.Type.Emit(l.Groups, l), add)
		}
		if err != nil {
			return err
		}
	}
	if len(l.Stack) == 0 && rest != "" {
		return add(chroma.Token{Type: chroma.Error, Value: rest})
	}
	return nil
}

// match returns the first rule that matches at the position of l, or nil.
func (s state) match(ctx context.Context, l *chroma.LexerState) (*chroma.CompiledRule, *regexp2.Match) {
	c := l.Text[l.Pos]
	for i := range s {
		if !s[i].firsts.may(c) {
			continue
		}
		m, err := s[i].Regexp.FindRunesMatchStartingAt(l.Text, l.Pos)
		if err != nil && ctx.Err() != nil { // a timeout; the other rules would time out too
			return nil, nil
		}
		if err == nil && m != nil && m.RuneIndex == l.Pos {
			l.Rule = i
			return s[i].CompiledRule, m
		}
	}
	return nil, nil
}

// groups returns the matched groups by number and by name.
func groups(m *regexp2.Match) ([]string, map[string]string) {
	all := m.Groups()
	texts, named := make([]string, len(all)), make(map[string]string, len(all))
	for i := range all {
		texts[i] = all[i].String()
		named[all[i].Name] = texts[i]
	}
	return texts, named
}

func each(next chroma.Iterator, add func(chroma.Token) error) error {
	for t := next(); t != chroma.EOF; t = next() {
		if t.Type == chroma.Ignore {
			continue
		}
		if err := add(t); err != nil {
			return err
		}
	}
	return nil
}

// sizeOf returns the length in bytes of runes at the start of text.
func sizeOf(runes []rune, text string) (size int) {
	for _, r := range runes {
		if r < utf8.RuneSelf {
			size++
			continue
		}
		_, n := utf8.DecodeRuneInString(text[size:]) // an invalid byte is one rune
		size += n
	}
	return size
}

// unixLines converts line ends to LF.
func unixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
