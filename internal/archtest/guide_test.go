package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestAreasExist checks that every area has a package.
func TestAreasExist(t *testing.T) {
	t.Parallel()
	for _, areas := range layers {
		for _, r := range areas {
			if info, err := os.Stat(filepath.Join("../..", filepath.FromSlash(r.path))); err != nil || !info.IsDir() {
				t.Errorf("%s has an area, but is no folder", r.path)
			}
		}
	}
}

// TestGuideNamesTheAreas checks that the table of folders in AGENTS.md has exactly the
// areas, each on its layer.
func TestGuideNamesTheAreas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../AGENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	have := guideLayers(string(text))
	want := map[string]int{}
	for layer, areas := range layers {
		for _, r := range areas {
			switch {
			case r.tests:
			case r.path == "cmd":
				want["cmd/octavo"] = layer
			default:
				want[r.path] = layer
			}
		}
	}
	for folder, layer := range want {
		if on, ok := have[folder]; !ok || on != layer {
			t.Errorf("AGENTS.md: have %s on layer %d (listed: %t), want layer %d", folder, on, ok, layer)
		}
	}
	for folder := range have {
		if _, ok := want[folder]; !ok {
			t.Errorf("AGENTS.md: %s is on a layer, but has no area", folder)
		}
	}
}

// guideLayers returns the folders of each layer in a table: the number is in the first
// column, the folders in the second.
func guideLayers(text string) map[string]int {
	found := map[string]int{}
	for line := range strings.SplitSeq(text, "\n") {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		layer, err := strconv.Atoi(strings.TrimSpace(cells[1]))
		if err != nil {
			continue
		}
		for _, folder := range quoted.FindAllStringSubmatch(cells[2], -1) {
			found[folder[1]] = layer
		}
	}
	return found
}

func TestGuideLayers(t *testing.T) {
	t.Parallel()
	have := guideLayers("| layer | folder |\n|---|---|\n| 0 | `.` | the nouns |\n| 3 | `internal/a`, `internal/b` | `c` |\n| – | `tools` | none |\n")
	if len(have) != 3 || have["internal/a"] != 3 || have["internal/b"] != 3 || have["."] != 0 {
		t.Errorf("have %v, want . on 0, internal/a and internal/b on 3", have)
	}
}

// TestWalksNameTheCode checks that each function named after a file is in that file.
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
