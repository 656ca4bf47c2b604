package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/target"
)

// fillCommand fills a server with pages.
type fillCommand struct {
	URL   string `required:"" help:"Address of the server, such as http://127.0.0.1:8080. Its rate limit should be off."`
	Token string `required:"" env:"OCTAVO_TOKEN" help:"Access token with the scope pages:write."`
	From  int    `help:"Number of the first page; a page's number decides its slug and content."`
	Pages int    `default:"10000" help:"How many pages to create. Default: ${default}."`
}

// Run creates the pages.
func (c *fillCommand) Run(ctx context.Context) error {
	began := time.Now()
	if err := target.FillOctavo(ctx, strings.TrimRight(c.URL, "/"), c.Token, c.From, c.From+c.Pages, func(int) {}); err != nil {
		return err
	}
	took := time.Since(began)
	fmt.Fprintf(os.Stderr, "octavobench: created %d pages in %s, %.0f a second\n", c.Pages, took.Round(time.Millisecond), float64(c.Pages)/took.Seconds())
	return nil
}
