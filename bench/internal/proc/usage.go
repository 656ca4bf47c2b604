package proc

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// ticksPerSecond is the unit of CPU time in /proc, the same on every Linux
// that Go runs on.
const ticksPerSecond = 100

// Usage is what a process uses.
type Usage struct {
	CPU      float64 // seconds, of user and system, since its start
	Resident int64   // bytes in memory now
	Peak     int64   // bytes in memory at most so far
}

// Usage reads what the process uses now.
func (p *Process) Usage() (Usage, error) { return UsageOf(p.Pid) }

// UsageOf reads what a process uses now.
func UsageOf(pid int) (Usage, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Usage{}, fmt.Errorf("read the CPU time of process %d: %w", pid, err)
	}
	// The name of the program stands in parentheses and may hold anything. The
	// 12th and 13th field behind it are the times (proc(5): utime, stime).
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 13 {
		return Usage{}, fmt.Errorf("read the CPU time of process %d: have %q", pid, stat)
	}
	var u Usage
	for _, field := range fields[11:13] {
		ticks, err := strconv.ParseInt(field, 10, 64)
		if err != nil {
			return Usage{}, fmt.Errorf("read the CPU time of process %d: %w", pid, err)
		}
		u.CPU += float64(ticks) / ticksPerSecond
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return Usage{}, fmt.Errorf("read the memory of process %d: %w", pid, err)
	}
	u.Resident, u.Peak = kilobytes(status, "VmRSS:"), kilobytes(status, "VmHWM:")
	return u, nil
}

// kilobytes returns a figure of /proc/PID/status in bytes, 0 without one.
func kilobytes(status []byte, name string) int64 {
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err == nil {
				return n << 10
			}
		}
	}
	return 0
}
