package search

import (
	"syscall"
	"time"
)

// processorTime returns how long the present thread has worked.
func processorTime() time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var usage syscall.Rusage
	if syscall.Getrusage(thread, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
