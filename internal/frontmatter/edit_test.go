package frontmatter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// wanted is what front matter means once some keys have other values; "-key" removes one.
func wanted(t interface{ Fatalf(string, ...any) }, raw string, format Format, edits string) octavo.Value {
	v, ok := readAll([]byte(raw), format)
	if !ok {
		t.Fatalf("%s cannot be read", raw)
	}
	edit, err := octavo.ValueOf([]byte(edits))
	if err != nil {
		t.Fatalf("%s: %v", edits, err)
	}
	for _, m := range edit.Members {
		key, removed := strings.CutPrefix(m.Name, "-")
		v.Members = without(v.Members, key)
		if !removed {
			v.Members = append(v.Members, m)
		}
	}
	return v
}

func without(members []octavo.Member, name string) (others []octavo.Member) {
	for _, m := range members {
		if m.Name != name {
			others = append(others, m)
		}
	}
	return others
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

func TestRewrite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		format    Format
		edits     string
		old, want string // what is replaced by what
	}{
		{"a quoted string", docusaurus, YAML, `{"title":"Start"}`, `title: "Introduction: what is it?"   # shown in the tab`, `title: Start`},
		{"a plain string", docusaurus, YAML, `{"sidebar_label":"a: b"}`, "sidebar_label: Introduction\n", "sidebar_label: \"a: b\"\n"},
		{"a number", docusaurus, YAML, `{"sidebar_position":1.50}`, "position: 1\n", "position: 1.50\n"},
		{"a list", docusaurus, YAML, `{"tags":["x",{"label":"Big","n":[1]}]}`, "  - guide   # reviewed\n  # - draft\n  - {label: Big, permalink: /big}\n  # more to come\n", "  - x\n  - label: Big\n    n:\n      - 1\n"},
		{"a list goes", docusaurus, YAML, `{"-tags":0}`, "tags:\n  - guide   # reviewed\n  # - draft\n  - {label: Big, permalink: /big}\n  # more to come\n", ""},
		{"a folded text", docusaurus, YAML, `{"description":"short"}`, "description: >-\n  A long description\n  # that is no comment\n", "description: short\n"},
		{"null", docusaurus, YAML, `{"custom_edit_url":"x"}`, "url: null\n", "url: x\n"},
		{"a new key", docusaurus, YAML, `{"image":{"src":"a.png","alt":""}}`, "url: null\n", "url: null\nimage:\n  src: a.png\n  alt: \"\"\n"},
		{"nothing", docusaurus, YAML, `{"-x":0,"sidebar_position":1,"keywords":["docs","getting started","it's"]}`, "---\n", "---\n"},
		{"a date", jekyll, YAML, `{"date":"2024-03-02 11:00:00 +0100"}`, `2024-03-01 10`, `2024-03-02 11`},
		{"a mapping", jekyll, YAML, `{"author":{"name":"Joe","links":["a"]}}`, "    name: Jane\n    links:\n    - https://example.com\n", "  name: Joe\n  links:\n    - a\n"},
		{"a mapping goes", jekyll, YAML, `{"-author":0}`, "author:\n    name: Jane\n    links:\n    - https://example.com\n", ""},
		{"a block goes", jekyll, YAML, `{"-excerpt":0}`, "excerpt: |\n    One.\n\n    # Two.\n", ""},
		{"a TOML string", hugo, TOML, `{"title":"It's \"this\"\n"}`, `'My first post' # with a comment`, `"It's \"this\"\n"`},
		{"a TOML date", hugo, TOML, `{"date":"2024-02-01"}`, `2024-01-02T03:04:05-08:00`, `2024-02-01`},
		{"a TOML key comes", hugo, TOML, `{"weight":3}`, "jane@example.com\"\n", "jane@example.com\"\nweight = 3\n"},
		{"a TOML table comes", hugo, TOML, `{"build":{"list":"never","x":{}}}`, "# end\n", "# end\n[build]\n  list = \"never\"\n  [build.x]\n"},
		{"dotted keys go", hugo, TOML, `{"-author":0}`, "author.name = \"Jane\"\nauthor.mail = \"jane@example.com\"\n", ""},
		{"dotted keys to text", hugo, TOML, `{"author":"Jane"}`, "author.name = \"Jane\"\nauthor.mail = \"jane@example.com\"\n", "author = \"Jane\"\n"},
		{"a table goes", hugo, TOML, `{"-params":0}`, "[params]\n  color = \"red\" # the colour\n  [params.menu]\n    weight = 10\n", ""},
		{"a table", hugo, TOML, `{"params":{"color":"blue"}}`, "[params]\n  color = \"red\" # the colour\n  [params.menu]\n    weight = 10\n", "[params]\n  color = \"blue\"\n"},
		{"an array of tables goes", hugo, TOML, `{"-resources":0}`, "[[resources]]\nsrc = \"a.png\"\n\n[[resources]]\nsrc = \"b.png\"\n[resources.params]\nicon = 'x'\n", "\n"},
		{"an array of tables", hugo, TOML, `{"resources":[{"src":"c"},{"src":"d"}]}`, "[[resources]]\nsrc = \"a.png\"\n\n[[resources]]\nsrc = \"b.png\"\n[resources.params]\nicon = 'x'\n", "[[resources]]\n  src = \"c\"\n\n[[resources]]\n  src = \"d\"\n\n"},
		{"a list before a blank line goes", mkdocs, YAML, `{"-hide":0}`, "hide:\n  - navigation\n  - toc\n", ""},
		{"the last key", mkdocs, YAML, `{"date":"2024-01-01"}`, "\n  created: 2023-12-31", " \"2024-01-01\""},
		{"a fence at the end", obsidian, YAML, `{"-up":0,"n":1}`, "up: \"[[Index]]\"\n", "n: 1\n"},
		{"a plain date", obsidian, YAML, `{"created":"2024-05-07"}`, "05-06", "05-07"},
		{"nothing between fences", "---\n---\n", YAML, `{"a":["b"]}`, "---\n---", "---\na:\n  - b\n---"},
		{"no TOML", "+++\n+++\n", TOML, `{"a":{"b":1},"c":"x"}`, "+++\n+++", "+++\nc = \"x\"\n[a]\n  b = 1\n+++"},
		{"all TOML keys go", "+++\na = 1\n+++\n", TOML, `{"-a":0}`, "a = 1\n", ""},
		{"a key before the first table", "+++\n# x\n[t]\n+++\n", TOML, `{"a":1}`, "# x", "a = 1\n# x"},
		{"line ends and a mark", "\uFEFF---\r\na: 1 # x\r\nb:\r\n  - c\r\n---\r\n", YAML, `{"a":["x"],"b":"1\n2\n","c":{"d":1}}`, " 1 # x\r\nb:\r\n  - c\r\n", "\r\n  - x\r\nb: \"1\\n2\\n\"\r\nc:\r\n  d: 1\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			have, ok := Rewrite([]byte(c.raw), c.format, wanted(t, c.raw, c.format, c.edits).AppendJSON(nil))
			want := strings.Replace(c.raw, c.old, c.want, 1)
			if !ok || string(have) != want || !strings.Contains(c.raw, c.old) {
				t.Errorf("have\n%s%v\nwant\n%s", have, ok, want)
			}
		})
	}
}

func TestRewriteRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, raw string
		format    Format
		edits     string
	}{
		{"JSON", bare, JSON, `{"title":"A"}`},
		{"an alias", "---\na: &x 1\nb: *x\n---\n", YAML, `{"a":2}`},
		{"a complex key", "---\n? a\n: b\nc: d\n---\n", YAML, `{"-a":0}`},
		{"indented keys", "---\n  a: 1\n  b: 2\n---\n", YAML, `{"a":2}`},
		{"null in TOML", "+++\na = 1\n+++\n", TOML, `{"a":null}`},
		{"digits that TOML does not keep", "+++\na = 1\n+++\n", TOML, `{"a":1.50}`},
		{"blank lines that belong to a text", "---\na: |+\n  x\nb: 1\n\nc: 1\n---\n", YAML, `{"-b":0}`},
		{"very many keys", "---\na: 1\n---\n", YAML, `{` + strings.Join(manyKeys(), ",") + `}`},
	} {
		if have, ok := Rewrite([]byte(c.raw), c.format, wanted(t, c.raw, c.format, c.edits).AppendJSON(nil)); ok {
			t.Errorf("%s: have %q", c.name, have)
		}
	}
}

func manyKeys() (members []string) {
	for i := range maxChanged + 1 {
		members = append(members, fmt.Sprintf(`"k%d":1`, i))
	}
	return members
}
