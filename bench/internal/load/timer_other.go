//go:build !linux

package load

import "time"

// newTimer returns what sleeps as exactly as the timers of the Go runtime are.
func newTimer() (sleep func(time.Duration) error, closeTimer func() error, err error) {
	sleep = func(d time.Duration) error { time.Sleep(d); return nil }
	return sleep, func() error { return nil }, nil
}
