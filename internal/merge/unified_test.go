package merge_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/octavo-docs/octavo/internal/merge"
)

// TestPatchesApply: git apply makes the second text of the first one by their diff.
func TestPatchesApply(t *testing.T) {
	t.Parallel()
	r := random{rand.New(rand.NewPCG(7, 8))}
	folder := t.TempDir()
	for i := range 150 {
		base, ours, _ := r.three()
		if base == "" || ours == "" || base == ours {
			continue // which these programs see as a file that comes or goes
		}
		diff := merge.Unified(merge.Hunks(base, ours), "a/text", "b/text")
		write(t, filepath.Join(folder, "text"), base)
		write(t, filepath.Join(folder, "diff"), diff)
		cmd := exec.CommandContext(t.Context(), "git", "apply", "--whitespace=nowarn", "diff")
		cmd.Dir = folder
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("case %d: %v: %s\n%s", i, err, out, diff)
		}
		have, err := os.ReadFile(filepath.Join(folder, "text"))
		if err != nil || string(have) != ours {
			t.Fatalf("case %d: have %q, want %q, %v\n%s", i, have, ours, err, diff)
		}
	}
	if have := merge.Hunks("a\n", "a\n"); len(have) != 0 || merge.Unified(have, "", "") != "" {
		t.Errorf("equal texts differ by %+v", have)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
