package hyphen

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// data holds the patterns that come with the program, compressed.
//
//go:embed data/*.zst
var data embed.FS

// Library hands out the patterns of languages, each read when it is asked for
// first and kept. It is safe for use by several goroutines.
type Library struct {
	mu   sync.Mutex
	read map[string]*Patterns
	err  error
}

// NewLibrary returns a library of the patterns that come with the program.
func NewLibrary() *Library { return &Library{read: map[string]*Patterns{}} }

// Err returns the first error of reading patterns.
func (l *Library) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// For returns the patterns for a language, a tag of BCP 47; nil for a language
// that has none here.
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

// fileOf returns the name of the patterns of a language, "" without any. English
// is divided as in Britain where it is spelt so.
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
