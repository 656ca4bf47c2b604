package proc_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/proc"
)

func TestStartWaitsForTheReadyLine(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	p, err := proc.Start(t.Context(), log, regexp.MustCompile(`ready at (\S+) as (\S+)\n`),
		"/bin/sh", "-c", `echo starting; echo "ready at here as x$OCTAVO_ADDR" >&2; exec sleep 60`)
	if err != nil {
		t.Fatal(err)
	}
	if have := strings.Join(p.Ready, " "); have != "here x" || p.Startup <= 0 {
		t.Errorf("have %q after %s, want %q", have, p.Startup, "here x")
	}
	usage, err := p.Usage()
	if err != nil || usage.Resident <= 0 || usage.Peak < usage.Resident {
		t.Errorf("have %+v (%v), want memory, and a peak not below it", usage, err)
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
	if _, err := p.Usage(); err == nil {
		t.Error("after the end: have usage, want an error")
	}
	if err := p.Stop(); err != nil {
		t.Errorf("stopped twice: have %v", err)
	}
}

func TestStartFailure(t *testing.T) {
	_, err := proc.Start(t.Context(), filepath.Join(t.TempDir(), "log"), regexp.MustCompile("ready"), "/bin/sh", "-c", "echo the port is taken; exit 3")
	if err == nil || !strings.Contains(err.Error(), "the port is taken") {
		t.Errorf("have %v, want what it said last", err)
	}
}

func TestUsageCountsCPU(t *testing.T) {
	before, err := proc.UsageOf(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	for {
		now, err := proc.UsageOf(os.Getpid())
		if err != nil {
			t.Fatal(err)
		}
		if used := now.CPU - before.CPU; used > 0 {
			if used > 5 {
				t.Errorf("have %g s, want a few hundredths", used)
			}
			return
		}
	}
}

func TestOutput(t *testing.T) {
	if have, err := proc.Output(t.Context(), "/bin/echo", "a b"); err != nil || have != "a b" {
		t.Errorf("have %q (%v), want %q", have, err, "a b")
	}
	if _, err := proc.Output(t.Context(), "/bin/sh", "-c", "echo why >&2; exit 1"); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("have %v, want what it said", err)
	}
}

func TestMeasure(t *testing.T) {
	run, err := proc.Measure(t.Context(), t.TempDir(), "/bin/sh", "-c", `s=$(head -c 30000000 /dev/zero | tr '\0' x); sleep 0.2; echo ${#s} > size`)
	if err != nil {
		t.Fatal(err)
	}
	if run.Wall <= 0 || run.CPU <= 0 || run.Peak < 30e6 || run.Peak > 1e9 {
		t.Errorf("have %+v, want some time and 30 MB at least", run)
	}
	if _, err := proc.Measure(t.Context(), t.TempDir(), "/bin/sh", "-c", "echo why; exit 1"); err == nil || !strings.Contains(err.Error(), "why") {
		t.Errorf("have %v, want what it said", err)
	}
}
