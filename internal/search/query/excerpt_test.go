package query

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func cutExcerpt(text string, terms map[string]float64) string {
	var e excerpter
	e.seek(terms)
	return e.excerpt(text)
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	terms := map[string]float64{"agent": 2, "the": .1, "nocache": 3, "no": 1, "cache": 1, "属性": 2, "计算": 2, "算属": 1}
	long := strings.Repeat("words before it. ", 40)
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"nothing here", "nothing here"},
		{"The Agent's <b> & \"c\"", "<mark>The</mark> <mark>Agent</mark>&#39;s &lt;b&gt; &amp; &#34;c&#34;"},
		{"use --no-cache now", "use --<mark>no-cache</mark> now"},
		{"line\n\n  of\ttext", "line · of text"},
		{"heads\nagent\nis.\nit\n", "heads · <mark>agent</mark> · is. it"},
		{"是计算属性的", "是<mark>计算属性</mark>的"},
		{long + "the agent", "… it. words before it. words before it. words before it. <mark>the</mark> <mark>agent</mark>"},
	} {
		if have := cutExcerpt(c.text, terms); have != c.want {
			t.Errorf("excerpt(%q):\nhave %s\nwant %s", c.text, have, c.want)
		}
	}
}

func TestExcerptMarksACompoundWithAPossessive(t *testing.T) {
	t.Parallel()
	if have, want := cutExcerpt("a no's-cache", map[string]float64{"nocache": 1}), "a <mark>no&#39;s-cache</mark>"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

func TestExcerptOfLongTextShowsTheMost(t *testing.T) {
	t.Parallel()
	text := "the " + strings.Repeat("filler ", 100) + "agent near cache " + strings.Repeat("filler ", 100)
	have := cutExcerpt(text, map[string]float64{"the": .1, "agent": 2, "cache": 1})
	if !strings.Contains(have, "<mark>agent</mark> near <mark>cache</mark>") || utf8.RuneCountInString(have) > excerptSize+60 {
		t.Errorf("have %s", have)
	}
	if !strings.HasPrefix(have, "… ") || !strings.HasSuffix(have, " …") {
		t.Errorf("nothing tells that text was left out: %s", have)
	}
}

func TestNearness(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b  []uint32
		apart int
		want  float64
	}{
		{[]uint32{5}, []uint32{6}, 1, 1},
		{[]uint32{5}, []uint32{7}, 2, 1},
		{[]uint32{5}, []uint32{4}, 1, .7},
		{[]uint32{5}, []uint32{8}, 1, .7},
		{[]uint32{5, 100}, []uint32{20, 94}, 1, .4},
		{[]uint32{5}, []uint32{60}, 1, .15},
		{[]uint32{5}, []uint32{600}, 1, 0},
		{nil, []uint32{1}, 1, 0},
		{[]uint32{1, 50, 90}, []uint32{10, 51}, 1, 1},
	} {
		if have := nearness(c.a, c.b, c.apart); have != c.want {
			t.Errorf("nearness(%v, %v, %d): have %g, want %g", c.a, c.b, c.apart, have, c.want)
		}
	}
}
