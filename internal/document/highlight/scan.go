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

// ruleTime is how long one rule may look at one place, as chroma has it.
const ruleTime = 250 * time.Millisecond

// maxStill is how many rules in a row may match nothing and lead no further back
// before code is given up.
const maxStill = 1000

// errStill says that the rules of a lexer go round in circles.
var errStill = errors.New("lexer: its rules stand still")

// scanner gives the tokens of a lexer of chroma that is a table of rules, with
// less work than chroma: most rules at most places are told not to match by the
// character there alone, and of what matched nothing is made that its rule does
// not ask for. It is safe for use by many goroutines.
type scanner struct {
	lexer *chroma.RegexLexer
	rules chroma.CompiledRules // of which those in states are compiled

	mu     sync.Mutex
	states map[string]state
	known  map[*chroma.CompiledRule]firsts // of rules, which states share
}

// state is a state of a scanner with its rules in the order in which they are
// tried.
type state []scanRule

type scanRule struct {
	*chroma.CompiledRule
	firsts firsts
}

// newScanner returns the scanner of a lexer; nil is for one that is no table of
// rules, or whose rules do more than to go from state to state.
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

// expand has one rule that stands for others make place for them.
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

// pattern returns the expression of a rule at the place where it is tried.
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

// scan tells the tokens of code to add, until that returns an error. It panics
// where rules have faults of their own.
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
	rest, still := text, 0 // what is not divided yet, and how many rules did nothing for it
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
				l.Stack = []string{start} // what was begun ends with its line
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

// match returns the first rule that matches at the place of l, nil for none.
func (s state) match(ctx context.Context, l *chroma.LexerState) (*chroma.CompiledRule, *regexp2.Match) {
	c := l.Text[l.Pos]
	for i := range s {
		if !s[i].firsts.may(c) {
			continue
		}
		m, err := s[i].Regexp.FindRunesMatchStartingAt(l.Text, l.Pos)
		if err != nil && ctx.Err() != nil { // it took too long, and so would others
			return nil, nil
		}
		if err == nil && m != nil && m.RuneIndex == l.Pos {
			l.Rule = i
			return s[i].CompiledRule, m
		}
	}
	return nil, nil
}

// groups returns what the groups of an expression matched, by number and by
// name.
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

// sizeOf returns how many bytes of text some runes take, which it begins with.
func sizeOf(runes []rune, text string) (size int) {
	for _, r := range runes {
		if r < utf8.RuneSelf {
			size++
			continue
		}
		_, n := utf8.DecodeRuneInString(text[size:]) // a byte that is no character is one rune
		size += n
	}
	return size
}

// unixLines ends lines as lexers want them.
func unixLines(text string) string {
	if !strings.Contains(text, "\r") {
		return text
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
