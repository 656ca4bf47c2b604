// Package highlight divides code into tokens of a few classes, for renderings to
// colour. The lexers are chroma's; what they cost is bounded: code past a size,
// or that takes too long, has one plain token, and what was divided once is
// remembered.
//
// The package knows neither colours nor pages.
package highlight

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"github.com/octavo-docs/octavo/internal/document/token"
)

// The limits of a block of code.
const (
	MaxCode = 128 << 10       // bytes
	MaxTime = 2 * time.Second // after which it is left plain
)

// Languages are the languages that code may be of, each made ready when it is met
// first, which takes milliseconds. They are safe for use by many Highlighters.
type Languages struct {
	names map[string]string // chroma's names, by those in lower case

	mu       sync.Mutex
	scanners map[string]*scanner // by chroma's name; nil for a lexer that has none
}

// NewLanguages returns the languages that chroma knows.
func NewLanguages() *Languages {
	l := &Languages{names: map[string]string{}, scanners: map[string]*scanner{}}
	for _, name := range lexers.Names(true) {
		l.names[strings.ToLower(name)] = name
	}
	return l
}

// Highlighter divides code. It is safe for use by many goroutines.
type Highlighter struct {
	*Languages
	limit int // bytes of code that are remembered, at most

	mu       sync.Mutex
	recent   map[key]result
	older    map[key]result
	recently int            // bytes of code in recent
	slow     map[string]int // blocks in a row that took too long, by the name of their lexer; nil where all are tried
}

// key names a block of code of a language.
type key [sha256.Size]byte

// result is what came of a block, with the error that left it plain. It keeps no
// text, which would be that of a whole page.
type result struct {
	tokens []packed
	err    error
}

// packed is a token without its text: how many bytes that has, and its class.
type packed uint32

const classBits = 8

// pack returns what is remembered of tokens.
func pack(tokens []token.Token, err error) result {
	r := result{make([]packed, len(tokens)), err}
	for i, t := range tokens {
		r.tokens[i] = packed(len(t.Text))<<classBits | packed(t.Class)
	}
	return r
}

// unpack returns the tokens of the code that r is the result of.
func (r result) unpack(code string) []token.Token {
	tokens := make([]token.Token, len(r.tokens))
	for i, p := range r.tokens {
		n := p >> classBits
		tokens[i], code = token.Token{Class: token.Class(p), Text: code[:n]}, code[n:]
	}
	return tokens
}

// New returns a Highlighter that remembers the tokens of about so many bytes of
// code, and has languages of its own. It serves pages of many authors, so each
// block is tried, however many before took too long.
func New(remember int) *Highlighter {
	h := NewLanguages().Highlighter(remember)
	h.slow = nil
	return h
}

// Highlighter returns a Highlighter of one file, which remembers as much, with
// these languages: where block after block takes too long no more are tried.
func (l *Languages) Highlighter(remember int) *Highlighter {
	return &Highlighter{Languages: l, limit: remember / 2, recent: map[key]result{}, slow: map[string]int{}}
}

// Tokens returns the tokens of code; their texts together are the code. An
// unknown language gives one plain token and no error; an error tells why a
// known one does.
func (h *Highlighter) Tokens(ctx context.Context, language, code string) ([]token.Token, error) {
	plain := []token.Token{{Text: code}}
	if language == "console" && !strings.Contains("\n"+code, "\n$ ") {
		language = "bash" // commands without prompts, which are no output
	}
	lexer := h.lexer(language)
	if lexer == nil || code == "" {
		return plain, nil
	}
	if len(code) > MaxCode {
		return plain, fmt.Errorf("%d bytes of %s are more than %d", len(code), language, MaxCode)
	}
	k := key(sha256.Sum256([]byte(lexer.Config().Name + "\x00" + code)))
	if known, ok := h.known(k); ok {
		return known.unpack(code), known.err
	}
	if h.skips(lexer.Config().Name) {
		return plain, fmt.Errorf("colour %s: %w", language, errSlow)
	}
	tokens, err := divide(ctx, lexer, h.scanner(lexer), code)
	if ctx.Err() != nil {
		return plain, fmt.Errorf("colour %s: %w", language, ctx.Err()) // says nothing about the code
	}
	h.judge(lexer.Config().Name, errors.Is(err, context.DeadlineExceeded))
	if err != nil {
		tokens, err = plain, fmt.Errorf("colour %s: %w", language, err)
	}
	h.remember(k, pack(tokens, err), len(code))
	return tokens, err
}

// errSlow says that code was left alone because other code took too long.
var errSlow = errors.New("much of it takes too long")

// maxSlow is how many blocks of a language in a row may take too long before all
// others are left alone, since a page may have thousands.
const maxSlow = 4

// skips reports whether code of a lexer is left alone.
func (h *Highlighter) skips(lexer string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.slow[lexer] >= maxSlow
}

// judge remembers whether code of a lexer took too long.
func (h *Highlighter) judge(lexer string, slow bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slow {
		delete(h.slow, lexer)
	} else if h.slow != nil {
		h.slow[lexer]++
	}
}

// lexer returns the lexer of a language, nil if there is none. What chroma does
// not know by name it would seek among patterns of file names, which is slow.
func (l *Languages) lexer(language string) chroma.Lexer {
	if name, ok := renamed[language]; ok {
		language = name
	}
	name, known := l.names[language]
	if !known {
		return nil
	}
	return lexers.Get(name)
}

// renamed are names that writers use and chroma does not know.
var renamed = map[string]string{
	"jsonc": "json", "json5": "json", "mdx": "markdown", "shellscript": "bash", "env": "bash", "dotenv": "bash",
	"cmd": "batch", "curl": "bash", "text": "plaintext", "txt": "plaintext", "svelte": "html", "astro": "html", "vue-html": "html",
	"mjs": "js", "cjs": "js", "mts": "ts", "cts": "ts", "yml": "yaml", "rs": "rust", "kt": "kotlin", "py": "python", "rb": "ruby", "golang": "go", "h": "c", "hpp": "cpp", "tf": "terraform",
}

func (h *Highlighter) known(k key) (result, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r, ok := h.recent[k]; ok {
		return r, true
	}
	r, ok := h.older[k]
	if ok {
		h.recent[k] = r // and so it stays a while longer
	}
	return r, ok
}

func (h *Highlighter) remember(k key, r result, size int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.recently += size; h.recently > h.limit {
		h.older, h.recent, h.recently = h.recent, map[key]result{}, size
	}
	h.recent[k] = r
}

// scanner returns the scanner of a lexer, nil if it has none.
func (l *Languages) scanner(lexer chroma.Lexer) *scanner {
	name := lexer.Config().Name
	l.mu.Lock()
	defer l.mu.Unlock()
	s, known := l.scanners[name]
	if !known {
		s = newScanner(lexer)
		l.scanners[name] = s
	}
	return s
}

// divide runs a scanner, or where that is nil its lexer. Both panic on faults of
// rules.
func divide(ctx context.Context, lexer chroma.Lexer, s *scanner, code string) (tokens []token.Token, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			tokens, err = nil, fmt.Errorf("lexer: %v", fault)
		}
	}()
	bounded, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	d := divided{ctx: bounded, code: code, rest: code}
	if s != nil {
		err = s.scan(bounded, code, d.add)
	} else {
		next, wrong := lexer.Tokenise(nil, code)
		if wrong != nil {
			return nil, fmt.Errorf("lexer: %w", wrong)
		}
		err = each(next, d.add)
	}
	if err != nil {
		return nil, err
	}
	if d.rest != "" {
		d.tokens = append(d.tokens, token.Token{Text: d.rest})
	}
	return d.tokens, nil
}

// divided is code that is being divided.
type divided struct {
	ctx        context.Context
	code, rest string
	tokens     []token.Token
	nothing    int // tokens in a row that have no text
}

// add takes a token of chroma off the rest.
func (d *divided) add(t chroma.Token) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	n, code, rest := len(t.Value), d.code, d.rest
	if n > len(rest) || rest[:n] != t.Value {
		// Some lexers add a line end, or make one of two characters.
		if !strings.HasPrefix(t.Value, rest) || strings.Trim(t.Value[len(rest):], "\n") != "" {
			return fmt.Errorf("lexer changes the code")
		}
		n = len(rest)
	}
	if n == 0 {
		if d.nothing++; d.nothing > maxStill {
			return errStill // as lexers within a lexer may
		}
		return nil
	}
	d.nothing = 0
	class := classOf(t.Type)
	if last := len(d.tokens) - 1; last >= 0 && d.tokens[last].Class == class {
		d.tokens[last].Text = code[len(code)-len(rest)-len(d.tokens[last].Text) : len(code)-len(rest)+n]
	} else {
		d.tokens = append(d.tokens, token.Token{Class: class, Text: rest[:n]})
	}
	d.rest = rest[n:]
	return nil
}
