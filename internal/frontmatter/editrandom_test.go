package frontmatter

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/octavo-docs/octavo"
)

// blocks are keys as people write them, with the lines that belong to each.
func blocks(format Format) []string {
	switch format {
	case YAML:
		return []string{
			"title: Getting started\n", "\"nav title\": 'It''s #1'   # in the menu\n", "# the order\nweight: 10\n",
			"tags: [a, 'b, c', \"d # e\"] # few\n", "categories:\n- one\n# two\n- three # 3\n", "aliases:\n    - /old/\n    # - /older/\n",
			"date: 2024-01-02T10:00:00Z\n", "description: >-\n  long\n  # text\n\n  more\n", "notes: |\n\n   one\n  # two\n",
			"template:\n", "status: null # none\n", "authors:\n  - name: Ann\n    links: {web: https://example.com}\n  -\n    name: Bob\n",
			"hide:\n  - navigation # left\n\n  - toc\n\n", "quote: \"one\n  two\"\n", "plain: one\n  two\n", "größe: ≥ 10 # groß\n", "flow: {a: [1,\n  2], b: x}\n",
			"cssclasses: []\n", "? complex\n: key\n", "slug : /a:b\n\n# apart\n\n",
		}
	case TOML:
		return []string{
			"title = \"A # b\" # c\n", "# the order\nweight=10\n", "tags = ['a', \"b]\"]\n", "list = [\n  1, # one\n  2\n]\n", "date = 2024-01-02\n",
			"text = '''\n[no table]\n# no comment'''\n", "a.b = 1\na.\"c.d\" = 2\n", "'quoted key' = { x = { y = [1] } }\n",
		}
	}
	return []string{`"title":"A"`, `"tags" : [ "a", "b" ]`, "\"menu\": {\r\n  \"a\": null }", `"n": 1.50`, `"\u0061": {}`}
}

// tables stand after the keys of TOML.
func tables() []string {
	return []string{
		"# what the theme takes\n[params]\nx = 1\n\n# y\n[params.sub]\n  z = \"[[\"\n", "[[resources]]\nsrc = \"a\"\n[[resources]]\n[resources.params]\n",
		"  [menu.main]\n  weight = 1\n\n\n", "[ \"a b\" . c ] # d\n",
	}
}

// TestApplyChangesTheseKeysAlone makes random edits: the result means what they ask
// for, and the lines of all other keys are as they were and in their order.
func TestApplyChangesTheseKeysAlone(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		format := rapid.SampledFrom([]Format{YAML, TOML, JSON}).Draw(t, "format")
		fence := map[Format]string{YAML: "---\n", TOML: "+++\n", JSON: ";;;\n"}[format]
		between, open, end := "", "", ""
		if format == JSON {
			between = rapid.SampledFrom([]string{",", ", ", ",\n  ", " ,\n"}).Draw(t, "between")
			open, end = "{"+strings.TrimLeft(between, " ,"), "\n}\n"
		}
		id := func(s string) string { return s }
		parts := rapid.SliceOfNDistinct(rapid.SampledFrom(blocks(format)), 0, 6, id).Draw(t, "blocks")
		if format == TOML {
			parts = append(parts, rapid.SliceOfNDistinct(rapid.SampledFrom(tables()), 0, 3, id).Draw(t, "tables")...)
		}
		raw := fence + open + strings.Join(parts, between) + end + fence
		if rapid.Bool().Draw(t, "CRLF") {
			raw = strings.ReplaceAll(raw, "\n", "\r\n")
			for i := range parts {
				parts[i] = strings.ReplaceAll(parts[i], "\n", "\r\n")
			}
		}
		var edits []Edit
		want := members(t, []byte(raw), format)
		for _, part := range parts {
			for key := range members(t, []byte(fence+open+part+end+fence), format) {
				if rapid.Bool().Draw(t, "edit") {
					edits = append(edits, drawEdit(t, key, format))
				}
			}
		}
		for range rapid.IntRange(0, 2).Draw(t, "new keys") {
			edits = append(edits, drawEdit(t, rapid.SampledFrom([]string{"new", "k: #", "\n", "ü"}).Draw(t, "key"), format))
		}
		have, err := Apply([]byte(raw), format, edits)
		if err != nil {
			mayRefuse := errors.Is(err, ErrWhole) && strings.Contains(raw, "? complex")
			if !mayRefuse {
				t.Fatalf("%s\n%v", raw, err)
			}
			return
		}
		for _, e := range edits {
			if delete(want, e.Key); e.Value != nil {
				v, _ := octavo.ValueOf(e.Value)
				want[e.Key] = canonical(v)
			}
		}
		got := members(t, have, format)
		for key := range want {
			if got[key] != want[key] {
				t.Fatalf("%s\n%s\nkey %q: have %s, want %s", raw, have, key, got[key], want[key])
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s\n%s\nhave %v, want %v", raw, have, got, want)
		}
		rest := string(have)
		for _, part := range parts {
			edited := slices.ContainsFunc(edits, func(e Edit) bool {
				_, found := members(t, []byte(fence+open+part+end+fence), format)[e.Key]
				return found
			})
			if _, after, found := strings.Cut(rest, part); found {
				rest = after
			} else if !edited {
				t.Fatalf("%s\n%s\nthe lines %q are gone or moved", raw, have, part)
			}
		}
		if strings.Contains(raw, "\r\n") && format != JSON && bytes.Count(have, []byte("\n")) != bytes.Count(have, []byte("\r\n")) {
			t.Fatalf("%q: a line does not end in CRLF", have)
		}
	})
}

// members returns the canonical values of front matter, which nothing may follow.
func members(t interface{ Fatalf(string, ...any) }, raw []byte, format Format) map[string]string {
	v, err := parseAll(raw, format)
	if err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	values := make(map[string]string, len(v.Members))
	for _, m := range v.Members {
		values[m.Name] = canonical(m.Value)
	}
	return values
}

func drawEdit(t *rapid.T, key string, format Format) Edit {
	if rapid.IntRange(0, 2).Draw(t, "removed") == 0 {
		return Edit{Key: key}
	}
	return Edit{Key: key, Value: values(2, format == TOML).Draw(t, "value").AppendJSON(nil)}
}

// FuzzApply edits whatever is front matter: the result means what was asked for and
// is divided from its content where it was.
func FuzzApply(f *testing.F) {
	for _, raw := range []string{docusaurus, jekyll, hugo, mkdocs, obsidian, bare, "---\na: &x [1]\nb: *x\n---\n", "---\r\n{}\r\n---\r\n"} {
		f.Add([]byte(raw), "title", `"a: b\n"`)
		f.Add([]byte(raw), "tags", `["a",{"b":null}]`)
		f.Add([]byte(raw), "params", "")
	}
	f.Fuzz(func(t *testing.T, file []byte, key, value string) {
		raw, body, format, err := Split(file)
		if err != nil || format == None || !utf8.ValidString(key) {
			return
		}
		edit := Edit{Key: key}
		if v, err := octavo.ValueOf([]byte(value)); err == nil {
			edit.Value = v.AppendJSON(nil)
		}
		have, err := Apply(raw, format, []Edit{edit})
		if errors.Is(err, ErrWhole) {
			return
		}
		if err != nil {
			t.Fatalf("Apply(%q, %q): %v", raw, key, err)
		}
		again, rest, _, err := Split(slices.Concat(have, body))
		if err != nil || !bytes.Equal(again, have) && bytes.HasSuffix(raw, []byte("\n")) || !bytes.Equal(slices.Concat(again, rest), slices.Concat(have, body)) {
			t.Fatalf("%q became %q: divided as %q, %v", raw, have, again, err)
		}
		want := members(t, raw, format)
		if delete(want, key); edit.Value != nil {
			v, _ := octavo.ValueOf(edit.Value)
			want[key] = canonical(v)
		}
		got := members(t, have, format)
		for key := range want {
			if got[key] != want[key] || len(got) != len(want) {
				t.Fatalf("%q became %q, key %q", raw, have, key)
			}
		}
		if undone, err := Apply(raw, format, nil); err != nil || !bytes.Equal(undone, raw) {
			t.Fatalf("no edits: have %q, %v", undone, err)
		}
	})
}
