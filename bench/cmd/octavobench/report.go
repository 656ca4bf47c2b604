package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/octavo-docs/octavo/bench/internal/report"
	"github.com/octavo-docs/octavo/bench/internal/results"
)

// reportCommand writes the page of results.
type reportCommand struct {
	From  string `default:"results.json" type:"existingfile" help:"Record of a run. Default: ${default}."`
	Out   string `default:"RESULTS.md" help:"Page to write; - is standard output. Default: ${default}."`
	Words string `default:"LIMITS.md" help:"File with the words on what limits the figures. Default: ${default}."`
}

// Run writes the page.
func (c *reportCommand) Run() error {
	found, err := results.Read(c.From)
	if err != nil {
		return err
	}
	words, err := os.ReadFile(c.Words)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the words: %w", err)
	}
	var page strings.Builder
	if err := report.Write(&page, found, string(words)); err != nil {
		return err
	}
	if c.Out == "-" {
		_, err := os.Stdout.WriteString(page.String())
		return err
	}
	return os.WriteFile(c.Out, []byte(page.String()), 0o644) //nolint:gosec // for everyone to read
}
