package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

type siteCommand struct {
	Get siteGetCommand `cmd:"" help:"Print the settings of the site."`
	Set siteSetCommand `cmd:"" help:"Change settings of the site."`
}

// siteTarget has the flags that name a data folder or a server.
type siteTarget struct {
	config.Storage
	URL   string `name:"url" placeholder:"URL" help:"Use the server at this address instead of a data folder."`
	Token string `env:"OCTAVO_TOKEN" placeholder:"TOKEN" help:"Access token or API key for the server."`
}

type siteGetCommand struct{ siteTarget }

func (c *siteGetCommand) Run(p *program) error { return c.run(p, "get", octavo.Object()) }

type siteSetCommand struct {
	siteTarget
	File string `arg:"" placeholder:"FILE" help:"JSON or YAML with the settings to change; - is standard input."`
}

func (c *siteSetCommand) Run(p *program) error {
	text, err := c.read(p)
	if err != nil {
		return err
	}
	patch, err := yamlvalue.Decode(text) // JSON is YAML too
	if err == nil && patch.Kind != octavo.KindObject {
		err = errors.New("it must be an object of settings")
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", c.File, err)
	}
	return c.run(p, "set", patch)
}

func (c *siteSetCommand) read(p *program) ([]byte, error) {
	if c.File == "-" {
		return io.ReadAll(p.stdin)
	}
	return os.ReadFile(c.File)
}

// run changes the settings by a patch, which may be empty, and prints them.
func (t *siteTarget) run(p *program, name string, patch octavo.Value) error {
	if t.URL == "" {
		return p.withStorage(t.Storage, storage.RefuseMissing, func(s *storage.Storage) (err error) {
			var site octavo.Site
			if len(patch.Members) == 0 {
				site, _, err = s.Sites.Get(p.ctx, octavo.Audience{})
			} else {
				site, _, err = s.Sites.Patch(p.ctx, byCommand(), patch, nil)
			}
			return printSite(p, site, err)
		})
	}
	api, err := connect(t.URL, t.Token, "site-"+name)
	if err != nil {
		return err
	}
	var site client.Site
	if len(patch.Members) == 0 {
		site, err = api.Site(p.ctx)
	} else {
		site, err = api.PatchSite(p.ctx, patch)
	}
	return printSite(p, site.Site, err)
}

func printSite(p *program, site octavo.Site, err error) error {
	if err == nil {
		err = printLine(p.stdout, string(site.AppendJSON(nil)))
	}
	return err
}
