// Package parts measures the parts of Octavo that build on pages, each by
// itself: by their own Go benchmarks, which know what bounds them, and beside
// other programs that do the same.
package parts

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/gobench"
	"github.com/octavo-docs/octavo/bench/internal/machine"
)

// Settings choose how parts are measured.
type Settings struct {
	Source  string   // folder of Octavo's source
	Folder  string   // on the disk that is measured
	Count   int      // runs of each Go benchmark
	Short   bool     // only see that everything works
	Figures []string // measure only packages, and peers, whose names hold one of these; none is all
	Corpora string   // folder with a folder for each corpus that is searched; empty is the project's documentation
	Queries string   // file of queries with known answers
	Tree    string   // folder of Markdown that is exported; empty is the project's documentation
}

// selections returns the Go benchmarks of a part.
func (s Settings) selections(part string) []gobench.Selection {
	switch part {
	case "auth":
		return []gobench.Selection{
			{Package: "internal/app", Pattern: "Credentials"},
			{Package: "internal/auth", Pattern: "."},
			{Package: "internal/authserver", Pattern: "."},
			{Package: "internal/issuers", Pattern: "."},
			{Package: "internal/quota", Pattern: "."},
		}
	case "assets":
		return []gobench.Selection{
			{Package: "internal/httpapi", Pattern: "Upload|Download|Asset"},
			{Package: "internal/store", Pattern: "AssetList/sqlite/all/(any|tag|unused)", Time: "20x", Args: []string{"-list-pages", "100000"}},
		}
	case "events":
		return []gobench.Selection{
			{Package: "internal/httpapi", Pattern: "Stream|Feed|Event", Postgres: true},
			{Package: "internal/webhooks", Pattern: "."},
			{Package: "internal/store", Pattern: "Follow", Postgres: true},
			{Package: "internal/store/changelog", Pattern: "Feed", Postgres: true},
		}
	case "search":
		engine := gobench.Selection{Package: "internal/search", Pattern: "."}
		if s.Corpora != "" {
			engine.Args = []string{"-corpora", s.Corpora, "-queries", s.Queries}
		}
		return []gobench.Selection{
			engine,
			{Package: "internal/search/live", Pattern: "."},
			{Package: "internal/search/analysis", Pattern: "."},
			{Package: "internal/httpapi", Pattern: "Search"},
		}
	case "exports":
		var tree []string
		if s.Tree != "" {
			tree = []string{"-corpus", s.Tree}
		}
		return []gobench.Selection{
			{Package: "internal/document", Pattern: ".", Args: tree},
			{Package: "internal/document/html", Pattern: ".", Args: tree},
			{Package: "internal/markdown", Pattern: "."},
			{Package: "internal/pdf", Pattern: "."},
			{Package: "internal/pdf/writer", Pattern: "."},
			{Package: "internal/site", Pattern: "."},
			{Package: "internal/exports/format", Pattern: ".", Args: tree},
		}
	case "reader":
		return []gobench.Selection{
			{Package: "internal/reader", Pattern: "."},
			{Package: "internal/httpapi/siteapi", Pattern: "."},
		}
	case "proposals":
		return []gobench.Selection{
			{Package: "internal/httpapi", Pattern: "^Benchmark(Merge|Checks|Render|Tree)$"},
			{Package: "internal/merge", Pattern: "."},
		}
	case "core":
		return []gobench.Selection{
			{Package: "internal/httpapi", Pattern: "Read"},
			{Package: "internal/httpapi/rest", Pattern: "Count"},
			{Package: "internal/metrics", Pattern: "."},
			{Package: "internal/store", Pattern: "^Benchmark(Create|Read)$", Postgres: true},
		}
	}
	return nil
}

// Measure measures one part. What could not be measured is noted in it, and
// returned as an error beside all that could.
func Measure(ctx context.Context, name string, s Settings, log io.Writer) (figure.Part, error) {
	began := time.Now()
	p := figure.Part{Name: name, Started: began.UTC().Truncate(time.Second), Machine: machine.Describe(ctx, s.Folder, s.Source)}
	var failed error
	note := func(found figure.List, err error) {
		p.Figures.Merge(found)
		if err != nil {
			p.Failed = append(p.Failed, err.Error())
			failed = errors.Join(failed, err)
		}
	}
	for _, selection := range s.selections(name) {
		if s.wants(selection.Package) && ctx.Err() == nil {
			note(gobench.Run(ctx, selection, gobench.Options{Source: s.Source, Count: s.Count, Short: s.Short}, log))
		}
	}
	if s.wants("peers") && ctx.Err() == nil {
		switch name {
		case "assets":
			note(s.upload(ctx))
		case "search":
			note(s.relevance(ctx, log))
		case "reader":
			note(s.reading(ctx))
		case "exports":
			note(s.exports(ctx, log))
		}
	}
	p.Took = time.Since(began).Seconds()
	return p, failed
}

func (s Settings) wants(name string) bool {
	return len(s.Figures) == 0 || slices.ContainsFunc(s.Figures, func(part string) bool { return strings.Contains(name, part) })
}

// Prepare makes the paths absolute, since programs run in other folders, and
// makes the folder.
func (s *Settings) Prepare() (err error) {
	if (s.Corpora == "") != (s.Queries == "") {
		return errors.New("corpora and queries are given together or not at all")
	}
	for _, path := range []*string{&s.Source, &s.Folder, &s.Corpora, &s.Queries, &s.Tree} {
		if *path == "" {
			continue
		}
		if *path, err = filepath.Abs(*path); err != nil {
			return fmt.Errorf("find %s: %w", *path, err)
		}
	}
	return os.MkdirAll(s.Folder, 0o755)
}
