package testenv

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestSmallDisk(t *testing.T) {
	disk := SmallDisk(t, 1<<20)
	if err := os.WriteFile(disk.File("all"), make([]byte, 2<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("writing 2 MiB to a disk of 1 MiB: have %v, want %v", err, syscall.ENOSPC)
	}
	if out, err := disk.Command("ls", disk.Path).CombinedOutput(); err != nil || string(out) != "all\n" {
		t.Errorf("a command of the disk lists %q, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(disk.Path, "all")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("outside the disk: have %v, want no such file", err)
	}
}

func TestStraceTraces(t *testing.T) {
	if path := Strace(t); !filepath.IsAbs(path) {
		t.Errorf("have %q, want the path of a program", path)
	}
}
