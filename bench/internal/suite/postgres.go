package suite

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
	"github.com/octavo-docs/octavo/bench/internal/load"
	"github.com/octavo-docs/octavo/bench/internal/pg"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// scripts is how many different requests pgbench repeats.
const scripts = 100

// postgresFolder is where the databases lie: on a disk, where the server's
// user can reach it.
const postgresFolder = "/var/tmp"

// postgres measures Octavo on PostgreSQL beside pgbench, which runs the same
// statements bare.
func (s *suite) postgres(ctx context.Context) (err error) {
	if !s.Postgres {
		return nil
	}
	db, err := pg.Start(ctx, postgresFolder)
	if err != nil {
		return err
	}
	defer func() {
		if closed := db.Close(); err == nil {
			err = closed
		}
	}()
	if err := db.Durable(ctx); err != nil {
		return err
	}
	version, err := db.Version(ctx)
	if err != nil {
		return err
	}
	s.record.Machine.Versions["PostgreSQL"] = version
	s.tell("filling Octavo on PostgreSQL %s with %d pages", version, s.Pages)
	plan, err := s.octavoOnPostgres(ctx, db)
	if err != nil {
		return err
	}
	return s.pgbench(ctx, db, plan)
}

// bare is what pgbench is to run.
type bare struct{ read, list, create []pg.Script }

// octavoOnPostgres measures Octavo and finds out which statements it runs.
func (s *suite) octavoOnPostgres(ctx context.Context, db *pg.Server) (plan bare, err error) {
	// A server refuses the files of another database, so those of the run
	// before, whose database is gone, are removed.
	folder := filepath.Join(s.Folder, "octavo-postgres")
	if err := os.RemoveAll(folder); err != nil {
		return plan, err
	}
	storage := []string{"--database-url", db.URL, "--data", folder}
	o, err := s.startOctavo(ctx, OctavoPostgres, storage...)
	if err != nil {
		return plan, err
	}
	stop := stopper(&err)
	defer stop(o)
	if err := s.fillOctavo(ctx, o, s.Pages); err != nil {
		return plan, err
	}
	if _, err := db.Query(ctx, "VACUUM ANALYZE"); err != nil {
		return plan, err
	}
	if err := o.discover(ctx, s.Pages); err != nil {
		return plan, err
	}
	for _, connections := range s.Connections {
		for _, f := range []figure{read(), listDeep(), s.create()} {
			if err := s.measure(ctx, f, s.Pages, connections, o); err != nil {
				return plan, err
			}
		}
	}
	return s.watch(ctx, db, o.api, storage)
}

// watch finds out the statements of the measured requests, as they are where
// nothing is kept in memory: all that an answer needs comes from the database.
func (s *suite) watch(ctx context.Context, db *pg.Server, known *target.API, storage []string) (plan bare, err error) {
	forgetful := *s
	forgetful.ServeFlags = append(slices.Clone(s.ServeFlags), "--page-cache", "0")
	o, err := forgetful.startOctavo(ctx, OctavoPostgres, storage...)
	if err != nil {
		return plan, err
	}
	defer stopper(&err)(o)
	o.api.Pages, o.api.Lists, o.api.Create = known.Pages, known.Lists, known.Create
	for _, r := range []struct {
		paths []string
		zipf  bool
		into  *[]pg.Script
	}{{o.api.Pages, true, &plan.read}, {o.api.Lists, false, &plan.list}} {
		if *r.into, err = s.watchReads(ctx, db, o, r.paths, r.zipf); err != nil {
			return plan, fmt.Errorf("watch reads: %w", err)
		}
	}
	page := corpus.New(s.nextRun(), 0)
	var made struct {
		ID string `json:"id"`
	}
	found, err := db.Watch(ctx, []func() error{func() error {
		text, _, err := target.Ask(ctx, http.MethodPost, o.url+o.api.Create, o.api.Token, page.JSON())
		if err != nil {
			return err
		}
		return json.Unmarshal(text, &made)
	}})
	if err != nil {
		return plan, fmt.Errorf("watch a create: %w", err)
	}
	create, err := pg.Creating(found[0], made.ID, page.Slug)
	if err != nil {
		return plan, fmt.Errorf("watch a create: %w", err)
	}
	plan.create = []pg.Script{create}
	return plan, nil
}

// watchReads finds out the statements of some of the paths. Each is asked for
// once before, so that the credential is known, as it was under load.
func (s *suite) watchReads(ctx context.Context, db *pg.Server, o *server, paths []string, zipf bool) ([]pg.Script, error) {
	var requests []func() error
	n := min(scripts, len(paths))
	for k := range n {
		ask := func() error {
			_, _, err := target.Ask(ctx, http.MethodGet, o.url+paths[k*len(paths)/n], o.api.Token, nil)
			return err
		}
		if err := ask(); err != nil {
			return nil, err
		}
		requests = append(requests, ask)
	}
	found, err := db.Watch(ctx, requests)
	if err != nil {
		return nil, err
	}
	return pg.Reading(found, zipf)
}

// pgbench measures the bare statements while no Octavo runs.
func (s *suite) pgbench(ctx context.Context, db *pg.Server, plan bare) error {
	for _, connections := range s.Connections {
		for _, f := range []struct {
			name, folder string
			scripts      []pg.Script
		}{{Read, "read", plan.read}, {ListDeep, "list", plan.list}, {Create, "create", plan.create}} {
			for round := range s.Rounds {
				if !s.wants(f.name) {
					break
				}
				dir := filepath.Join(s.Folder, "pgbench", f.folder)
				found, err := db.Bench(ctx, dir, f.scripts, connections, s.Warmup, s.Duration)
				if err != nil {
					return fmt.Errorf("pgbench %s: %w", f.name, err)
				}
				s.record.add(Measurement{
					Figure: f.name, Target: Pgbench, Pages: s.Pages, Connections: connections, Round: round,
					Result: load.Result{Throughput: found.Throughput, Errors: found.Failed, Latency: load.Latency{Mean: found.Mean}},
				})
				s.tell("%-26s %-14s %4d conns %9.0f/s  mean %.0f µs", f.name, Pgbench, connections, found.Throughput, found.Mean)
			}
		}
	}
	return nil
}
