package frontmatter

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
)

// blocks are keys as people write them, with the lines that belong to each.
func blocks(format Format) []string {
	if format == TOML {
		return []string{
			"title = \"A # b\" # c\n", "# the order\nweight=10\n", "tags = ['a', \"b]\"]\n", "list = [\n  1, # one\n  2\n]\n", "date = 2024-01-02\n",
			"text = '''\n[no table]\n# no comment\n'''\n", "a.b = 1\na.\"c.d\" = 2\n", "'quoted key' = { x = { y = [1] } }\n",
		}
	}
	return []string{
		"title: Getting started\n", "\"nav title\": 'It''s #1'   # in the menu\n", "# the order\nweight: 10\n",
		"tags: [a, 'b, c', \"d # e\"] # few\n", "categories:\n- one\n# two\n- three # 3\n", "aliases:\n    - /old/\n    # - /older/\n",
		"date: 2024-01-02T10:00:00Z\n", "description: >-\n  long\n  # text\n\n  more\n", "notes: |\n\n   one\n  # two\n",
		"template:\n", "status: null # none\n", "authors:\n  - name: Ann\n    links: {web: https://example.com}\n  -\n    name: Bob\n",
		"hide:\n  - navigation # left\n\n  - toc\n\n", "quote: \"one\n  two\"\n", "plain: one\n  two\n", "größe: ≥ 10 # groß\n", "flow: {a: [1,\n  2], b: x}\n",
		"cssclasses: []\n", "slug : /a:b\n\n# apart\n\n",
	}
}

// tables stand after the keys of TOML.
func tables() []string {
	return []string{
		"# what the theme takes\n[params]\nx = 1\n\n# y\n[params.sub]\n  z = \"[[\"\n", "[[resources]]\nsrc = \"a\"\n[[resources]]\n[resources.params]\n",
		"  [menu.main]\n  weight = 1\n\n\n", "[ \"a b\" . c ] # d\n",
	}
}

// TestRewriteChangesTheseKeysAlone makes random edits: the lines of all other keys are
// as they were and in their order.
func TestRewriteChangesTheseKeysAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]Format{YAML, TOML}).Draw(t, "format")
		fence := map[Format]string{YAML: "---\n", TOML: "+++\n"}[format]
		id := func(s string) string { return s }
		parts := rapid.SliceOfNDistinct(rapid.SampledFrom(blocks(format)), 0, 6, id).Draw(t, "blocks")
		if format == TOML {
			parts = append(parts, rapid.SliceOfNDistinct(rapid.SampledFrom(tables()), 0, 3, id).Draw(t, "tables")...)
		}
		if rapid.Bool().Draw(t, "CRLF") {
			fence = strings.ReplaceAll(fence, "\n", "\r\n")
			for i := range parts {
				parts[i] = strings.ReplaceAll(parts[i], "\n", "\r\n")
			}
		}
		raw := fence + strings.Join(parts, "") + fence
		want, ok := readAll([]byte(raw), format)
		if !ok {
			t.Fatalf("%s cannot be read", raw)
		}
		edited := map[string]bool{}
		for i := len(want.Members) - 1; i >= 0; i-- {
			switch m := &want.Members[i]; rapid.IntRange(0, 3).Draw(t, "edit") {
			case 0:
				edited[m.Name] = true
				want.Members = slices.Delete(want.Members, i, i+1)
			case 1:
				edited[m.Name], m.Value = true, values(2, format == TOML).Draw(t, "value")
			}
		}
		if rapid.Bool().Draw(t, "new") {
			want.Members = append(want.Members, octavo.Member{Name: "k: #", Value: values(2, format == TOML).Draw(t, "value")})
		}
		have, ok := Rewrite([]byte(raw), format, want.AppendJSON(nil))
		if !ok {
			t.Fatalf("%s\n%s cannot be had", raw, want.AppendJSON(nil))
		}
		rest := string(have)
		for _, part := range parts {
			v, _ := readAll([]byte(fence+part+fence), format)
			if _, after, found := strings.Cut(rest, part); found {
				rest = after
			} else if !edited[v.Members[0].Name] {
				t.Fatalf("%s\n%s\nthe lines %q are gone or moved", raw, have, part)
			}
		}
		if strings.HasSuffix(fence, "\r\n") && bytes.Count(have, []byte("\n")) != bytes.Count(have, []byte("\r\n")) {
			t.Fatalf("%q: a line does not end in CRLF", have)
		}
	})
}

// FuzzRewrite edits whatever is front matter: the result means what was asked for and
// is divided from its content where it was.
func FuzzRewrite(f *testing.F) {
	for _, raw := range []string{docusaurus, jekyll, hugo, mkdocs, obsidian, bare, "---\na: &x [1]\nb: *x\n---\n", "---\r\n{}\r\n---\r\n"} {
		f.Add([]byte(raw), "title", `"a: b\n"`)
		f.Add([]byte(raw), "tags", `["a",{"b":null}]`)
		f.Add([]byte(raw), "params", "")
	}
	f.Fuzz(func(t *testing.T, file []byte, key, value string) {
		raw, body, format, err := Split(file)
		if err != nil || format == None {
			return
		}
		present, ok := readAll(raw, format)
		if !ok {
			return
		}
		want := octavo.Object(without(present.Members, key)...)
		if v, err := octavo.ValueOf([]byte(value)); err == nil {
			want.Members = append(want.Members, octavo.Member{Name: key, Value: v})
		}
		have, ok := Rewrite(raw, format, want.AppendJSON(nil))
		if !ok {
			return
		}
		again, rest, _, err := Split(slices.Concat(have, body))
		if err != nil || !bytes.Equal(again, have) && bytes.HasSuffix(raw, []byte("\n")) || !bytes.Equal(slices.Concat(again, rest), slices.Concat(have, body)) {
			t.Fatalf("%q became %q: divided as %q, %v", raw, have, again, err)
		}
		if got, ok := readAll(have, format); !ok || canonical(got) != canonical(want) {
			t.Fatalf("%q became %q", raw, have)
		}
	})
}
