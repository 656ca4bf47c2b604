// Package machine describes the machine that measures, and what it measures.
// The record of a run says so, for figures of different machines cannot be
// compared.
package machine

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/octavo-docs/octavo/bench/internal/proc"
)

// Machine is where figures were taken, and what of.
type Machine struct {
	CPU        string            `json:"cpu"`
	Cores      int               `json:"cores"`
	Memory     int64             `json:"memoryBytes"`
	Kernel     string            `json:"kernel"`
	FileSystem string            `json:"fileSystem"`
	LoadBefore string            `json:"loadBefore"` // of 1, 5 and 15 minutes: others that were at work
	Versions   map[string]string `json:"versions"`
}

// written are pathspecs without what a run writes into the source: that changes
// nothing of what is measured.
var written = []string{":(top,exclude)bench/results.json", ":(top,exclude)bench/RESULTS.md"}

// Describe reads what /proc and the programs tell of this machine, of the disk
// that holds folder and of the source in another. What cannot be read is left
// out: it only describes.
func Describe(ctx context.Context, folder, source string) Machine {
	m := Machine{Cores: runtime.NumCPU(), Versions: map[string]string{"Go": strings.TrimPrefix(runtime.Version(), "go")}}
	m.CPU = field("/proc/cpuinfo", `(?m)^model name\s*: (.*)$`)
	m.Kernel = field("/proc/sys/kernel/osrelease", `(.*)`)
	m.LoadBefore = field("/proc/loadavg", `^(\S+ \S+ \S+)`)
	var kb int64
	if _, err := fmt.Sscan(field("/proc/meminfo", `(?m)^MemTotal:\s*(\d+)`), &kb); err == nil {
		m.Memory = kb << 10
	}
	var fs unix.Statfs_t
	if err := unix.Statfs(folder, &fs); err == nil {
		m.FileSystem = fileSystem(int64(fs.Type)) //nolint:unconvert // its type depends on the platform
	}
	if commit, err := proc.Output(ctx, "git", "-C", source, "rev-parse", "--short", "HEAD"); err == nil {
		m.Versions["Octavo"] = commit
		if changed, err := proc.Output(ctx, "git", append([]string{"-C", source, "status", "--porcelain", "--untracked-files=no", "--", ":(top)"}, written...)...); err == nil && changed != "" {
			m.Versions["Octavo"] += " with changes"
		}
	}
	return m
}

// field returns what the first group of a pattern finds in a file.
func field(file, pattern string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	m := regexp.MustCompile(pattern).FindSubmatch(text)
	if m == nil {
		return ""
	}
	return string(bytes.TrimSpace(m[1]))
}

func fileSystem(magic int64) string {
	switch magic {
	case unix.EXT4_SUPER_MAGIC:
		return "ext4"
	case unix.XFS_SUPER_MAGIC:
		return "xfs"
	case unix.BTRFS_SUPER_MAGIC:
		return "btrfs"
	case unix.OVERLAYFS_SUPER_MAGIC:
		return "overlayfs"
	case unix.TMPFS_MAGIC:
		return "tmpfs (in memory: syncs are free here)"
	}
	return fmt.Sprintf("type %#x", magic)
}
