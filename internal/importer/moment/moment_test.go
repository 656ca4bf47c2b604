package moment_test

import (
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/importer/moment"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		count int
		first string
		vague bool
	}{
		{"2030-01-02", 1, "2030-01-02T00:00:00Z", false},
		{" 2030-01-02t03:04:05+01:00 ", 1, "2030-01-02T02:04:05Z", false},
		{"3/4/2030", 2, "2030-03-04T00:00:00Z", false},
		{"Jan 2, 2030 3:04 pm", 1, "2030-01-02T15:04:00Z", false},
		{"1900000000", 1, "2030-03-17T17:46:40Z", false},
		{"some time in 2030", 2, "2030-01-01T00:00:00Z", true},
		{"soon", 0, "", false},
		{"true", 0, "", false},
		{"", 0, "", false},
	} {
		list, vague := moment.Of(c.text)
		first := ""
		if len(list) > 0 {
			first = list[0].Format(time.RFC3339)
		}
		if len(list) != c.count || first != c.first || vague != c.vague {
			t.Errorf("%q: have %v, %t; want %d from %s, %t", c.text, list, vague, c.count, c.first, c.vague)
		}
	}
}
