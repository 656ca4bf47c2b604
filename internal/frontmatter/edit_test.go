package frontmatter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// editsOf reads an object of the values that keys get; "-key" removes one.
func editsOf(t interface{ Fatal(args ...any) }, text string) []Edit {
	v, err := objectOf(json.RawMessage(text))
	if err != nil {
		t.Fatal(err)
	}
	var edits []Edit
	for _, m := range v.Members {
		if key, removed := strings.CutPrefix(m.Name, "-"); removed {
			edits = append(edits, Edit{Key: key})
		} else {
			edits = append(edits, Edit{Key: m.Name, Value: m.Value.AppendJSON(nil)})
		}
	}
	return edits
}

const docusaurus = `---
id: intro
title: "Introduction: what is it?"   # shown in the tab
sidebar_label: Introduction

# The order in the sidebar.
sidebar_position: 1
description: >-
  A long description
  # that is no comment

keywords: [docs, "getting started", 'it''s']
tags:
  - guide   # reviewed
  # - draft
  - {label: Big, permalink: /big}
  # more to come
# Kept for old links.
slug: /intro
hide_table_of_contents: false
custom_edit_url: null
---
`

const jekyll = `---
layout: post
title: 'It''s here'
date: 2024-03-01 10:00:00 +0100
categories:
- news
- releases
# who wrote it
author:
    name: Jane
    links:
    - https://example.com
excerpt: |
    One.

    # Two.

published: true
...
`

const hugo = `+++
# Written by hugo new
title = 'My first post' # with a comment
date = 2024-01-02T03:04:05-08:00
draft = true
tags = [
  "a", # one
  "b]",
]
"quoted key" = """
# not a comment
[not a table]
"""
author.name = "Jane"
author.mail = "jane@example.com"

# What the theme takes.
[params]
  color = "red" # the colour
  [params.menu]
    weight = 10

[[resources]]
src = "a.png"

[[resources]]
src = "b.png"
[resources.params]
icon = 'x'

# The last one.
[cascade]
type = "docs"
# end
+++
`

const mkdocs = `---
template: home.html
title: Setup
hide:
  - navigation
  - toc

status: new
search:
  boost: 2 # above others
  # exclude: true
authors: [squidfunk]
date:
  created: 2023-12-31
---
`

const obsidian = `---
aliases: [Note, "Other: note"]
tags:
- inbox
- project/alpha
cssclasses:
created: 2024-05-06
up: "[[Index]]"
---`

const bare = `{
  "title": "Hugo",
  "tags": ["a", "b"],
  "menu": {
    "main": {"weight": 10}
  },
  "draft": false
}
`

func TestApply(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		format    Format
		edits     string
		old, want string // what is replaced by what
	}{
		{"a quoted string", docusaurus, YAML, `{"title":"Start"}`, `title: "Introduction: what is it?"   #`, `title: "Start"   #`},
		{"a plain string", docusaurus, YAML, `{"sidebar_label":"a: b"}`, "sidebar_label: Introduction\n", "sidebar_label: \"a: b\"\n"},
		{"a number", docusaurus, YAML, `{"sidebar_position":1.50}`, "position: 1\n", "position: 1.50\n"},
		{"a list in brackets", docusaurus, YAML, `{"keywords":["docs","a, b","c"]}`, `[docs, "getting started", 'it''s']`, `[docs, "a, b", c]`},
		{"brackets to text", docusaurus, YAML, `{"keywords":"docs"}`, `[docs, "getting started", 'it''s']`, `docs`},
		{"text to a list", docusaurus, YAML, `{"title":["a"]}`, `title: "Introduction: what is it?"   # shown in the tab` + "\n", "title:   # shown in the tab\n  - a\n"},
		{"a list", docusaurus, YAML, `{"tags":["x",{"label":"Big","n":[1]}]}`, "  - guide   # reviewed\n  # - draft\n  - {label: Big, permalink: /big}\n", "  - x\n  - label: Big\n    n:\n      - 1\n"},
		{"a list goes", docusaurus, YAML, `{"-tags":0}`, "tags:\n  - guide   # reviewed\n  # - draft\n  - {label: Big, permalink: /big}\n  # more to come\n", ""},
		{"a folded text", docusaurus, YAML, `{"description":"short"}`, "description: >-\n  A long description\n  # that is no comment\n", "description: short\n"},
		{"lines of text", docusaurus, YAML, `{"title":"a\nb"}`, `title: "Introduction: what is it?"   # shown in the tab` + "\n", "title: |-   # shown in the tab\n  a\n  b\n"},
		{"null", docusaurus, YAML, `{"custom_edit_url":"x"}`, "url: null\n", "url: x\n"},
		{"a new key", docusaurus, YAML, `{"image":{"src":"a.png","alt":""}}`, "url: null\n", "url: null\nimage:\n  src: a.png\n  alt: \"\"\n"},
		{"nothing", docusaurus, YAML, `{"-x":0,"sidebar_position":1,"keywords":["docs","getting started","it's"]}`, "---\n", "---\n"},

		{"single quotes", jekyll, YAML, `{"title":"That's it"}`, `'It''s here'`, `'That''s it'`},
		{"a date", jekyll, YAML, `{"date":"2024-03-02 11:00:00 +0100"}`, `2024-03-01 10`, `2024-03-02 11`},
		{"a list flush with its key", jekyll, YAML, `{"categories":["news","a: b"]}`, `- releases`, `- "a: b"`},
		{"a mapping", jekyll, YAML, `{"author":{"name":"Joe","links":["a"]}}`, "    name: Jane\n    links:\n    - https://example.com\n", "  name: Joe\n  links:\n    - a\n"},
		{"a mapping goes", jekyll, YAML, `{"-author":0}`, "# who wrote it\nauthor:\n    name: Jane\n    links:\n    - https://example.com\n", ""},
		{"a block goes", jekyll, YAML, `{"-excerpt":0}`, "excerpt: |\n    One.\n\n    # Two.\n", ""},
		{"a block", jekyll, YAML, `{"excerpt":"One.\n\n  Three."}`, "excerpt: |\n    One.\n\n    # Two.\n", "excerpt: |-\n  One.\n\n    Three.\n"},
		{"a new list", jekyll, YAML, `{"tags":["a"]}`, "published: true\n", "published: true\ntags:\n- a\n"},

		{"a TOML string", hugo, TOML, `{"title":"It's \"this\"\n"}`, `'My first post' #`, `"It's \"this\"\n" #`},
		{"a TOML date", hugo, TOML, `{"date":"2024-02-01"}`, `2024-01-02T03:04:05-08:00`, `2024-02-01`},
		{"a TOML date to text", hugo, TOML, `{"date":"2024-13-01"}`, `2024-01-02T03:04:05-08:00`, `"2024-13-01"`},
		{"a TOML list", hugo, TOML, `{"tags":["x",1,{"a b":true}]}`, "[\n  \"a\", # one\n  \"b]\",\n]", `["x", 1, { "a b" = true }]`},
		{"a TOML text goes", hugo, TOML, `{"-quoted key":0}`, "\"quoted key\" = \"\"\"\n# not a comment\n[not a table]\n\"\"\"\n", ""},
		{"a TOML key comes", hugo, TOML, `{"weight":3}`, "jane@example.com\"\n", "jane@example.com\"\nweight = 3\n"},
		{"a TOML table comes", hugo, TOML, `{"build":{"list":"never","x":{}}}`, "# end\n", "# end\n\n[build]\nlist = \"never\"\nx = {}\n"},
		{"dotted keys go", hugo, TOML, `{"-author":0}`, "author.name = \"Jane\"\nauthor.mail = \"jane@example.com\"\n", ""},
		{"dotted keys to text", hugo, TOML, `{"author":"Jane"}`, "author.name = \"Jane\"\nauthor.mail = \"jane@example.com\"\n", "author = \"Jane\"\n"},
		{"a table goes", hugo, TOML, `{"-params":0}`, "# What the theme takes.\n[params]\n  color = \"red\" # the colour\n  [params.menu]\n    weight = 10\n", ""},
		{"a table", hugo, TOML, `{"params":{"color":"blue"}}`, "[params]\n  color = \"red\" # the colour\n  [params.menu]\n    weight = 10\n", "[params]\ncolor = \"blue\"\n"},
		{"an array of tables goes", hugo, TOML, `{"-resources":0}`, "[[resources]]\nsrc = \"a.png\"\n\n[[resources]]\nsrc = \"b.png\"\n[resources.params]\nicon = 'x'\n", "\n"},
		{"an array of tables", hugo, TOML, `{"resources":[{"src":"c"},{"src":"d"}]}`, "[[resources]]\nsrc = \"a.png\"\n\n[[resources]]\nsrc = \"b.png\"\n[resources.params]\nicon = 'x'\n", "[[resources]]\nsrc = \"c\"\n[[resources]]\nsrc = \"d\"\n\n"},

		{"a list before a blank line goes", mkdocs, YAML, `{"-hide":0}`, "hide:\n  - navigation\n  - toc\n", ""},
		{"a comment below stays", mkdocs, YAML, `{"search":{"boost":0.5}}`, "  boost: 2 # above others\n", "  boost: 0.5\n"},
		{"one more in brackets", mkdocs, YAML, `{"authors":["squidfunk","facelessuser"]}`, "[squidfunk]", "[squidfunk, facelessuser]"},
		{"the last key", mkdocs, YAML, `{"date":"2024-01-01"}`, "\n  created: 2023-12-31", " \"2024-01-01\""},

		{"an empty value", obsidian, YAML, `{"cssclasses":["wide"]}`, "cssclasses:\n", "cssclasses:\n- wide\n"},
		{"a fence at the end", obsidian, YAML, `{"-up":0,"n":1}`, "up: \"[[Index]]\"\n", "n: 1\n"},
		{"a plain date", obsidian, YAML, `{"created":"2024-05-07"}`, "05-06", "05-07"},
		{"no date any more", obsidian, YAML, `{"created":"2024"}`, "2024-05-06", `"2024"`},

		{"a JSON list", bare, JSON, `{"tags":["c","d"]}`, `["a", "b"]`, `["c", "d"]`},
		{"the first JSON member goes", bare, JSON, `{"-title":0,"-tags":0}`, "\"title\": \"Hugo\",\n  \"tags\": [\"a\", \"b\"],\n  ", ""},
		{"the last JSON member goes", bare, JSON, `{"-draft":0}`, ",\n  \"draft\": false", ""},
		{"a JSON object", bare, JSON, `{"menu":{"main":null}}`, `{"weight": 10}`, "null"},
		{"all JSON members go", `{ "a": 1, "b": 2 }`, JSON, `{"-a":0,"-b":0}`, ` "a": 1, "b": 2 `, ""},
		{"JSON on one line", `{"a":1,"b":[1]}`, JSON, `{"a":{"x":1},"b":[1,2],"c":[]}`, `1,"b":[1]`, `{"x": 1},"b":[1, 2],"c": []`},
		{"nothing in JSON", ";;;\n{}\n;;;\n", JSON, `{"a":[],"b":1}`, "{}", "{\n  \"a\": [],\n  \"b\": 1\n}"},

		{"nothing between fences", "---\n---\n", YAML, `{"a":["b"]}`, "---\n---", "---\na:\n  - b\n---"},
		{"an empty mapping", "---\n# x\n{}\n---\n", YAML, `{"a":1}`, "{}", "a: 1"},
		{"all keys go", "---\na: 1\n\nb: 2\n---\n", YAML, `{"-a":0,"-b":0}`, "a: 1\n\nb: 2", "\n{}"},
		{"no TOML", "+++\n+++\n", TOML, `{"a":{"b":1},"c":"\u007f"}`, "+++\n+++", "+++\nc = \"\\u007F\"\n\n[a]\nb = 1\n+++"},
		{"all TOML keys go", "+++\na = 1\n+++\n", TOML, `{"-a":0}`, "a = 1\n", ""},
		{"a key before the first table", "+++\n# x\n[t]\n+++\n", TOML, `{"a":1}`, "# x", "a = 1\n\n# x"},
		{"indented keys", "---\n  a: 1\n  b: [1]\n---\n", YAML, `{"b":{"x":{"y":1}},"c":"1\n2\n"}`, " [1]\n", "\n    x:\n      y: 1\n  c: |\n    1\n    2\n"},
		{"keys in quotes", "---\n\"a: b\" : 1 # x\n'c':\n  - d # y\n---\n", YAML, `{"a: b":"x","c":2}`, " : 1 # x\n'c':\n  - d # y\n", " : x # x\n'c': 2\n"},
		{"an anchor that nobody needs", "---\na: &x 1\nb: *x # y\n---\n", YAML, `{"b":2}`, "*x", "2"},
		{"both ends of an alias", "---\na: &x 1\nb: *x\n---\n", YAML, `{"a":3,"b":2}`, "&x 1\nb: *x", "3\nb: 2"},
		{"a complex key goes", "---\n? a\n: b\nc: d\n---\n", YAML, `{"-a":0}`, "? a\n: b\n", ""},
		{"line ends and a mark", "\uFEFF---\r\na: 1 # x\r\nb:\r\n  - c\r\n---\r\n", YAML, `{"a":["x"],"b":"1\n2\n","c":{"d":1}}`, " 1 # x\r\nb:\r\n  - c\r\n", " # x\r\n  - x\r\nb: |\r\n  1\r\n  2\r\nc:\r\n  d: 1\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			have, err := Apply([]byte(c.raw), c.format, editsOf(t, c.edits))
			want := strings.Replace(c.raw, c.old, c.want, 1)
			if err != nil || string(have) != want || !strings.Contains(c.raw, c.old) {
				t.Errorf("have\n%s%v\nwant\n%s", have, err, want)
			}
		})
	}
}

// TestApplyInSeveralPlaces makes changes that are not next to each other.
func TestApplyInSeveralPlaces(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw    string
		format Format
		edits  string
		change *strings.Replacer
	}{
		{docusaurus, YAML, `{"-slug":0,"-sidebar_position":0}`, strings.NewReplacer(
			"# The order in the sidebar.\nsidebar_position: 1\n", "", "# Kept for old links.\nslug: /intro\n", "")},
		{hugo, TOML, `{"build":{"x":1},"weight":3,"-params":0}`, strings.NewReplacer(
			"jane@example.com\"\n", "jane@example.com\"\nweight = 3\n", "# end\n", "# end\n\n[build]\nx = 1\n",
			"# What the theme takes.\n[params]\n  color = \"red\" # the colour\n  [params.menu]\n    weight = 10\n", "")},
		{hugo, TOML, `{"cascade":true}`, strings.NewReplacer(
			"jane@example.com\"\n", "jane@example.com\"\ncascade = true\n", "# The last one.\n[cascade]\ntype = \"docs\"\n", "")},
		{bare, JSON, `{"title":"é\n","-menu":0,"weight":{"a":[1]}}`, strings.NewReplacer(
			`"Hugo"`, `"é\n"`, ",\n  \"menu\": {\n    \"main\": {\"weight\": 10}\n  }", "",
			"false\n", "false,\n  \"weight\": {\n    \"a\": [\n      1\n    ]\n  }\n")},
	} {
		have, err := Apply([]byte(c.raw), c.format, editsOf(t, c.edits))
		if want := c.change.Replace(c.raw); err != nil || string(have) != want {
			t.Errorf("%s: have\n%s%v\nwant\n%s", c.edits, have, err, want)
		}
	}
}

func TestApplyRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		format    Format
		edits     string
	}{
		{"an anchor that is needed goes", "---\na: &x 1\nb: *x\n---\n", YAML, `{"-a":0}`},
		{"an anchor that is needed is replaced", "---\na: &x [1]\nb: *x\n---\n", YAML, `{"a":2}`},
		{"braces", "---\n{a: 1}\n---\n", YAML, `{"b":2}`},
		{"JSON in YAML's fences", "---\n{\n  \"a\": 1\n}\n---\n", YAML, `{"a":2}`},
		{"a complex key", "---\n? a\n: b\n---\n", YAML, `{"a":2}`},
		{"no mapping", "---\n- a\n---\n", YAML, `{"a":2}`},
		{"not readable", "---\na: [\n---\n", YAML, `{"a":2}`},
		{"no front matter", "text\n", YAML, `{"a":2}`},
		{"nothing", "", None, `{"a":2}`},
		{"another format", "---\na: 1\n---\n", TOML, `{"a":2}`},
		{"content follows", "---\na: 1\n---\ntext", YAML, `{"a":2}`},
		{"null in TOML", "+++\na = 1\n+++\n", TOML, `{"a":null}`},
		{"null within TOML", "+++\na = 1\n+++\n", TOML, `{"b":{"c":[null]}}`},
		{"digits that TOML does not keep", "+++\na = 1\n+++\n", TOML, `{"a":1.50}`},
		{"an integer too large for TOML", "+++\na = 1\n+++\n", TOML, `{"a":9223372036854775808}`},
		{"blank lines that belong to a text", "---\na: |+\n  x\nb: 1\n\nc: 1\n---\n", YAML, `{"-b":0}`},
		{"too deep", "---\na: 1\n---\n", YAML, `{"a":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`},
	} {
		have, err := Apply([]byte(c.raw), c.format, editsOf(t, c.edits))
		if !errors.Is(err, ErrWhole) || have != nil {
			t.Errorf("%s: have %q, %v, want ErrWhole", c.name, have, err)
		}
	}
	if _, err := Apply([]byte(bare), JSON, []Edit{{Key: "a", Value: json.RawMessage("{")}}); err == nil || errors.Is(err, ErrWhole) {
		t.Errorf("a value that is no JSON: have %v, want an error of its own", err)
	}
}
