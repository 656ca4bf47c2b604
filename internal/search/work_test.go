package search

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestQueryTimeout: every query ends soon after its time limit.
func TestQueryTimeout(t *testing.T) {
	t.Parallel()
	index := New(Config{Timeout: 100 * time.Millisecond})
	var changes []Change
	for _, id := range []string{"a", "b", "c", "d"} {
		changes = append(changes, put(page(id, "Page", strings.Repeat("a ", 2<<20))))
	}
	for n := range 400 {
		changes = append(changes, put(page(fmt.Sprint("small", n), "Page", strings.Repeat("a word of few ", 20))))
	}
	mustApply(t, index, 1, changes...)
	for name, text := range map[string]string{
		"a long phrase of one word":  `"` + strings.Repeat("a ", 2000) + `"`,
		"many phrases":               strings.Repeat(`"a" `, 1000),
		"many phrases of two words":  strings.Repeat(`"a a"`, 800),
		"many different phrases":     strings.Repeat(`"a word" "word of" "of few" "few a" "a" "word" `, 80),
		"phrases with spaces within": strings.Repeat(`"a . a a - a"`, 300),
	} {
		begun := time.Now()
		answer, err := index.Search(t.Context(), Query{Text: text, Limit: 20})
		if took := time.Since(begun); took > 10*time.Second || err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: have %d hits and %v after %v, want an end soon after 100 ms", name, len(answer.Hits), err, took)
		}
	}
}
