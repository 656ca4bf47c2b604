// Package relevance asks search engines queries whose answers are known, about
// the same pages, and says how well each of them answers: Octavo over HTTP, and
// its peers as they are used. What is good enough is for package report to say.
package relevance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"unicode"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/served"
)

// depth is how many answers to a query are looked at.
const depth = 10

// Settings say what is asked, and of what.
type Settings struct {
	Program string   // of Octavo
	Folder  string   // for data
	Peers   string   // folder of the peers that are no Go programs
	Corpora string   // has a folder for each corpus that queries name
	Queries string   // file of queries, an object of JSON on each line
	Without []string // engines to leave out, by name
}

// query is a query and the pages that answer it.
type query struct {
	Text     string   `json:"query"`
	Class    string   `json:"class"`
	Corpus   string   `json:"corpus"` // empty is the folder of corpora itself
	Relevant []string `json:"relevant"`
}

// job is what engines work on: one corpus, with all queries about it.
type job struct {
	Pages   []page   `json:"pages"`
	Queries []string `json:"queries"`
	Chinese bool     `json:"chinese"`
	folder  string   // for data
	server  *served.Server
}

// answer are the paths that an engine names first, best first.
type answer struct {
	Paths        []string `json:"paths"`
	Milliseconds float64  `json:"ms"`
}

// engine is something that can be searched.
type engine struct {
	name string
	ask  func(context.Context, job) ([]answer, error)
}

func (s Settings) engines() []engine {
	return []engine{
		{figure.Octavo, askOctavo},
		{"MiniSearch", s.node("minisearch.js")},
		{"Pagefind", s.node("pagefind.js")},
		{"Bleve", askBleve},
		{"SQLite FTS5 porter", fts5("porter unicode61")},
		{"SQLite FTS5 trigram", fts5("trigram")},
		{"PostgreSQL", askPostgres},
	}
}

// Measure asks all queries of all engines, and tells to log how far it is. What could be measured is returned
// beside the errors of what could not.
func Measure(ctx context.Context, s Settings, log io.Writer) (figure.List, error) {
	all, err := readQueries(s.Queries)
	if err != nil {
		return nil, err
	}
	var failed error
	tables := make(map[string]*table)
	byCorpus := make(map[string][]query)
	for _, q := range all {
		byCorpus[q.Corpus] = append(byCorpus[q.Corpus], q)
	}
	for corpus, queries := range byCorpus {
		failed = errors.Join(failed, s.corpus(ctx, corpus, queries, tables, log))
	}
	var list figure.List
	for _, e := range s.engines() {
		if t := tables[e.name]; t != nil && t.asked(figure.All) == len(all) { // else a corpus is missing
			t.figures(e.name, &list)
		}
	}
	return list, failed
}

// corpus asks what there is to ask about one corpus.
func (s Settings) corpus(ctx context.Context, corpus string, queries []query, tables map[string]*table, log io.Writer) (err error) {
	server, err := served.Start(ctx, s.Program, filepath.Join(s.Folder, "search-run"), filepath.Join(s.Corpora, corpus))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	pages, err := readPages(filepath.Join(s.Corpora, corpus), server.Paths())
	if err != nil {
		return err
	}
	j := job{Pages: pages, Chinese: mostlyHan(pages), folder: s.Folder, server: server}
	for _, q := range queries {
		j.Queries = append(j.Queries, q.Text)
	}
	for _, e := range s.engines() {
		if slices.Contains(s.Without, e.name) || ctx.Err() != nil {
			continue
		}
		_, _ = fmt.Fprintf(log, "%d queries over %d pages by %s\n", len(queries), len(pages), e.name) // progress; the figures count
		answers, failed := e.ask(ctx, j)
		if failed == nil && len(answers) != len(queries) {
			failed = fmt.Errorf("have %d answers, want %d", len(answers), len(queries))
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("search %s by %s: %w", corpus, e.name, failed))
			continue
		}
		if tables[e.name] == nil {
			tables[e.name] = new(table)
		}
		for i, q := range queries {
			tables[e.name].note(q, answers[i])
		}
	}
	return err
}

func readQueries(file string) ([]query, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the queries: %w", err)
	}
	var list []query
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		var q query
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("read the queries in %s: %w", file, err)
		}
		list = append(list, q)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("read the queries in %s: have none", file)
	}
	return list, lines.Err()
}

// mostlyHan reports whether pages are written in Chinese for the most part.
func mostlyHan(pages []page) bool {
	han, letters := 0, 0
	for _, p := range pages {
		for _, r := range p.Text {
			if unicode.IsLetter(r) {
				letters++
			}
			if unicode.Is(unicode.Han, r) {
				han++
			}
		}
	}
	return han*5 > letters
}
