package main

import (
	"errors"
	"os"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/server"
)

// serveCommand serves the API.
type serveCommand struct {
	config.Options
	PrintConfig bool `help:"Print the options as they are understood, secrets masked, and end."`
}

// Help says what the command does and does not do.
func (serveCommand) Help() string {
	return "Creates and migrates what is missing, then serves until it is told to stop (SIGINT or SIGTERM). " +
		"Prints \"octavo: listening on URL\" to standard error once it is ready. " +
		"Every option is also a variable and a key of the configuration file; the command line comes first, then the environment, then the file. " +
		"One server at a time works on a data folder; any number work on one PostgreSQL database. It does not terminate TLS: put a proxy in front of it."
}

// Run serves until the program is told to stop.
func (c *serveCommand) Run(p *program) error {
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	if c.PrintConfig {
		return c.Print(p.stdout)
	}
	err := server.Run(p.ctx, server.Process{
		Stdout: p.stdout, Stderr: p.stderr, Now: p.now, Random: p.random, Version: productVersion(), Exit: os.Exit,
	}, &c.Options)
	if wrong := (server.OptionsError{}); errors.As(err, &wrong) {
		return usageError{err}
	}
	return err
}
