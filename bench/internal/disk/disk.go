// Package disk measures how often a second a disk makes a write durable: the
// bound of every durable create. It writes the way a log does, behind the end
// of a file, and asks the kernel with fdatasync. It does not go around the
// file system.
package disk

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
	"golang.org/x/sys/unix"
)

// Record is how much one write adds, in bytes: a page of a database.
const Record = 4096

// Syncs is what was found for one size of groups.
type Syncs struct {
	Group     int     `json:"group"`     // records written before each sync
	PerSecond float64 `json:"perSecond"` // syncs
	Records   float64 `json:"recordsPerSecond"`
	P50       int64   `json:"p50Micros"` // of write and sync
	P99       int64   `json:"p99Micros"`
}

// Measure writes groups of records to a new file in dir for so long, syncing
// after each group, and removes the file.
func Measure(dir string, group int, duration time.Duration) (s Syncs, err error) {
	file, err := os.CreateTemp(dir, "syncs-*")
	if err != nil {
		return s, fmt.Errorf("measure the disk: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(file.Name())) }()
	latency := hdrhistogram.New(1, 100_000_000, 3)
	records := make([]byte, group*Record)
	for i := range records {
		records[i] = byte(i * 7) // no holes that a file system could leave out
	}
	start, n := time.Now(), 0
	for time.Since(start) < duration {
		began := time.Now()
		if _, err := file.Write(records); err != nil {
			return s, fmt.Errorf("measure the disk: %w", err)
		}
		if err := unix.Fdatasync(int(file.Fd())); err != nil {
			return s, fmt.Errorf("measure the disk: sync: %w", err)
		}
		_ = latency.RecordValue(max(time.Since(began).Microseconds(), 1)) // no sync takes 100 s
		n++
	}
	rate := float64(n) / time.Since(start).Seconds()
	return Syncs{
		Group: group, PerSecond: rate, Records: rate * float64(group),
		P50: latency.ValueAtQuantile(50), P99: latency.ValueAtQuantile(99),
	}, nil
}
