// Package highlight divides code into tokens of a few classes, so that renderings can colour
// it. It uses the lexers of chroma with limits: code that is too large, or takes too long,
// becomes one plain token. Results are cached.
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

const (
	MaxCode = 128 << 10       // bytes
	MaxTime = 2 * time.Second // per block
)

// Languages are the known languages. A lexer is prepared on first use, which takes
// milliseconds. Safe for concurrent use by several Highlighters.
type Languages struct {
	names map[string]string // chroma's names by lower-case name

	mu       sync.Mutex
	scanners map[string]*scanner // by chroma's name; nil if it has none
}

// NewLanguages returns all languages of chroma.
func NewLanguages() *Languages {
	l := &Languages{names: map[string]string{}, scanners: map[string]*scanner{}}
	for _, name := range lexers.Names(true) {
		l.names[strings.ToLower(name)] = name
	}
	return l
}

// Highlighter tokenises code. It is safe for concurrent use.
type Highlighter struct {
	*Languages
	limit int // maximal bytes of cached code

	mu       sync.Mutex
	recent   map[key]result
	older    map[key]result
	recently int            // bytes of code in recent
	slow     map[string]int // consecutive slow blocks by lexer name; nil if all are tried
}

// key identifies code in a language.
type key [sha256.Size]byte

// result is a cached outcome or error. It does not keep the text, which is a part of the
// page's.
type result struct {
	tokens []packed
	err    error
}

// packed is the length in bytes and the class of a token.
type packed uint32

const classBits = 8

func pack(tokens []token.Token, err error) result {
	r := result{make([]packed, len(tokens)), err}
	for i, t := range tokens {
		r.tokens[i] = packed(len(t.Text))<<classBits | packed(t.Class)
	}
	return r
}

// unpack restores the tokens of code.
func (r result) unpack(code string) []token.Token {
	tokens := make([]token.Token, len(r.tokens))
	for i, p := range r.tokens {
		n := p >> classBits
		tokens[i], code = token.Token{Class: token.Class(p), Text: code[:n]}, code[n:]
	}
	return tokens
}

// New returns a Highlighter that caches the tokens of about remember bytes of code. It
// serves many authors, so it tries every block however slow others were.
func New(remember int) *Highlighter {
	h := NewLanguages().Highlighter(remember)
	h.slow = nil
	return h
}

// Highlighter returns a Highlighter for one file. It stops trying after several slow blocks.
func (l *Languages) Highlighter(remember int) *Highlighter {
	return &Highlighter{Languages: l, limit: remember / 2, recent: map[key]result{}, slow: map[string]int{}}
}

// Tokens returns the tokens of code; together they are the code. An unknown language gives one
// plain token without an error; with an error, a known one does.
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
		return plain, fmt.Errorf("colour %s: %w", language, ctx.Err()) // independent of the code, so not cached
	}
	h.judge(lexer.Config().Name, errors.Is(err, context.DeadlineExceeded))
	if err != nil {
		tokens, err = plain, fmt.Errorf("colour %s: %w", language, err)
	}
	h.remember(k, pack(tokens, err), len(code))
	return tokens, err
}

// errSlow means that code was skipped because other code took too long.
var errSlow = errors.New("much of it takes too long")

// maxSlow is the number of consecutive slow blocks of a language before the others are
// skipped, since a page may have thousands.
const maxSlow = 4

// skips reports whether to skip code of a lexer.
func (h *Highlighter) skips(lexer string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.slow[lexer] >= maxSlow
}

// judge counts slow blocks of a lexer.
func (h *Highlighter) judge(lexer string, slow bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slow {
		delete(h.slow, lexer)
	} else if h.slow != nil {
		h.slow[lexer]++
	}
}

// lexer returns the lexer of a language, or nil. It prevents chroma's slow search in file name
// patterns.
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

// renamed are common names that chroma does not have.
var renamed = map[string]string{
	"jsonc": "json", "json5": "json", "mdx": "markdown", "shellscript": "bash", "env": "bash", "dotenv": "bash",
	"cmd": "batch", "curl": "bash", "text": "plaintext", "txt": "plaintext", "svelte": "html", "astro": "html", "vue-html": "html", "angular-html": "html", "ejs": "html", "pcss": "css", "postcss": "css",
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
		h.recent[k] = r // keeps it in the cache for longer
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

// scanner returns the scanner of a lexer, or nil.
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

// divide runs a scanner or, if that is nil, the lexer. Both panic on faulty rules.
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

// divided is code that is being tokenised.
type divided struct {
	ctx        context.Context
	code, rest string
	tokens     []token.Token
	nothing    int // consecutive empty tokens
}

// add appends a token of chroma and advances.
func (d *divided) add(t chroma.Token) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	n, code, rest := len(t.Value), d.code, d.rest
	if n > len(rest) || rest[:n] != t.Value {
		// Some lexers add a line end or convert it to LF.
		if !strings.HasPrefix(t.Value, rest) || strings.Trim(t.Value[len(rest):], "\n") != "" {
			return fmt.Errorf("lexer changes the code")
		}
		n = len(rest)
	}
	if n == 0 {
		if d.nothing++; d.nothing > maxStill {
			return errStill // nested lexers may do so
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
