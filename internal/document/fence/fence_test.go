package fence

import (
	"fmt"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		info, language, title string
		first                 int // 0 without numbers
		marks                 string
	}{
		{"rust,ignore", "rust", "", 0, "[]"},
		{"rust,no_run,edition2021,should_panic", "rust", "", 0, "[]"},
		{"Rust, ignore", "rust", "", 0, "[]"},
		{"sh no-run", "sh", "", 0, "[]"},
		{"sh no-run title=\"Set up\"", "sh", "Set up", 0, "[]"},
		{"sh Set up", "sh", "Set up", 0, "[]"},
		{"js Copy", "js", "Copy", 0, "[]"},
		{"rust,linenos,linenostart=7,hl_lines=3-4 8-9,name=mod.rs", "rust", "", 7, "[{3 4 1}]"},
		{"go {linenos=table,hl_lines=[2,\"4-5\"],linenostart=20}", "go", "", 20, "[{2 2 1} {4 5 1}]"},
		{"ts:line-numbers {1}", "ts", "", 1, "[{1 1 1}]"},
		{"ts:line-numbers=5", "ts", "", 5, "[]"},
		{"js {1} showLineNumbers{3}", "js", "", 3, "[{1 1 1}]"},
		{"sh npm2yarn", "sh", "", 0, "[]"},
		{"ts:no-line-numbers [a.ts]", "ts", "a.ts", 0, "[]"},
		{"ts :line-numbers=2 {3}", "ts", "", 2, "[{3 3 1}]"},
		{"js:src/a.js", "js", "src/a.js", 0, "[]"},
		{"sh[npm]", "sh", "npm", 0, "[]"},
		{"vue twoslash [a/[id\\\\].vue]", "vue", "a/[id].vue", 0, "[]"},
		{"ts twoslash Twoslash a", "ts", "Twoslash a", 0, "[]"},
		{"html-vue", "html", "", 0, "[]"},
		{"vue", "vue", "", 0, "[]"},
		{"{.python .numberLines startFrom=\"9\" #own}", "python", "", 9, "[]"},
		{"python { .copy .select hl_lines=\"1 3\" title=\"a b\" }", "python", "a b", 0, "[{1 1 1} {3 3 1}]"},
		{"sh .env", "sh", ".env", 0, "[]"},
		{"{r, echo=FALSE}", "r", "", 0, "[]"},
		{"js 2,4-5", "js", "", 0, "[{2 2 1} {4 5 1}]"},
		{"python=", "python", "", 1, "[]"},
		{"python=12 {2}", "python", "", 12, "[{2 2 1}]"},
		{"console?prompt=$ a.sh", "console", "a.sh", 0, "[]"},
		{"ts style:max-height:4px [a.ts]", "ts", "a.ts", 0, "[]"},
		{"title=\"a b\"", "", "a b", 0, "[]"},
		{"hl_lines=\"4-5 7\" title='a.b'", "", "a.b", 0, "[{4 5 1} {7 7 1}]"},
		{"{title=\"a b\"}", "", "a b", 0, "[]"},
		{"title={\"a b\"}", "", "a b", 0, "[]"},
		{"js | pure", "js", "", 0, "[]"},
		{"", "", "", 0, "[]"},
		{":,", "", "", 0, "[]"},
		{",a.b", "", "", 0, "[]"},
	} {
		i := Parse(c.info)
		if !i.Numbered {
			i.First = 0
		}
		if i.Language != c.language || i.Title != c.title || i.First != c.first || fmt.Sprint(i.Marks) != c.marks {
			t.Errorf("Parse(%q): have %q, %q, %d, %v; want %q, %q, %d, %s", c.info, i.Language, i.Title, i.First, i.Marks, c.language, c.title, c.first, c.marks)
		}
	}
}

func TestComments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ info, code, want string }{
		{"sh-vue", "cd {{'<a>'}} {{ \"b\" }} {{ c }}\n", "cd <a> b {{ c }}\n"},
		{"sh", "cd {{'<a>'}}\n", "cd {{'<a>'}}\n"},
		{"ts twoslash [a.ts]", "let a\n// @noErrors: 2339\n// ---cut-before---\nb()\n// ^?\n// ---cut-start---\nc\n// ---cut-end---\n// @since 2\n// ---cut-after---\nd\n", "b()\n// @since 2\n"},
		{"ts", "a\n// ---cut---\n", "a\n// ---cut---\n"},
	} {
		info := Parse(c.info)
		if have := info.Comments(c.code); have != c.want {
			t.Errorf("Comments(%q) of %q: have %q, want %q", c.code, c.info, have, c.want)
		}
	}
}

func TestManagers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, yarn, pnpm string }{
		{"# a\nnpm install --save-dev b c\n", "# a\nyarn add --dev b c\n", "# a\npnpm add --save-dev b c\n"},
		{"npm i\nnpx d -e\nnpm run f\n", "yarn install\nyarn dlx d -e\nyarn run f\n", "pnpm install\npnpm dlx d -e\npnpm run f\n"},
		{"npm uninstall g -D\n", "yarn remove g --dev\n", "pnpm remove g -D\n"},
		{"npm init h && cd h\n", "", ""},
		{"npm pack\n", "", ""},
		{"npm install -g i\n", "", ""},
		{"cd j\n", "", ""},
		{"npm\n", "", ""},
	} {
		if yarn, pnpm, ok := Managers(c.text); yarn != c.yarn && ok || pnpm != c.pnpm && ok || ok != (c.yarn != "") {
			t.Errorf("%q: have %q and %q, %t, want %q and %q", c.text, yarn, pnpm, ok, c.yarn, c.pnpm)
		}
	}
}
