package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

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
	Only        []string      `placeholder:"PART,..." help:"Measure only figures whose names hold one of these, such as \"read one page\"."`
	Short       bool          `help:"Only see that it works, in some seconds: few pages, one round, no peers."`
}

// Help says what the command does and does not do.
func (runCommand) Help() string {
	return "Builds Octavo, the bound and the peers, fills them with the same pages and measures them in turn. " +
		"Figures mean something only on a machine that does nothing else meanwhile. " +
		"A run that breaks off writes what it has measured so far."
}

// Run runs the measurements.
func (c *runCommand) Run(ctx context.Context) error {
	s := suite.Settings{
		Pages: c.Pages, Connections: c.Connections, Warmup: c.Warmup, Duration: c.Duration, Rounds: c.Rounds, Growth: c.Growth,
		PocketBase: true, Postgres: true, ServeFlags: strings.Fields(c.ServeFlags), Only: c.Only,
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
	record, err := suite.Run(ctx, s, os.Stderr)
	if record == nil {
		return err
	}
	text, encoded := json.MarshalIndent(record, "", "  ")
	if encoded != nil {
		return errors.Join(err, fmt.Errorf("encode the record: %w", encoded))
	}
	if written := os.WriteFile(c.Out, append(text, '\n'), 0o644); written != nil { //nolint:gosec // for everyone to read
		err = errors.Join(err, fmt.Errorf("write the record: %w", written))
	}
	return err
}
