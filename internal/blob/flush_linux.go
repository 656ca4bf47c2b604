package blob

import (
	"os"

	"golang.org/x/sys/unix"
)

// startFlush asks the kernel to start writing length bytes at offset to the disk, and does
// not wait. It is only an optimisation: the sync at the end makes the file durable.
func startFlush(file *os.File, offset, length int64) {
	_ = unix.SyncFileRange(int(file.Fd()), offset, length, unix.SYNC_FILE_RANGE_WRITE) //nolint:gosec // a descriptor is a small number
}
