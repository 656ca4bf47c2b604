package merge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/merge"
)

// BenchmarkHunks compares two texts of 100 KB, in which every tenth line differs.
func BenchmarkHunks(b *testing.B) {
	var before, after strings.Builder
	for i := 0; before.Len() < 100<<10; i++ {
		line := fmt.Sprintf("Line %d of a text that somebody wrote about something.\n", i)
		before.WriteString(line)
		if i%10 == 0 {
			line = strings.ToUpper(line)
		}
		after.WriteString(line)
	}
	for b.Loop() {
		merge.Hunks(before.String(), after.String())
	}
}
