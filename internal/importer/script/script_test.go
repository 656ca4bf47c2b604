package script

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// show writes a node in short: what is no literal is a question mark.
func show(n Node) string {
	var parts []string
	for _, item := range n.Items {
		parts = append(parts, show(item))
	}
	for _, m := range n.Members {
		parts = append(parts, m.Name+":"+show(m.Value))
	}
	all := strings.Join(parts, " ")
	switch n.Kind {
	case Null:
		return "null"
	case Text:
		return n.Text
	case List:
		return "[" + all + "]"
	case Object:
		return "{" + all + "}"
	case Call:
		return n.Text + "(" + all + ")"
	default:
		return "?"
	}
}

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, program, want string }{
		{"order is kept", "module.exports = {b: 1, 'a': ['x', `y`], 2: -3, c: true, d: null}", "{b:1 a:[x y] 2:-3 c:true d:null}"},
		{"escapes", `export default 'it\'s \u0041\x42\n'`, "it's AB\n"},
		{"a constant", "const a = ['x']\nconst b: Type[] = [...a, 'y'];\nexport default b", "[x y]"},
		{"a constant after its use", "export default {a, b: c.d['e']}\nconst a = 1\nconst c = {d: {e: 2}}", "{a:1 b:2}"},
		{"a member in another", "const a = {x: 1}\nmodule.exports = {...a, y: 2}", "{x:1 y:2}"},
		{"what is made of itself", "const a = [a]\nexport default a", "[?]"},
		{"wrappers", "export default withX(defineConfig({a: 1}), 2)", "{a:1}"},
		{"types of what is called", "const a = f<X>({y: 1})\nexport default {a, b: defineConfig<{z: T[]}, U<V>>({c: 2}), d: 1 < 2, e: x < y, f: 'z'}", "{a:f({y:1}) b:defineConfig({c:2}) d:? e:? f:z}"},
		{"types", "const c = {a: [] as string[], b: 'x' as const} satisfies C\nexport default c as C;", "{a:[] b:x}"},
		{"types of a call", "const d: C['d'] = [1]\nexport default defineConfig<A.B<{c: D[]}, 'e'>>({a: d, b: f<T>(2), c: d < 3})", "{a:[1] b:f(2) c:?}"},
		{"a function that only returns", "export default {a: f(), b: g(), c: h(1)}\nfunction f(): X[] {\n  return ['x']\n}\nconst g = () => ({y: 1})\nconst h = (n) => n", "{a:[x] b:{y:1} c:h(1)}"},
		{"methods", "export default {a() { return ['x'] }, async b(): Promise<X[]> { return [1] }, async, c: 2}", "{a:[x] b:[1] async:? c:2}"},
		{"a function of defineConfig", "export default defineConfig(({mode}) => ({a: 1}))", "{a:1}"},
		{"what is computed", "export default {a: 1 + 2, b: x ? 1 : 2, c: `${x}`, d: list.map((y) => [y, 'z']), e: 'after', f: new URL('x'), g(x) { return 1 }, h() { f(x); }}", "{a:? b:? c:? d:? e:after f:? g:? h:?}"},
		{"a spread that is computed", "export default ['a', ...make(), {...b()}]", "[a ? {...:?}]"},
		{"calls", "export default {integrations: [star({sidebar: ['a']})]}", "{integrations:[star({sidebar:[a]})]}"},
		{"markup", "export default {a: {title: <X>don't</X>}\n, b: 'x'}", "{a:{title:?} b:x}"},
		{"regular expressions", "export default {a: /[/'\"]{/g, b: 4 / 2, c: 'x'}", "{a:? b:? c:x}"},
		{"comments", "// 'a\n/* {\n*/ export default /* x */ [1, // ]\n 2]", "[1 2]"},
		{"other files", "import a, {b as c} from './other'\nconst d = require('./data.json')\nconst { b } = require('./other')\nexport default [a, c, d, b]", "[A B {x:1} B]"},
		{"files that are not there", "import a from './none'\nimport b from 'package'\nexport default [a, b]", "[? ?]"},
		{"parts that never end", "export default {a: ['x', {b: 'y'", "{a:[x {b:y}]}"},
		{"nothing", "const a = 1", "?"},
		{"what grows", "const a=['x','x','x','x','x','x','x','x','x','x']\nconst b=[...a,...a,...a,...a,...a,...a,...a,...a,...a,...a]\nconst c=[b,b,b,b,b,b,b,b,b,b]\nconst d=[c,c,c,c,c,c,c,c,c,c]\nconst e=[d,d,d,d,d,d,d,d,d,d]\nconst f=[e,e,e,e,e,e,e,e,e,e]\nexport default [f, f, 'end'][0]", "?"},
	} {
		fsys := fstest.MapFS{
			"x.ts": {Data: []byte(c.program)}, "other.ts": {Data: []byte("export const b = 'B'\nexport default 'A'")}, "data.json": {Data: []byte("{\"x\": 1,}")},
		}
		have, err := Read(fsys, "x.ts")
		if err != nil || show(have) != c.want {
			t.Errorf("%s: have %.200s, %v, want %s", c.name, show(have), err, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{"a.js": {Data: []byte("const x = require('./b')\n\nmodule.exports = [\n  'a',\n  x,\n  f()\n]")}, "b.json": {Data: []byte("\n\n\n\n\n\n'b'")}}
	n, err := Read(fsys, "a.js")
	have := ""
	for _, item := range n.Items {
		have += fmt.Sprint(item.File, " ", item.Line, ", ")
	}
	if want := "a.js 4, b.json 7, a.js 6, "; err != nil || have != want {
		t.Errorf("have %s, %v, want %s", have, err, want)
	}
}

// FuzzRead reads any program: it ends, with a bounded value.
func FuzzRead(f *testing.F) {
	f.Add("export default {a: [1, ...b], 'c': f(`x${y}`)}\nconst b = [/x/]\nfunction f() { return <a/> }")
	f.Add("const a=[...a,()=>({a})];module.exports=a")
	f.Fuzz(func(t *testing.T, program string) {
		n, err := Read(fstest.MapFS{"x.js": {Data: []byte(program)}}, "x.js")
		if err == nil && n.size(2*maxNodes) > maxNodes+1 {
			t.Errorf("have more than %d nodes", maxNodes)
		}
	})
}
