package main

import (
	"errors"
	"os"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/server"
)

type serveCommand struct {
	config.Options
	PrintConfig bool `help:"Print the resulting configuration, with secrets masked, and exit."`
}

// Run serves until the program is interrupted.
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
