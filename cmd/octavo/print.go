package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/octavo-docs/octavo"
)

// answer prints a result: as a JSON object where that is asked for, else as a
// line.
func (p *program) answer(asJSON bool, v any, line string) error {
	if asJSON {
		return printJSON(p.stdout, v)
	}
	return printLine(p.stdout, line)
}

// answerAll prints everything that list returns, which it does in the order of
// ids and in parts. row says what is printed of an item.
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

// printLine writes a result. That it cannot be written is a failure.
func printLine(w io.Writer, line string) error {
	if _, err := fmt.Fprintln(w, line); err != nil {
		return fmt.Errorf("print the result: %w", err)
	}
	return nil
}
