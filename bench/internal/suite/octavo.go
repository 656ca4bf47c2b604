package suite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/proc"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// roles are those of every Octavo that is measured here: search would index
// what is written on the same processors, and has figures of its own.
const roles = "api,worker,auth"

// startOctavo starts an Octavo on the data that storage names, such as --data
// DIR, and issues a token for it.
func (s *suite) startOctavo(ctx context.Context, name string, storage ...string) (*server, error) {
	token, err := proc.Output(ctx, s.OctavoBin, append([]string{"tokens", "issue", "--scopes", "pages:write", "--ttl", "24h"}, storage...)...)
	if err != nil {
		return nil, err
	}
	args := append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--rate-limit", "0", "--roles", roles}, storage...)
	o, err := s.start(ctx, name, `octavo: listening on (\S+)\n`, s.OctavoBin, append(args, s.ServeFlags...)...)
	if err != nil {
		return nil, err
	}
	o.api = &target.API{Name: name, Token: token}
	return o, nil
}

// fillOctavo creates the pages below count in an empty store.
func (s *suite) fillOctavo(ctx context.Context, o *server, count int) error {
	began, done := time.Now(), make(chan int, 16)
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		sum, told := 0, 0
		for n := range done {
			if sum += n; sum-told >= 50_000 {
				told = sum
				s.tell("  %d pages after %s", sum, time.Since(began).Round(time.Second))
			}
		}
	}()
	err := target.FillOctavo(ctx, o.url, o.api.Token, 0, count, func(n int) { done <- n })
	close(done)
	<-stop
	if err == nil {
		s.record.Fills = append(s.record.Fills, Fill{o.name, count, time.Since(began).Seconds()})
	}
	return err
}

// stored returns a folder with a copy of an Octavo's data of so many pages.
// The original is made once and kept, so that every run starts from the same.
func (s *suite) stored(ctx context.Context, count int) (folder string, err error) {
	original := filepath.Join(s.Folder, fmt.Sprintf("octavo-%d", count))
	if _, err := os.Stat(original); err != nil {
		s.tell("filling Octavo with %d pages", count)
		draft := original + ".draft"
		if err := os.RemoveAll(draft); err != nil {
			return "", err
		}
		o, err := s.startOctavo(ctx, Octavo, "--data", draft)
		if err != nil {
			return "", err
		}
		err = s.fillOctavo(ctx, o, count)
		if stopped := o.Stop(); err == nil {
			err = stopped
		}
		if err == nil {
			err = os.Rename(draft, original)
		}
		if err != nil {
			return "", fmt.Errorf("fill Octavo: %w", err)
		}
	}
	return s.copied(ctx, original, "octavo-run")
}

// startStored starts an Octavo on so many pages, notes how it started and finds
// out what it holds.
func (s *suite) startStored(ctx context.Context, count int) (*server, error) {
	folder, err := s.stored(ctx, count)
	if err != nil {
		return nil, err
	}
	o, err := s.startOctavo(ctx, Octavo, "--data", folder)
	if err != nil {
		return nil, err
	}
	if err := s.noteStart(ctx, o, count); err != nil {
		return o, err
	}
	return o, o.discover(ctx, count)
}

// discover finds out what an Octavo holds.
func (o *server) discover(ctx context.Context, count int) (err error) {
	if o.api, err = target.Octavo(ctx, o.url, o.api.Token); err != nil {
		return err
	}
	if len(o.api.Pages) != count {
		return fmt.Errorf("%s holds %d pages, want %d", o.name, len(o.api.Pages), count)
	}
	return nil
}
