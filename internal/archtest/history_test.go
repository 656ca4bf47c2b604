package archtest

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	maxSubject = 72

	// rulesFrom is the last commit whose subject may be of any length.
	rulesFrom = "11b1739138e3e7e5af1525e4808e22aceed52410"
)

// longSubjects takes the lines of git log --oneline.
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

// TestSubjectsAreShort reads the commits that are there: an archive of the
// source has none, and a shallow clone lacks rulesFrom.
func TestSubjectsAreShort(t *testing.T) {
	t.Parallel()
	git := exec.CommandContext(t.Context(), "git", "log", "--oneline", "--no-decorate", "--no-merges", rulesFrom+"..HEAD")
	git.Dir = "../.."
	log, err := git.Output()
	if err != nil {
		t.Logf("there is no history to read: %v", err)
		return
	}
	for _, violation := range longSubjects(string(log)) {
		t.Error(violation)
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
