package imports_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/store/changelog"
)

// The stages of an import, in their order, at which a process is killed.
const (
	accepted  = "accepted"
	opened    = "the file opened"
	written   = "some pages written"
	proposed  = "the proposal made"
	recorded  = "the end recorded, the file still there"
	killPages = 900
)

// What the process that is killed has to know.
const (
	killStage    = "OCTAVO_TEST_STAGE"
	killDatabase = "OCTAVO_TEST_DATABASE"
	killFolder   = "OCTAVO_TEST_FOLDER"
)

// TestKilledAtEveryStage kills a process (SIGKILL, by its own hand) at each stage of an
// import. The next one goes on: every page once, a report as if nothing had happened,
// one event, one proposal, and no file that nothing needs.
func TestKilledAtEveryStage(t *testing.T) {
	if stage := os.Getenv(killStage); stage != "" {
		dieAt(t, stage)
		return
	}
	t.Parallel()
	for stage, left := range map[string]octavo.ImportStatus{
		accepted: octavo.ImportQueued, opened: octavo.ImportRunning, written: octavo.ImportRunning, proposed: octavo.ImportRunning, recorded: octavo.ImportReady,
	} {
		t.Run(stage, func(t *testing.T) {
			t.Parallel()
			exporttest.OnBoth(t, func(t *testing.T, database string) {
				folder := t.TempDir()
				cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilledAtEveryStage$", "-test.count=1")
				cmd.Env = append(os.Environ(), killStage+"="+stage, killDatabase+"="+database, killFolder+"="+folder, "TMPDIR="+t.TempDir())
				out, err := cmd.CombinedOutput()
				var ended *exec.ExitError
				if !errors.As(err, &ended) || ended.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("have %v, want it killed\n%s", err, out)
				}
				newRig(t, database, folder).judge(stage, left)
			})
		})
	}
}

func die() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // it does not return
	select {}
}

// dyingFiles is a store of files whose process dies when it is asked for something.
type dyingFiles struct {
	blob.Store
	stage string
}

func (d dyingFiles) Open(ctx context.Context, key string) (blob.File, error) {
	if d.stage == opened {
		die()
	}
	return d.Store.Open(ctx, key)
}

func (d dyingFiles) Remove(ctx context.Context, key string) error {
	if d.stage == recorded {
		die()
	}
	return d.Store.Remove(ctx, key)
}

// dieAt starts an import and kills the process.
func dieAt(t *testing.T, stage string) {
	r := newRig(t, os.Getenv(killDatabase), os.Getenv(killFolder))
	r.Blobs = dyingFiles{r.Blobs, stage}
	v := r.send(ann, "killed.zip", many(t, killPages), func(o *octavo.ImportOptions) {
		if stage == proposed {
			o.As = octavo.ImportProposal
		}
	})
	if stage == accepted {
		die()
	}
	r.run(r.Service)
	// What was written is forgotten once the job has ended, so nothing pauses here.
	for ctx, cancel := context.WithTimeout(context.Background(), time.Minute); ctx.Err() == nil; {
		list, err := r.Store.Imports.AllWritten(context.Background(), v.ID)
		exporttest.Must(t, err)
		if len(list) > 0 && (stage == written || stage == proposed) {
			cancel()
			die()
		}
	}
	t.Fatal("it does not come to that")
}

// judge continues the work of a killed process, and checks the outcome.
func (r *rig) judge(stage string, want octavo.ImportStatus) {
	r.Helper()
	list, _, err := r.List(r.Context(), ann, "", 10)
	exporttest.Must(r, err)
	if len(list) != 1 || list[0].Status != want {
		r.Fatalf("the dead left %+v, want one that is %s", list, want)
	}
	before := len(r.pages())
	if stage == written && (before == 0 || before == killPages) {
		r.Errorf("the dead wrote %d pages, want some", before)
	}
	o := r.Options
	o.Alone = true // what was under way is the dead one's
	r.run(imports.New(o))
	v := r.await(list[0].ID)
	all, lines := len(r.pages()), r.lines(v.ID)
	pages, kept := killPages, 0
	if stage == proposed {
		pages = 0
	}
	if stage == recorded {
		kept = 1 // until the sweep of the blob store
	}
	if v.Status != octavo.ImportReady || all != pages || len(r.pages()) != pages || r.files(kept) != kept {
		r.Errorf("have %+v %+v, %d pages and %d files", v, v.Error, all, r.files(kept))
	}
	if v.Report.Sums.Created != killPages || v.Report.Sums.Unchanged != 0 || len(lines) != killPages || !strings.Contains(lines[0], `"action":"created"`) {
		r.Errorf("have %+v and %d lines, %s; want all of them created", v.Report, len(lines), lines[0])
	}
	told, _, err := r.Store.Log.Events(r.Context(), changelog.EventQuery{After: -1, Types: []octavo.EventType{octavo.ImportIsReady, octavo.ImportHasFailed}, Limit: 10})
	if err != nil || len(told) != 1 {
		r.Errorf("have %d events of its end, %v; want one", len(told), err)
	}
	offers, _, err := r.Store.Log.Events(r.Context(), changelog.EventQuery{After: -1, Types: []octavo.EventType{octavo.ProposalOpened}, Limit: 10})
	if made := len(offers) == 1 && v.Report.ProposalID != ""; err != nil || made != (stage == proposed) {
		r.Errorf("have %d proposals, %v, and %q in the report", len(offers), err, v.Report.ProposalID)
	}
}
