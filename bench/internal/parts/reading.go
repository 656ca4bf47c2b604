package parts

import (
	"context"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/reading"
)

// reading measures the site for readers.
func (s Settings) reading(ctx context.Context) (figure.List, error) {
	program, err := s.build(ctx, s.Source, "octavo")
	if err != nil {
		return nil, err
	}
	return reading.Settings{Program: program, Folder: s.Folder, Short: s.Short}.Measure(ctx)
}
