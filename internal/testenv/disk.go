package testenv

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// Disk is a small file system that only its own commands can see, at Path. It is removed
// with its test.
type Disk struct {
	Path   string // for the commands
	holder *exec.Cmd
}

// SmallDisk returns an empty file system of size bytes. It is mounted in the mount
// namespace of a separate process, so that it vanishes however the test ends. It needs
// root or user namespaces.
func SmallDisk(t testing.TB, size int) *Disk {
	t.Helper()
	d := &Disk{Path: t.TempDir()}
	// cat ends with its standard input, which this process holds.
	d.holder = exec.CommandContext(t.Context(), "sh", "-c", `mount -t tmpfs -o size="$1" octavo "$2" && echo mounted && exec cat`, "sh", strconv.Itoa(size), d.Path)
	d.holder.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Geteuid() != 0 {
		d.holder.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		}
	}
	stdin, err := d.holder.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := d.holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.holder.Start(); err != nil {
		missing(t, "disk", "this machine does not let processes mount: "+err.Error())
	}
	t.Cleanup(func() {
		_ = stdin.Close()   // ends the holder, which may have ended
		_ = d.holder.Wait() // its output is irrelevant to the test
	})
	if line, err := bufio.NewReader(stdout).ReadString('\n'); err != nil || line != "mounted\n" {
		missing(t, "disk", "this machine does not let processes mount")
	}
	return d
}

// Command is exec.Command for a program that sees the disk.
func (d *Disk) Command(name string, args ...string) *exec.Cmd {
	enter := []string{"--target", strconv.Itoa(d.holder.Process.Pid), "--mount"}
	if os.Geteuid() != 0 {
		enter = append(enter, "--user", "--preserve-credentials")
	}
	return exec.CommandContext(context.Background(), "nsenter", append(append(enter, "--", name), args...)...)
}

// File returns the path under which this process finds a file of the disk.
func (d *Disk) File(name string) string {
	return filepath.Join(fmt.Sprintf("/proc/%d/root", d.holder.Process.Pid), d.Path, name)
}
