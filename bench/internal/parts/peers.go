package parts

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/octavo-docs/octavo/bench/internal/exports"
	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/proc"
	"github.com/octavo-docs/octavo/bench/internal/relevance"
)

// relevance asks Octavo and its peers queries whose answers are known.
func (s Settings) relevance(ctx context.Context, log io.Writer) (figure.List, error) {
	program, err := s.build(ctx, s.Source, "octavo")
	if err != nil {
		return nil, err
	}
	r := relevance.Settings{
		Program: program, Folder: s.Folder, Peers: filepath.Join(s.Source, "bench", "peers", "search"), Corpora: s.Corpora, Queries: s.Queries,
	}
	if s.Corpora == "" {
		r.Corpora, r.Queries = filepath.Join(s.Source, "docs"), filepath.Join(s.Source, "internal", "search", "testdata", "queries.jsonl")
	}
	return relevance.Measure(ctx, r, log)
}

// exports has Octavo and others export the same pages.
func (s Settings) exports(ctx context.Context, log io.Writer) (figure.List, error) {
	program, err := s.build(ctx, s.Source, "octavo")
	if err != nil {
		return nil, err
	}
	peer, err := s.build(ctx, filepath.Join(s.Source, "bench"), "exportpeer")
	if err != nil {
		return nil, err
	}
	writer := filepath.Join(s.Folder, "bin", "pdf.test")
	if _, err := proc.Output(ctx, "go", "-C", s.Source, "test", "-c", "-o", writer, "./internal/pdf"); err != nil {
		return nil, fmt.Errorf("build: %w", err)
	}
	tree := s.Tree
	if tree == "" {
		tree = filepath.Join(s.Source, "docs")
	}
	return exports.Measure(ctx, exports.Settings{Program: program, Writer: writer, Peer: peer, Folder: s.Folder, Tree: tree, Rounds: s.Count, Short: s.Short}, log)
}

// build builds a program of a module.
func (s Settings) build(ctx context.Context, module, name string) (string, error) {
	program := filepath.Join(s.Folder, "bin", name)
	if _, err := proc.Output(ctx, "go", "-C", module, "build", "-trimpath", "-ldflags=-s -w", "-o", program, "./cmd/"+name); err != nil {
		return "", fmt.Errorf("build: %w", err)
	}
	return program, nil
}
