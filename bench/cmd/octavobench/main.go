// Command octavobench measures Octavo beside its bound and its peers, and
// reports what it found. It builds and starts everything that it measures; it
// talks to Octavo by its command line and its HTTP API alone.
//
//	octavobench run --out results.json
//	octavobench report --from results.json --out RESULTS.md
//	octavobench fill --url URL --token TOKEN --pages 10000
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// commands are the commands and their names.
type commands struct {
	Run    runCommand    `cmd:"" help:"Measure everything in one run."`
	Report reportCommand `cmd:"" help:"Write a page from the record of a run."`
	Fill   fillCommand   `cmd:"" help:"Fill a running Octavo with pages."`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command := kong.Parse(&commands{}, kong.Name("octavobench"),
		kong.Description("Measures Octavo beside its bound and its peers."), kong.BindTo(ctx, (*context.Context)(nil)))
	if err := command.Run(); err != nil {
		fmt.Fprintf(os.Stderr, "octavobench: %v\n", err)
		stop()
		os.Exit(1)
	}
}
