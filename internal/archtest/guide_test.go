package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestRoomsExist: a room that nothing lives in any more is taken out.
func TestRoomsExist(t *testing.T) {
	t.Parallel()
	for _, rooms := range floors {
		for _, r := range rooms {
			if info, err := os.Stat(filepath.Join("../..", filepath.FromSlash(r.path))); err != nil || !info.IsDir() {
				t.Errorf("%s has a room, but is no folder", r.path)
			}
		}
	}
}

// TestGuideNamesTheRooms: the table of folders in AGENTS.md has each room on
// its floor, and no other.
func TestGuideNamesTheRooms(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../AGENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	have := guideFloors(string(text))
	want := map[string]int{}
	for floor, rooms := range floors {
		for _, r := range rooms {
			switch {
			case r.tests:
			case r.path == "cmd":
				want["cmd/octavo"] = floor
			default:
				want[r.path] = floor
			}
		}
	}
	for folder, floor := range want {
		if on, ok := have[folder]; !ok || on != floor {
			t.Errorf("AGENTS.md: have %s on floor %d (listed: %t), want floor %d", folder, on, ok, floor)
		}
	}
	for folder := range have {
		if _, ok := want[folder]; !ok {
			t.Errorf("AGENTS.md: %s is on a floor, but has no room", folder)
		}
	}
}

// guideFloors returns the folders that a table has on a numbered floor: the
// number is in its first column, the folders are in its second.
func guideFloors(text string) map[string]int {
	found := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		floor, err := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err != nil {
			continue
		}
		for _, folder := range quoted.FindAllStringSubmatch(cells[2], -1) {
			found[folder[1]] = floor
		}
	}
	return found
}

func TestGuideFloors(t *testing.T) {
	t.Parallel()
	have := guideFloors("| floor | folder |\n|---|---|\n| 0 | `.` | the nouns |\n| 3 | `internal/a`, `internal/b` | `c` |\n| – | `tools` | none |\n")
	if len(have) != 3 || have["internal/a"] != 3 || have["internal/b"] != 3 || have["."] != 0 {
		t.Errorf("have %v, want . on 0, internal/a and internal/b on 3", have)
	}
}

// TestWalksNameTheCode: each function that a walk names after a file is in that file.
func TestWalksNameTheCode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for step := range strings.SplitSeq(string(text), "[`") {
		_, rest, _ := strings.Cut(step, "`](")
		file, rest, linked := strings.Cut(rest, ")")
		if !linked {
			continue
		}
		code, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(file)))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, name := range identifier.FindAllStringSubmatch(rest, -1) {
			checked++
			if !regexp.MustCompile(`\b` + name[1] + `\b`).Match(code) {
				t.Errorf("internal/README.md: %s does not have %s", file, name[1])
			}
		}
	}
	if checked < 20 {
		t.Errorf("have %d names in the walks, want more than 20", checked)
	}
}

var identifier = regexp.MustCompile("`([A-Za-z]+)`")
