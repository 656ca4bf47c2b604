package disk_test

import (
	"os"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/bench/internal/disk"
)

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	s, err := disk.Measure(dir, 4, 50*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if s.Group != 4 || s.PerSecond <= 0 || s.Records != 4*s.PerSecond || s.P50 < 1 || s.P99 < s.P50 {
		t.Errorf("have %+v, want four records a sync and rising percentiles", s)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("have %v left (%v), want nothing", left, err)
	}
	if _, err := disk.Measure(dir+"/missing", 1, time.Millisecond); err == nil {
		t.Error("in a folder that is not there: have no error")
	}
}
