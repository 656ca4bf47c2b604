package hyphen

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// data has the built-in patterns, compressed.
//
//go:embed data/*.zst
var data embed.FS

// Library loads and caches hyphenation patterns by language. It is safe for concurrent use.
type Library struct {
	mu   sync.Mutex
	read map[string]*Patterns
	err  error
}

// NewLibrary returns a library of the built-in patterns.
func NewLibrary() *Library { return &Library{read: map[string]*Patterns{}} }

// Err returns the first error of reading patterns.
func (l *Library) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// For returns the patterns for a BCP 47 tag, nil if there are none.
func (l *Library) For(tag string) *Patterns {
	file := fileOf(strings.ToLower(tag))
	if file == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if p, done := l.read[file]; done {
		return p
	}
	p, err := read(file)
	if err != nil && l.err == nil {
		l.err = err
	}
	l.read[file] = p
	return p
}

// fileOf returns the pattern file of a language, or "". English with British spelling uses
// British patterns.
func fileOf(tag string) string {
	primary, rest, _ := strings.Cut(tag, "-")
	switch primary {
	case "en":
		switch rest {
		case "gb", "au", "nz", "ie", "za", "in", "gb-oxendict":
			return "en-gb"
		}
		return "en-us"
	case "de":
		return "de-1996"
	case "da", "es", "fr", "it", "nl", "pl", "pt":
		return primary
	}
	return ""
}

func read(file string) (*Patterns, error) {
	packed, err := data.ReadFile("data/hyph-" + file + ".tex.zst")
	if err != nil {
		return nil, fmt.Errorf("patterns of %s: %w", file, err)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("patterns of %s: %w", file, err)
	}
	defer r.Close()
	text, err := r.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("patterns of %s: %w", file, err)
	}
	p := parse(string(text))
	p.nouns = strings.HasPrefix(file, "de")
	return p, nil
}
