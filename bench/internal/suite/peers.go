package suite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/octavo-docs/octavo/bench/internal/target"
)

// startBare captures the answers of an Octavo and starts the bound.
func (s *suite) startBare(ctx context.Context, o *server) (*server, error) {
	file := filepath.Join(s.Folder, "answers")
	api, err := target.Capture(ctx, o.url, o.api, file, s.nextRun())
	if err != nil {
		return nil, err
	}
	b, err := s.start(ctx, Bare, `bare: listening on (\S+)\n`, filepath.Join(s.Folder, "bin", "bare"), "--answers", file)
	if err != nil {
		return nil, err
	}
	api.Host = strings.TrimPrefix(b.url, "http://")
	b.api = api
	return b, nil
}

// startPocketBase starts a PocketBase that holds so many pages. Like Octavo's,
// its data is a copy.
func (s *suite) startPocketBase(ctx context.Context, count int) (*server, error) {
	program := filepath.Join(s.Folder, "bin", "pocketbase")
	const ready = `pocketbase: listening on (\S+) token (\S+)\n`
	original := filepath.Join(s.Folder, fmt.Sprintf("pocketbase-%d", count))
	if _, err := os.Stat(original); err != nil {
		s.tell("filling PocketBase with %d pages", count)
		draft := original + ".draft"
		if err := os.RemoveAll(draft); err != nil {
			return nil, err
		}
		p, err := s.start(ctx, PocketBase, ready, program, "--folder", draft, "--pages", fmt.Sprint(count))
		if err != nil {
			return nil, err
		}
		if err := p.Stop(); err != nil {
			return nil, err
		}
		if err := os.Rename(draft, original); err != nil {
			return nil, err
		}
	}
	folder, err := s.copied(ctx, original, "pocketbase-run")
	if err != nil {
		return nil, err
	}
	p, err := s.start(ctx, PocketBase, ready, program, "--folder", folder)
	if err != nil {
		return nil, err
	}
	if err := s.noteStart(ctx, p, count); err != nil {
		return p, err
	}
	p.api, err = target.PocketBase(ctx, p.url, p.Ready[1])
	return p, err
}
