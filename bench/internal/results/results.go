// Package results keeps the record of all that was measured, part by part: any
// of them can be measured anew without the others.
package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// Results are what was measured last of each part.
type Results struct {
	Pages *suite.Record `json:"pages,omitempty"`
	Parts []figure.Part `json:"parts,omitempty"`
}

// Read reads a file of results. One that does not exist is empty.
func Read(file string) (*Results, error) {
	r := new(Results)
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return r, nil
	case err != nil:
		return nil, fmt.Errorf("read the results: %w", err)
	}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("read the results %s: %w", file, err)
	}
	return r, nil
}

// Put takes what was found of a part in the place of what was found before.
func (r *Results) Put(p figure.Part) {
	if i := slices.IndexFunc(r.Parts, func(old figure.Part) bool { return old.Name == p.Name }); i >= 0 {
		r.Parts[i] = p
		return
	}
	r.Parts = append(r.Parts, p)
	slices.SortStableFunc(r.Parts, func(a, b figure.Part) int {
		return slices.Index(figure.Parts(), a.Name) - slices.Index(figure.Parts(), b.Name)
	})
}

// Write writes the results to a file, whole or not at all.
func (r *Results) Write(file string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the results: %w", err)
	}
	draft := file + ".draft"
	if err := os.WriteFile(draft, append(text, '\n'), 0o644); err != nil { //nolint:gosec // for everyone to read
		return fmt.Errorf("write the results: %w", err)
	}
	if err := os.Rename(draft, file); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}
