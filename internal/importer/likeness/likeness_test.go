package likeness

import (
	"fmt"
	"strings"
	"testing"
)

func prose(seed string, words int) string {
	var b strings.Builder
	for i := range words {
		fmt.Fprintf(&b, "%s%d ", seed, i)
	}
	return b.String()
}

func TestLikeness(t *testing.T) {
	t.Parallel()
	long := prose("w", 2000)
	for _, c := range []struct {
		a, b        string
		least, most float64
	}{
		{"", "", 0, 0},
		{"one two three", "", 0, 0},
		{"one two three", "one: two - three!", 1, 1},
		{"one two three four", "one two three four", 1, 1},
		{"one two three four", "four three two one", 0, 0},
		{long, long + prose("x", 500), .65, .95},
		{long, prose("x", 2000), 0, .01},
		{"这是 一个 文档 关于 安装", "这是 一个 文档 关于 删除", .5, .8},
	} {
		if have := Of(Sketch(c.a), Sketch(c.b)); have < c.least || have > c.most {
			t.Errorf("%.20q and %.20q: have %.2f, want %.2f to %.2f", c.a, c.b, have, c.least, c.most)
		}
	}
}
