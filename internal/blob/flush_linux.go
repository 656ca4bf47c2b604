package blob

import (
	"os"

	"golang.org/x/sys/unix"
)

// startFlush lets the kernel begin to write length bytes of the file at offset
// to the disk, and does not wait for it. Nothing rests on it, neither on its
// error: the flush at the end makes the file durable, and finds less to do.
func startFlush(file *os.File, offset, length int64) {
	_ = unix.SyncFileRange(int(file.Fd()), offset, length, unix.SYNC_FILE_RANGE_WRITE) //nolint:gosec // a descriptor is a small number
}
