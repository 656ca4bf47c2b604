package document

import (
	"fmt"
	"strings"
	"testing"
)

var rangeNames = [...]string{"link", "shown", "definition", "use", "note", "noted", "module"}

func TestRanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mdx        bool
		text, want string
	}{
		{false, "[a](x.md) ![b](<y z.png> 'T') [c]( /q#r \"t\" )", "link(x.md) shown(y z.png) link(/q#r)"},
		{false, "[a][One] [one][] ![ONE] [none]\n\n[one]: <x y>\n  'title'\n[two]: z\n", "use([One]|one) use([]|one) use(|one) definition(x y|one|[one]: <x y>\n  'title'\n) definition(z|two|[two]: z\n)"},
		{false, "> - [a](x\\_y&amp;z)\r\n>   [b](c)\r\n", "link(x\\_y&amp;z=x_y&z) link(c)"},
		{false, "\uFEFFa\x00\xff\xfe[x](y)", "link(y)"},
		{false, "| a | b |\n|--|--|\n| `x\\|y` [a](b) | [c](d) |\n", "link(b) link(d)"},
		{false, "<https://a.example/b> https://c.example/d, www.e.example me@f.example", "link(https://a.example/b) link(https://c.example/d) link(www.e.example=http://www.e.example) link(me@f.example=mailto:me@f.example)"},
		{false, "a <a href='x&amp;y'>b</a> <List to=\"z\">\n\n<div><a HREF=q><img src=\"i.png\"></a></div>\n", "link(x&amp;y=x&y) link(q) shown(i.png)"},
		{true, "<Card href=\"/x\" title=\"y\">[a](b)</Card>\n\n<Link to={'/z'}>z</Link> <A href={v}/> <A to={ `q\"r` }/> <A to={'q\\'r'}/>\n", "link(/x) link(b) link(/z) link(q\"r)"},
		{true, "import A from './a.mdx'\nimport {b} from 'c'\n\n<A/>\n", "module(import A from './a.mdx'\nimport {b} from 'c'|import A from './a.mdx'\nimport {b} from 'c') shown(./a.mdx)"},
		{false, "# H [a](b)\n\nx[^1] y[^N]\n\n[^1]: one\n\n    more [c](d)\n\n[^n]: two\nafter\n", "link(b) note(1|1) note(N|n) noted(1|1|[^1]: one\n\n    more [c](d)\n\n) link(d) noted(n|n|[^n]: two\nafter\n)"},
		{false, "`[a](b)`\n\n    [c](d)\n\n```\n[e](f)\n```\n<!-- [g](h) -->\n", ""},
		{false, "[![a](b)](c) [x [y](z)](w) {{< relref \"p.md\" >}} [q]({{< ref \"p.md\" >}}#a)", "shown(b) link(c) link(z) link({{< ref \"p.md\" >}}#a)"},
	} {
		var have []string
		d := Parse(c.text, Options{MDX: c.mdx, Ranges: true})
		for _, p := range d.Ranges {
			text := d.source[p.From:p.To]
			if p.Address != "" && p.Address != text {
				text += "=" + p.Address
			}
			for _, more := range []string{p.Label, d.source[p.Start:p.End]} {
				if more != "" {
					text += "|" + more
				}
			}
			have = append(have, fmt.Sprintf("%s(%s)", rangeNames[p.Kind], text))
		}
		if have := strings.Join(have, " "); have != c.want {
			t.Errorf("ranges of %q\nhave %q\nwant %q", c.text, have, c.want)
		}
	}
}

// TestRangesOfWikiLinks: the target of a wiki link has a range, but for pictures.
func TestRangesOfWikiLinks(t *testing.T) {
	t.Parallel()
	d := Parse("a [[My note#Part|text]] ![[Other]] ![[p.png|9]]\n\n| [[ c\\|d]] |\n|-|\n", Options{Dialect: "obsidian", Ranges: true})
	have := ""
	for _, p := range d.Ranges {
		have += fmt.Sprintf("%s(%s=%s) ", rangeNames[p.Kind], d.source[p.From:p.To], p.Address)
	}
	if want := "link(My note#Part=wiki:My%20note#Part) link(Other=wiki:Other) link(c=wiki:c) "; have != want {
		t.Errorf("have %q, want %q", have, want)
	}
}

// FuzzRanges checks that ranges are within the source.
func FuzzRanges(f *testing.F) {
	for _, text := range []string{"[a](b)\r\n\r\n[c]: d\r\n", "\uFEFF\x00[a](<b>)", "\xff\xfe<a href=x>", "| \\| [a](b) |\n|-|\n", "[^1]\n\n[^1]: x"} {
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, mdx bool) {
		d := Parse(text, Options{MDX: mdx, Ranges: true})
		for _, p := range d.Ranges {
			if end := Pos(len(d.source)); p.From < 0 || p.To < p.From || p.To > end || p.Start < 0 || p.End < p.Start || p.End > end {
				t.Fatalf("ranges of %q: %+v", text, p)
			}
		}
	})
}
