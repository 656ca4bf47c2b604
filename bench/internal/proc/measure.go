package proc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// sample is how often the memory of a program is looked at while it runs. Its
// own peak the kernel keeps; that of all its processes together is as exact as
// this is short.
const sample = 20 * time.Millisecond

// Run is what a program took that has ended, the programs that it started
// included.
type Run struct {
	Wall time.Duration
	CPU  time.Duration // of user and system
	Peak int64         // bytes in memory at most
}

// Measure runs a program that ends in a folder, and tells what it took.
func Measure(ctx context.Context, folder, program string, args ...string) (Run, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = folder
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return Run{}, fmt.Errorf("run %s: %w", program, err)
	}
	stop, peak := make(chan struct{}), make(chan int64)
	go func() { peak <- watch(cmd.Process.Pid, stop) }()
	err := cmd.Wait()
	wall := time.Since(began)
	close(stop)
	run := Run{Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), Peak: <-peak}
	if err != nil {
		return run, fmt.Errorf("run %s: %w: %s", program, errors.Join(err, ctx.Err()), tail([]byte(output.String())))
	}
	return run, nil
}

// watch returns how much memory a process and its descendants take at most
// until stop is closed. What cannot be read has ended.
func watch(pid int, stop <-chan struct{}) (peak int64) {
	tick := time.NewTicker(sample)
	defer tick.Stop()
	for {
		var now int64
		for _, p := range family(pid) {
			u, err := UsageOf(p)
			if err != nil {
				continue
			}
			if p == pid {
				peak = max(peak, u.Peak)
			}
			now += u.Resident
		}
		peak = max(peak, now)
		select {
		case <-stop:
			return peak
		case <-tick.C:
		}
	}
}

// family returns a process and its descendants.
func family(pid int) []int {
	list := []int{pid}
	tasks, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return list
	}
	for _, task := range tasks {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, task.Name()))
		if err != nil {
			continue
		}
		for word := range strings.FieldsSeq(string(text)) {
			if child, err := strconv.Atoi(word); err == nil {
				list = append(list, family(child)...)
			}
		}
	}
	return list
}
