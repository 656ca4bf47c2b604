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

// Highlighter divides code. It is safe for use by many goroutines.
type Highlighter struct {
	limit int               // bytes of code that are remembered, at most
	names map[string]string // chroma's names of languages, by those in lower case

	mu       sync.Mutex
	recent   map[key]result
	older    map[key]result
	recently int // bytes of code in recent
}

// key names a block of code of a language.
type key [sha256.Size]byte

// result is what came of a block, with the error that left it plain.
type result struct {
	tokens []token.Token
	err    error
}

// New returns a Highlighter that remembers the tokens of about so many bytes of
// code.
func New(remember int) *Highlighter {
	h := &Highlighter{limit: remember / 2, names: map[string]string{}, recent: map[key]result{}}
	for _, name := range lexers.Names(true) {
		h.names[strings.ToLower(name)] = name
	}
	return h
}

// Tokens returns the tokens of code; their texts together are the code. An
// unknown language gives one plain token and no error; an error tells why a
// known one does.
func (h *Highlighter) Tokens(ctx context.Context, language, code string) ([]token.Token, error) {
	plain := []token.Token{{Text: code}}
	lexer := h.lexer(language)
	if lexer == nil || code == "" {
		return plain, nil
	}
	if len(code) > MaxCode {
		return plain, fmt.Errorf("%d bytes of %s are more than %d", len(code), language, MaxCode)
	}
	k := key(sha256.Sum256([]byte(lexer.Config().Name + "\x00" + code)))
	if known, ok := h.known(k); ok {
		return known.tokens, known.err
	}
	tokens, err := divide(ctx, lexer, code)
	if ctx.Err() != nil {
		return plain, fmt.Errorf("colour %s: %w", language, ctx.Err()) // says nothing about the code
	}
	if err != nil {
		tokens, err = plain, fmt.Errorf("colour %s: %w", language, err)
	}
	h.remember(k, result{tokens, err}, len(code))
	return tokens, err
}

// lexer returns the lexer of a language, nil if there is none. What chroma does
// not know by name it would seek among patterns of file names, which is slow.
func (h *Highlighter) lexer(language string) chroma.Lexer {
	if name, ok := renamed[language]; ok {
		language = name
	}
	name, known := h.names[language]
	if !known {
		return nil
	}
	return lexers.Get(name)
}

// renamed are names that writers use and chroma does not know.
var renamed = map[string]string{
	"jsonc": "json", "json5": "json", "mdx": "markdown", "shellscript": "bash", "console": "bash", "env": "bash", "dotenv": "bash",
	"cmd": "batch", "curl": "bash", "text": "plaintext", "txt": "plaintext", "svelte": "html", "astro": "html",
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

// divide runs a lexer. Lexers panic on faults of their own.
func divide(ctx context.Context, lexer chroma.Lexer, code string) (tokens []token.Token, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			tokens, err = nil, fmt.Errorf("lexer: %v", fault)
		}
	}()
	bounded, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	next, err := lexer.Tokenise(nil, code)
	if err != nil {
		return nil, fmt.Errorf("lexer: %w", err)
	}
	rest := code
	for t := next(); t != chroma.EOF; t = next() {
		if bounded.Err() != nil {
			return nil, bounded.Err()
		}
		n := len(t.Value)
		if n > len(rest) || rest[:n] != t.Value {
			// Some lexers add a line end, or make one of two characters.
			if strings.HasPrefix(t.Value, rest) && strings.Trim(t.Value[len(rest):], "\n") == "" {
				n = len(rest)
			} else {
				return nil, fmt.Errorf("lexer changes the code")
			}
		}
		if n == 0 {
			continue
		}
		class := classOf(t.Type)
		if last := len(tokens) - 1; last >= 0 && tokens[last].Class == class {
			tokens[last].Text = code[len(code)-len(rest)-len(tokens[last].Text) : len(code)-len(rest)+n]
		} else {
			tokens = append(tokens, token.Token{Class: class, Text: rest[:n]})
		}
		rest = rest[n:]
	}
	if rest != "" {
		tokens = append(tokens, token.Token{Text: rest})
	}
	return tokens, nil
}
