package load

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// newTimer returns what sleeps to within some 50 µs, and what closes it. It
// waits for a timer of the kernel in the poller of the Go runtime. The timers
// of the runtime itself may be a millisecond late, which at high rates would
// be most of a latency that counts from when a request was due; a sleep in a
// system call would keep a processor from the goroutines that send requests.
func newTimer() (sleep func(time.Duration) error, closeTimer func() error, err error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_MONOTONIC, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, nil, fmt.Errorf("make a timer: %w", err)
	}
	file := os.NewFile(uintptr(fd), "timer")
	if file == nil {
		return nil, nil, errors.Join(errors.New("make a timer: no file"), unix.Close(fd))
	}
	var expirations [8]byte
	return func(d time.Duration) error {
		spec := unix.ItimerSpec{Value: unix.NsecToTimespec(d.Nanoseconds())}
		if err := unix.TimerfdSettime(fd, 0, &spec, nil); err != nil {
			return fmt.Errorf("set the timer: %w", err)
		}
		if _, err := file.Read(expirations[:]); err != nil {
			return fmt.Errorf("wait for the timer: %w", err)
		}
		return nil
	}, file.Close, nil
}
