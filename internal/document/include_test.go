package document

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"
)

func TestInclude(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"./_a.mdx": "## Part\n\nHi {props.who}{who}[^n] ![](p.png)\n\n[^n]: note", "b.md": "{b} <Part x=\"y\"/>", "c.mdx": "import A from './_a.mdx'\n\n<A />",
		"big.md": strings.Repeat("x", MaxIncluded), "huge.md": strings.Repeat("x", MaxIncluded+1), "note.md": "short", "./a.js": "let a\n",
	}
	include := func(file string) (string, bool, bool) {
		text, found := files[file]
		return text, strings.HasSuffix(file, ".mdx"), found
	}
	for _, c := range []struct{ content, want, notices string }{
		{
			"import Part from './_a.mdx';\n\n## Part\n\n[^m]\n\n<Part who=\"you\" />\n\n## End\n\n[^m]: own",
			"h2#part(Part) p(ref1.1) h2#part-1(Part) p(Hi youyouref2.1 img<p.png>()) h2#end(End) note1×1(p(own)) note2×1(p(note))", "",
		},
		{"import Note, {toc as parts} from \"b.md\"\n\n- a <Note></Note>", "ul(li(t(a) p({b} x: y)))", "3:5: unknown component shown as its content: b.md: <Part x=\"y\"/>"},
		{"import C from 'c.mdx'\n\na <C /> b", "p(a) p(b)", "3:3: included text left out: c.mdx: <A />"},
		{"import D from 'none.md'\nimport Big from 'big.md'\n\n<D/>\n\n<Big/>\n\n<Big/>", "p(" + files["big.md"] + ")", "4:1: included text left out: <D/>; 8:1: included text left out: <Big/>"},
		{"import N from 'note.md'\nimport Huge from 'huge.md'\n\n<Huge/>\n\n<N/>\n", "p(short)", "4:1: included text left out: <Huge/>"},
		{"import N from 'note.md'\nimport A from './_a.mdx'\n\n| <N/> | <A who=\"you\"/> |\n|---|---|\n| <N>x</N> | **<N/>** |\n", "table[0 0](short|Hi youyouref1.1 img<p.png>() / shortx|strong(short)) note1×1(p(note))", "4:10: included block left out of a line: <A who=\"you\"/>"},
		{
			"import one from './a.js?raw'\nimport Two from '!!raw-loader!./a.js'\nimport none from './b.js?raw'\n\n<Code code={one} lang=\"js\" title=\"a.js\" />\n\n<CodeBlock language=\"js\">{Two}</CodeBlock>",
			"code.js.a.js(\"let a\\n\") code.js(\"let a\\n\")", "3:1: included text left out: import none from './b.js?raw'",
		},
	} {
		d := Parse(c.content, Options{MDX: true, Include: include})
		var notices []string
		for _, n := range d.Notices {
			if n.Kind.Warning() {
				notices = append(notices, n.String())
			}
		}
		if have := dump(d); have != c.want || strings.Join(notices, "; ") != c.notices {
			t.Errorf("%s\nhave %.300s\nwant %.300s\nhave %q\nwant %q", c.content, have, c.want, notices, c.notices)
		}
	}
	d := Parse("import A from './_a.mdx'\nimport B from '../b.js'\nimport C from 'c.md'\n\n<A/> <B/>\n\n<A/>\n\n# x", Options{MDX: true})
	if !slices.Equal(d.Included, []string{"./_a.mdx"}) || dump(d) != "h1#x(x)" {
		t.Errorf("have %q, %s", d.Included, dump(d))
	}
	d = Parse("import A from './_a.mdx'\n\n# First\n\n<A/>\n\n# Last", Options{MDX: true, Include: include})
	var order []string
	for _, h := range d.headings {
		order = append(order, h.Text)
	}
	if !slices.Equal(order, []string{"First", "Part", "Last"}) {
		t.Errorf("have %q", order)
	}
}

// TestIncludedFilesAreFew holds that a page reads and names few files, found or not.
func TestIncludedFilesAreFew(t *testing.T) {
	t.Parallel()
	const files = 3 * maxFiles
	var list strings.Builder
	for i := range files {
		fmt.Fprintf(&list, "a%d.md\n", i)
	}
	for _, text := range []string{"--8<--\n" + list.String() + "--8<--\n", strings.Repeat("--8<-- \"a.md\"\n\n", files)} {
		for _, found := range []bool{true, false} {
			read := 0
			d := Parse(text, Options{Dialect: "mkdocs", Include: func(string) (string, bool, bool) { read++; return "x", false, found }})
			if read != maxFiles || len(d.Included) > maxFiles || len(d.Notices) == 0 {
				t.Errorf("%.20q, found %v: have %d files read, %d named and %d notices, want %d at most, and a notice", text, found, read, len(d.Included), len(d.Notices), maxFiles)
			}
		}
	}
}

// TestSearchOfLargeFiles: what is looked for in files is limited per page, however little
// of them is shown.
func TestSearchOfLargeFiles(t *testing.T) {
	t.Parallel()
	large, small := strings.Repeat("\n", 1<<20), strings.Repeat("x\n", 16<<10)
	parts, more := "large.txt:9:9"+strings.Repeat(";9:9", 1000), strings.Repeat("--8<-- \"large.txt:9:9\"\n\n", 1000)
	filled, value := strings.Repeat("{{include.b}}", 1000), strings.Repeat("y", 900)
	for _, c := range []struct {
		name, dialect, content string
		calls                  int // at most
		notices                bool
	}{
		{"a section that is missing", "mkdocs", strings.Repeat("--8<-- \"large.txt:none\"\n\n", 1000), 17, true},
		{"a region that is missing", "vitepress", strings.Repeat("<<< ./large.txt#none\n\n", 1000), 17, true},
		{"many parts", "mkdocs", "--8<-- \"" + parts + "\"\n\n" + more, 1, true},
		{"many parts in code", "mkdocs", "```\n--8<-- \"" + parts + "\"\n```\n\n" + more, 1, true},
		{"many parts in a list", "mkdocs", "--8<--\n" + parts + "\n--8<--\n\n" + more, 1, true},
		{"values that are passed", "jekyll", strings.Repeat("{% include filled.html b=\""+value+"\" %}\n\n", 1000), 20, true},
		{"values that are passed to what is not shown", "jekyll", strings.Repeat("{% include other.html b=\""+value+"\" %}\n\n", 1000), 20, true},
		{"parts of a small file", "mkdocs", strings.Repeat("--8<-- \"small.txt:9:9;10:10\"\n\n", 200), 200, false},
	} {
		calls := 0
		d := Parse(c.content, Options{Dialect: c.dialect, Include: func(file string) (string, bool, bool) {
			calls++
			return map[string]string{"large.txt": large, "small.txt": small, "_includes/filled.html": filled, "_includes/other.html": filled + "{% if %}"}[path.Clean(strings.TrimPrefix(file, "wiki:"))], false, true
		}})
		if calls > c.calls || calls == 0 || (len(d.Notices) > 0) != c.notices {
			t.Errorf("%s: have %d calls, %d notices, want at most %d, and notices %t", c.name, calls, len(d.Notices), c.calls, c.notices)
		}
	}
}
