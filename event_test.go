package octavo

import (
	"strings"
	"testing"
)

func TestEventTypeWellFormed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name EventType
		want bool
	}{
		{PagePublished, true},
		{"a.b.c", true},
		{EventType("page." + strings.Repeat("x", 59)), true},
		{EventType("page." + strings.Repeat("x", 60)), false},
		{"", false},
		{"page", false},
		{"page.", false},
		{".page", false},
		{"page..published", false},
		{"Page.published", false},
		{" page.published", false},
	} {
		if have := c.name.WellFormed(); have != c.want {
			t.Errorf("%q.WellFormed(): have %t, want %t", c.name, have, c.want)
		}
	}
}
