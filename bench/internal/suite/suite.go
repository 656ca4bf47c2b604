package suite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/disk"
	"github.com/octavo-docs/octavo/bench/internal/machine"
)

// suite is a run under way.
type suite struct {
	Settings
	record *Record
	log    io.Writer
	runs   uint32 // of creates, so that no two make the same page
}

// Run measures everything that the settings choose, and tells to log how far
// it is. What was measured before an error is returned with it.
func Run(ctx context.Context, settings Settings, log io.Writer) (*Record, error) {
	began := time.Now()
	if err := settings.prepare(); err != nil {
		return nil, err
	}
	s := &suite{Settings: settings, record: &Record{Started: began.UTC().Truncate(time.Second), Settings: settings}, log: log}
	s.record.Machine = describe(ctx, settings)
	s.runs = uint32(began.Unix()) //nolint:gosec // only its low bits matter
	s.tell("building")
	if err := s.build(ctx); err != nil {
		return nil, err
	}
	var err error
	for _, step := range []func(context.Context) error{s.disk, s.main, s.postgres, s.growth} {
		if err = step(ctx); err != nil {
			break
		}
	}
	s.record.Took = time.Since(began).Seconds()
	return s.record, err
}

// describe describes the machine and the programs that are measured.
func describe(ctx context.Context, s Settings) machine.Machine {
	m := machine.Describe(ctx, s.Folder, s.Source)
	if text, err := os.ReadFile(filepath.Join(s.Source, "bench", "go.mod")); err == nil {
		if found := regexp.MustCompile(`pocketbase/pocketbase v(\S+)`).FindSubmatch(text); found != nil {
			m.Versions["PocketBase"] = string(found[1])
		}
	}
	if s.OctavoBin != "" {
		m.Versions["Octavo"] = "as built in " + s.OctavoBin
	}
	return m
}

// prepare checks the settings and makes the folder.
func (s *Settings) prepare() (err error) {
	if s.Rounds < 1 || s.Pages < 100 || len(s.Connections) == 0 || s.Duration <= 0 {
		return errors.New("a run needs a round, 100 pages, a number of connections and a duration at least")
	}
	for _, path := range []*string{&s.Folder, &s.Source} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return os.MkdirAll(s.Folder, 0o755)
}

func (s *suite) tell(format string, args ...any) {
	_, _ = fmt.Fprintf(s.log, format+"\n", args...) // progress; the record counts
}

func (s *suite) nextRun() uint32 {
	s.runs++
	return s.runs
}

// disk measures what every durable write is bound by.
func (s *suite) disk(context.Context) error {
	for _, group := range []int{1, 8, 64} {
		found, err := disk.Measure(s.Folder, group, min(s.Duration, 2*time.Second))
		if err != nil {
			return err
		}
		s.record.Disk = append(s.record.Disk, found)
		s.tell("disk: %.0f syncs/s of %d records, p50 %d µs", found.PerSecond, found.Group, found.P50)
	}
	return nil
}

// main measures the usual size beside the bound and PocketBase.
func (s *suite) main(ctx context.Context) (err error) {
	stop := stopper(&err)
	o, err := s.startStored(ctx, s.Pages)
	defer stop(o)
	if err != nil {
		return err
	}
	b, err := s.startBare(ctx, o)
	defer stop(b)
	if err != nil {
		return err
	}
	var p *server
	if s.PocketBase {
		p, err = s.startPocketBase(ctx, s.Pages)
		defer stop(p)
		if err != nil {
			return err
		}
	}
	for _, connections := range s.Connections {
		for _, f := range []figure{read(), readUniform(), listFirst(), listDeep()} {
			if err := s.measure(ctx, f, s.Pages, connections, o, b, p); err != nil {
				return err
			}
		}
		for _, f := range []struct {
			name string
			figure
		}{{ReadPaced, read()}, {ListPaced, listDeep()}} {
			rate := s.record.median(f.figure.name, Octavo, s.Pages, connections) / 2
			if rate == 0 {
				continue // not measured, so not wanted
			}
			if err := s.measure(ctx, paced(f.name, f.figure, rate), s.Pages, connections, o, b); err != nil {
				return err
			}
		}
	}
	if err := s.filters(ctx, s.Pages, o, p); err != nil {
		return err
	}
	for _, connections := range s.Connections { // last, since they add pages
		for _, f := range []figure{s.readBeside(), s.mixed(), s.create()} {
			if err := s.measure(ctx, f, s.Pages, connections, o, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// filters measures lists by each filter and order that the targets know.
func (s *suite) filters(ctx context.Context, pages int, targets ...*server) error {
	for _, name := range []string{"status", "tag", "root", "tag+status", "newest", "updated", "title", "rare slug"} {
		for _, t := range targets {
			if t == nil || t.api.Filtered[name] == "" {
				continue
			}
			if err := s.measure(ctx, filter(name), pages, s.Connections[0], t); err != nil {
				return err
			}
		}
	}
	return nil
}

// growth measures the same on more and more pages.
func (s *suite) growth(ctx context.Context) error {
	for _, pages := range slices.Sorted(slices.Values(s.Growth)) {
		if err := s.grown(ctx, pages); err != nil {
			return fmt.Errorf("with %d pages: %w", pages, err)
		}
	}
	return nil
}

func (s *suite) grown(ctx context.Context, pages int) (err error) {
	stop := stopper(&err)
	o, err := s.startStored(ctx, pages)
	defer stop(o)
	if err != nil {
		return err
	}
	b, err := s.startBare(ctx, o)
	defer stop(b)
	if err != nil {
		return err
	}
	connections := s.Connections[0]
	for _, f := range []figure{read(), readUniform(), listZipf(), listDeep()} {
		if err := s.measure(ctx, f, pages, connections, o, b); err != nil {
			return err
		}
	}
	if err := s.filters(ctx, pages, o); err != nil {
		return err
	}
	return s.measure(ctx, s.create(), pages, slices.Max(s.Connections), o)
}

// stopper returns what stops a server at the end of a step, joining what goes
// wrong to the step's error.
func stopper(err *error) func(*server) {
	return func(t *server) {
		if t != nil {
			*err = errors.Join(*err, t.Stop())
		}
	}
}
