package exports

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/load"
	"github.com/octavo-docs/octavo/bench/internal/proc"
	"github.com/octavo-docs/octavo/bench/internal/served"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// How pages are read beside an export.
const (
	readsPerSecond = 2000
	readers        = 16
	readWarmup     = time.Second
	readDuration   = 5 * time.Second
	readTurns      = 5 // the machine's own noise is as large as what is looked for
)

// readBeside reads pages at a fixed rate, in turns alone and while one export
// after the other is made.
func (s Settings) readBeside(ctx context.Context, list *figure.List) (err error) {
	server, err := served.Start(ctx, s.Program, filepath.Join(s.Folder, "exports-data"), filepath.Join(s.folder(), "many"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	api, err := target.Octavo(ctx, server.URL, server.Token)
	if err != nil {
		return err
	}
	read := func(name string) error {
		results, err := load.Run(ctx, load.Plan{
			Dial: load.TCP(api.Host), Warmup: readWarmup, Duration: readDuration,
			Groups: []load.Group{{Name: name, Connections: readers, Rate: readsPerSecond, Source: api.Read(load.Zipf(len(api.Pages), 1))}},
		})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if r := results[0]; r.Errors > 0 || r.Requests == 0 {
			return fmt.Errorf("%s: %d of %d failed: %v", name, r.Errors, r.Requests, r.Kinds)
		}
		list.Add(figure.Octavo, name, figure.Tail, float64(results[0].Latency.P99)/1000)
		return nil
	}
	for range readTurns {
		if err := read(figure.Reads); err != nil {
			return err
		}
		if err := s.whileExporting(ctx, server, func() error { return read(figure.ReadsBeside) }); err != nil {
			return err
		}
	}
	return nil
}

// whileExporting calls do while a server makes one export after the other, and
// returns when it makes none.
func (s Settings) whileExporting(ctx context.Context, server *served.Server, do func() error) error {
	last := make(chan struct{})
	var group sync.WaitGroup
	var failed error
	group.Go(func() {
		for failed == nil {
			_, failed = proc.Output(ctx, s.Program, "export", "--url", server.URL, "--token", server.Token, "--format", "pdf", "--out", "-")
			select {
			case <-last:
				return
			default:
			}
		}
	})
	err := do()
	close(last)
	group.Wait()
	return errors.Join(err, failed)
}
