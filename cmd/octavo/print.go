package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo"
)

// answer prints a result: as a JSON object if requested, or else as a line.
func (p *program) answer(asJSON bool, v any, line string) error {
	if asJSON {
		return printJSON(p.stdout, v)
	}
	return printLine(p.stdout, line)
}

// answerAll prints all items of list, which returns them in parts, ordered by id.
// row returns the output for an item.
func answerAll[T any](p *program, asJSON bool, list func(ctx context.Context, after octavo.ID, limit int) ([]T, bool, error),
	row func(T) (id octavo.ID, v any, line string),
) error {
	for after := octavo.ID(""); ; {
		items, more, err := list(p.ctx, after, 100)
		if err != nil {
			return err
		}
		for _, item := range items {
			id, v, line := row(item)
			if err := p.answer(asJSON, v, line); err != nil {
				return err
			}
			after = id
		}
		if !more {
			return nil
		}
	}
}

// printJSON writes a value as one line.
func printJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return printLine(w, string(text))
}

// printLine writes a result, legibly.
func printLine(w io.Writer, line string) error {
	_, err := fmt.Fprintln(w, legible(line))
	return octavo.Wrapf(err, "print the result")
}

// legible returns text that is safe to print on a terminal. Control characters, except
// tabs and line ends, and characters that change the direction of text are escaped as
// in JSON, such as \u001b. Invalid UTF-8, which can control a terminal too, becomes
// U+FFFD.
func legible(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if !strings.ContainsFunc(text, isObeyed) {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if isObeyed(r) && !strings.HasPrefix(text[i:], "\r\n") {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isObeyed(r rune) bool {
	return unicode.IsControl(r) && r != '\t' && r != '\n' || '\u202a' <= r && r <= '\u202e' || '\u2066' <= r && r <= '\u2069'
}

// legibly writes messages legibly, each in one write.
type legibly struct{ io.Writer }

func (w legibly) Write(text []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, legible(string(text))); err != nil {
		return 0, err //nolint:wrapcheck // of the writer
	}
	return len(text), nil
}
