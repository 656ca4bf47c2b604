package query

import (
	"fmt"
	"strings"
	"testing"
)

func (p parsed) String() string {
	var out []string
	for _, s := range p.slots {
		text := fmt.Sprintf("%s@%d", s.text, s.pos)
		if s.phrase {
			text = `"` + text
		}
		if s.last {
			text += "*"
		}
		out = append(out, text)
	}
	for _, c := range p.compounds {
		out = append(out, fmt.Sprintf("%s%s[%d:%d]", c.text, c.flag, c.from, c.to))
	}
	for _, p := range p.phrases {
		out = append(out, fmt.Sprint(p.terms, p.offsets))
	}
	return strings.Join(out, " ")
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" -- ?! ", ""},
		{"one two", "one@0 two@1*"},
		{"one two ", "one@0 two@1"},
		{"no-cache", "no@0 cache@1* nocache[0:2]"},
		{"a --no-cache ", "a@0 no@1 cache@2 nocache-nocache[1:3]"},
		{"--force", "force@0* -force[0:1]"},
		{`the "quick fox" jumps`, `the@0 "quick@9 "fox@10 jumps@19* [quick fox] [0 1]`},
		{`"open`, `open@0*`},
		{`""`, ""},
		{`"a-b`, `a@0 b@1* ab[0:2]`},
		{`"a-b"`, `"a@8 "b@9 ab[0:2] [a b] [0 1]`},
		{"“typed” «so»", `"typed@8 "so@25 [typed] [0] [so] [0]`},
		{"计算属性", "计算@0 算属@1 属性@2*"},
		{"用", "用@0*"},
		{"\xff\x00bad", "bad@0*"},
		{`a"b"c"d`, `a@0 "b@9 c@18 d@19* [b] [0]`},
	} {
		if have := parse(c.text).String(); have != c.want {
			t.Errorf("parse(%q):\nhave %s\nwant %s", c.text, have, c.want)
		}
	}
}

func TestParseLimits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("word ", 10_000),
		strings.Repeat(`"`, 10_000),
		strings.Repeat(`"a `, 10_000),
		strings.Repeat("a-", 10_000),
		strings.Repeat("x", 100_000),
		strings.Repeat("界", 100_000),
		`"` + strings.Repeat("word ", 10_000) + `"`,
	} {
		p := parse(text)
		if len(p.slots) > MaxWords || len(p.compounds) > 2*MaxText || len(p.phrases) > MaxText {
			t.Errorf("%.20q… has %d words, %d compounds, %d phrases", text, len(p.slots), len(p.compounds), len(p.phrases))
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`a "b c" d`, `--x "`, "计算\"属性\"", "«»„“", "a'b'c", strings.Repeat("ab-", 40)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := parse(text)
		if len(p.slots) > MaxWords {
			t.Errorf("%q has %d words", text, len(p.slots))
		}
		for _, c := range p.compounds {
			if c.from >= c.to || c.to > len(p.slots) {
				t.Errorf("%q: the compound %q spans %d to %d of %d", text, c.text, c.from, c.to, len(p.slots))
			}
		}
		for _, phrase := range p.phrases {
			if len(phrase.terms) != len(phrase.offsets) || len(phrase.terms) == 0 {
				t.Errorf("%q: the phrase %q has offsets %v", text, phrase.terms, phrase.offsets)
			}
		}
	})
}
