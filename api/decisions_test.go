package api

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestDecisionsAreNumberedAndShown holds DECISIONS.md to its form: decisions 1
// to 60 in order, each ending with what shows it.
func TestDecisionsAreNumberedAndShown(t *testing.T) {
	text, err := os.ReadFile("DECISIONS.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`\n\nShown by: .+$`)
	topic := regexp.MustCompile(`\n## .+\n*$`)
	decisions := strings.Split(string(text), "\n### ")[1:]
	if len(decisions) != 60 {
		t.Errorf("have %d decisions, want 60", len(decisions))
	}
	for i, d := range decisions {
		if want := fmt.Sprintf("%d. ", i+1); !strings.HasPrefix(d, want) {
			t.Errorf("have %.20q, want it to begin with %q", d, want)
		}
		d = strings.TrimSpace(topic.ReplaceAllString(d, ""))
		if !shown.MatchString(d) || strings.Count(d, "Shown by:") != 1 {
			t.Errorf("decision %d does not end with one line that says what shows it", i+1)
		}
	}
}
