package suite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/proc"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// idle is how long a server is left alone before its memory is read.
const idle = 2 * time.Second

// server is a running server and how it is asked.
type server struct {
	*proc.Process
	api  *target.API
	url  string
	name string
}

// build builds the programs that are needed.
func (s *suite) build(ctx context.Context) error {
	bin := filepath.Join(s.Folder, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		return fmt.Errorf("make a folder for programs: %w", err)
	}
	module := filepath.Join(s.Source, "bench")
	builds := [][]string{{"-C", module, "build", "-o", filepath.Join(bin, "bare"), "./cmd/bare"}}
	if s.OctavoBin == "" {
		s.OctavoBin = filepath.Join(bin, "octavo")
		builds = append(builds, []string{"-C", s.Source, "build", "-trimpath", "-ldflags=-s -w", "-o", s.OctavoBin, "./cmd/octavo"})
	}
	if s.PocketBase {
		builds = append(builds, []string{"-C", module, "build", "-o", filepath.Join(bin, "pocketbase"), "./cmd/pocketbase"})
	}
	for _, args := range builds {
		if _, err := proc.Output(ctx, "go", args...); err != nil {
			return fmt.Errorf("build: %w", err)
		}
	}
	info, err := os.Stat(s.OctavoBin)
	if err != nil {
		return err
	}
	s.record.BinaryBytes = info.Size()
	return nil
}

// start starts a server; its log is named after its program.
func (s *suite) start(ctx context.Context, name, ready, program string, args ...string) (*server, error) {
	p, err := proc.Start(ctx, filepath.Join(s.Folder, filepath.Base(program)+".log"), regexp.MustCompile(ready), program, args...)
	if err != nil {
		return nil, err
	}
	return &server{Process: p, url: p.Ready[0], name: name}, nil
}

// copied copies a folder to a new one of that name.
func (s *suite) copied(ctx context.Context, original, name string) (string, error) {
	folder := filepath.Join(s.Folder, name)
	if err := os.RemoveAll(folder); err != nil {
		return "", err
	}
	_, err := proc.Output(ctx, "cp", "-r", "--reflink=auto", original, folder)
	return folder, err
}

// noteStart records how long a server took to start and what it needs idle.
func (s *suite) noteStart(ctx context.Context, o *server, count int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(idle):
	}
	usage, err := o.Usage()
	if err != nil {
		return err
	}
	s.record.Starts = append(s.record.Starts, Start{o.name, count, o.Startup.Seconds(), usage.Resident})
	s.tell("%s: started on %d pages in %.3f s, %.1f MB resident", o.name, count, o.Startup.Seconds(), float64(usage.Resident)/1e6)
	return nil
}
