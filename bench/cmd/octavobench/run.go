package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/parts"
	"github.com/octavo-docs/octavo/bench/internal/results"
	"github.com/octavo-docs/octavo/bench/internal/suite"
)

// runCommand measures.
type runCommand struct {
	Out         string        `default:"results.json" help:"File that the record goes to. Default: ${default}."`
	Source      string        `default:".." type:"existingdir" help:"Folder of Octavo's source, which is built. Default: ${default}."`
	Octavo      string        `placeholder:"FILE" type:"existingfile" help:"Program to measure, in place of one built from the source."`
	Folder      string        `default:"../.cache/bench" help:"Folder for programs and data, which are kept for the next run. It must lie on the disk to be measured. Default: ${default}."`
	Pages       int           `default:"10000" help:"Pages that are stored. Default: ${default}."`
	Connections []int         `default:"16,64" help:"Numbers of connections. Default: ${default}."`
	Warmup      time.Duration `default:"2s" help:"Time before anything is counted. Default: ${default}."`
	Duration    time.Duration `default:"5s" help:"Time that is counted. Default: ${default}."`
	Rounds      int           `default:"3" help:"Rounds of each figure. Default: ${default}."`
	Growth      []int         `placeholder:"N,..." help:"Further numbers of pages to measure with, such as 1000,100000,1000000."`
	Without     []string      `enum:"pocketbase,postgres" placeholder:"PEER,..." help:"Peers to leave out: pocketbase, postgres."`
	ServeFlags  string        `placeholder:"FLAGS" help:"Further flags for octavo serve, such as \"--log-level warn\"."`
	Figures     []string      `placeholder:"WORD,..." help:"Measure only what holds one of these in its name: figures of pages such as \"read one page\", packages of the other parts such as internal/search, or peers. What is recorded of a part is replaced by it."`
	Only        []string      `enum:"pages,auth,assets,events,search,reader,proposals,exports,core" placeholder:"PART,..." help:"Measure only these parts: ${enum}. What is recorded of the others stays."`
	Count       int           `default:"1" help:"Runs of each Go benchmark, of which the median counts. Default: ${default}."`
	Corpora     string        `placeholder:"FOLDER" type:"existingdir" help:"Folder with a folder for each corpus that is searched, in place of the project's documentation; with --queries."`
	Queries     string        `placeholder:"FILE" type:"existingfile" help:"Queries with known answers over the corpora, a JSON object on each line."`
	Tree        string        `placeholder:"FOLDER" type:"existingdir" help:"Folder of Markdown that is exported, in place of the project's documentation."`
	Short       bool          `help:"Only see that it works: few pages, one round, no peers, each Go benchmark once."`
}

// Help says what the command does and does not do.
func (runCommand) Help() string {
	return "Builds Octavo, the bound and the peers, fills them with the same pages and measures them in turn; " +
		"then runs the Go benchmarks of each further part. " +
		"Figures mean something only on a machine that does nothing else meanwhile. " +
		"A run that breaks off leaves what it has measured so far."
}

// Run runs the measurements. The record is written after each part.
func (c *runCommand) Run(ctx context.Context) error {
	found, err := results.Read(c.Out)
	if err != nil {
		return err
	}
	s := parts.Settings{
		Source: c.Source, Folder: c.Folder, Count: c.Count, Short: c.Short, Figures: c.Figures,
		Corpora: c.Corpora, Queries: c.Queries, Tree: c.Tree,
	}
	if err := s.Prepare(); err != nil {
		return err
	}
	if c.wants("pages") {
		record, failed := suite.Run(ctx, c.pages(), os.Stderr)
		if record != nil {
			found.Pages = record
			failed = errors.Join(failed, found.Write(c.Out))
		}
		err = failed
	}
	for _, name := range figure.Parts() {
		if !c.wants(name) || ctx.Err() != nil {
			continue
		}
		fmt.Fprintln(os.Stderr, name)
		part, failed := parts.Measure(ctx, name, s, os.Stderr)
		found.Put(part)
		err = errors.Join(err, failed, found.Write(c.Out))
	}
	return err
}

// wants reports whether a part is to be measured.
func (c *runCommand) wants(part string) bool {
	return len(c.Only) == 0 || slices.Contains(c.Only, part)
}

// pages returns how pages are measured.
func (c *runCommand) pages() suite.Settings {
	s := suite.Settings{
		Pages: c.Pages, Connections: c.Connections, Warmup: c.Warmup, Duration: c.Duration, Rounds: c.Rounds, Growth: c.Growth,
		PocketBase: true, Postgres: true, ServeFlags: strings.Fields(c.ServeFlags), Only: c.Figures,
		Source: c.Source, Folder: c.Folder, OctavoBin: c.Octavo,
	}
	for _, peer := range c.Without {
		s.PocketBase = s.PocketBase && peer != "pocketbase"
		s.Postgres = s.Postgres && peer != "postgres"
	}
	if c.Short {
		s.Pages, s.Connections, s.Rounds, s.Growth = 1000, []int{16}, 1, nil
		s.Warmup, s.Duration = 100*time.Millisecond, 300*time.Millisecond
		s.PocketBase, s.Postgres = false, false
	}
	return s
}
