package archtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxSubject = 72

	// rulesFrom is the last commit whose subject may be of any length.
	rulesFrom = "11b1739138e3e7e5af1525e4808e22aceed52410"
)

// longSubjects returns the lines of git log --oneline with long subjects.
func longSubjects(log string) []string {
	var found []string
	for line := range strings.Lines(log) {
		commit, subject, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if n := utf8.RuneCountInString(subject); n > maxSubject {
			found = append(found, fmt.Sprintf("%s: the subject has %d characters, %d is the most; put the rest into the body: %s", commit, n, maxSubject, subject))
		}
	}
	return found
}

// history returns the lines of git log --oneline since rulesFrom. A shallow clone may lack
// it; an archive of the source has none.
func history(ctx context.Context, root string) (string, error) {
	if _, err := os.Lstat(filepath.Join(root, ".git")); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	git := exec.CommandContext(ctx, "git", "log", "--oneline", "--no-decorate", "--no-merges", "--ignore-missing", "HEAD", "^"+rulesFrom)
	git.Dir = root
	log, err := git.Output()
	return string(log), err
}

func TestSubjectLengths(t *testing.T) {
	t.Parallel()
	log, err := history(t.Context(), "../..")
	if err != nil {
		t.Fatalf("git log: %v", err)
	}
	for _, violation := range longSubjects(log) {
		t.Error(violation)
	}
}

// TestHistory checks that a failing git is not mistaken for an archive, and that a clone
// without rulesFrom is read.
func TestHistory(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if log, err := history(t.Context(), root); log != "" || err != nil {
		t.Errorf("without .git: have %q, %v; want nothing", log, err)
	}
	broken := filepath.Join(root, ".git")
	if err := os.WriteFile(broken, []byte("gitdir: gone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if log, err := history(t.Context(), root); err == nil {
		t.Errorf("with a .git that leads nowhere: have %q, want an error", log)
	}
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"init", "--quiet"},
		{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false", "commit", "--quiet", "--allow-empty", "--message", "x: there"},
	} {
		git := exec.CommandContext(t.Context(), "git", args...)
		git.Dir = root
		if said, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v, %s", args, err, said)
		}
	}
	if log, err := history(t.Context(), root); !strings.HasSuffix(log, " x: there\n") || err != nil {
		t.Errorf("without %s: have %q, %v; want the commit", rulesFrom, log, err)
	}
}

func TestSubjectsBite(t *testing.T) {
	t.Parallel()
	subject := strings.Repeat("ä", maxSubject)
	have := longSubjects("0a1 " + subject + "\n0a2 " + subject + "b\n0a3 short\n")
	if len(have) != 1 || !strings.HasPrefix(have[0], "0a2: the subject has 73 characters, 72 is the most") {
		t.Errorf("have %q, want one violation, of 0a2", have)
	}
}
