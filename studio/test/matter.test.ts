import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { parse } from "yaml";
import { add, remove, set } from "../src/matter/edit.ts";
import { rows } from "../src/matter/known.ts";
import { keepEnds } from "../src/matter/lines.ts";
import { type Field, type Given, read } from "../src/matter/matter.ts";

const text = (value: string): Given => ({ kind: "text", value });
const list = (...value: string[]): Given => ({ kind: "list", value });

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
  - new
  # more to come
# Kept for old links.
slug: /intro
hide_table_of_contents: false
custom_edit_url: null
authors: {name: Jane}
---
`;
const jekyll = "---\r\nlayout: post\r\ntitle: 'It''s here'\r\ndate: 2024-03-01\r\ncategories:\r\n- news\r\n- releases\r\n# who\r\nempty:  # to do\r\n...\r\n";

test("keys have a kind, in their order", () => {
  const kinds = read(docusaurus).fields.map((f) => [f.name, f.given.kind]);
  assert.deepEqual(Object.fromEntries(kinds), {
    id: "text", title: "text", sidebar_label: "text", sidebar_position: "number", description: "text", keywords: "list",
    tags: "list", slug: "text", hide_table_of_contents: "flag", custom_edit_url: "text", authors: "other",
  });
  assert.deepEqual(read(jekyll).fields.map((f) => f.given.kind), ["text", "text", "date", "list", "text"]);
  assert.deepEqual(rows(read(jekyll).fields).map((r) => r.name), ["description", "tags", "language", "noindex", "layout", "title", "date", "categories", "empty"]);
});

for (const [name, raw, have, want] of [
  ["a text keeps its quotes and comment", docusaurus, (r: string) => set(r, "title", text('New "one"')), docusaurus.replace('"Introduction: what is it?"', '"New \\"one\\""')],
  ["a plain text", docusaurus, (r: string) => set(r, "sidebar_label", text("Intro: x")), docusaurus.replace("sidebar_label: Introduction", 'sidebar_label: "Intro: x"')],
  ["a text that reads as something else", docusaurus, (r: string) => set(r, "id", text("true")), docusaurus.replace("id: intro", 'id: "true"')],
  ["a folded text", docusaurus, (r: string) => set(r, "description", text("Short")), docusaurus.replace(/description: >-\n.*\n.*\n/, "description: Short\n")],
  ["a list in brackets", docusaurus, (r: string) => set(r, "keywords", list("docs", "a, b")), docusaurus.replace(/keywords: .*/, 'keywords: [docs, "a, b"]')],
  ["what stays of a list in brackets keeps its quotes", "---\nlabels: ['a', \"b\" ,c]\n---\n", (r: string) => set(r, "labels", list("a", "c", "d", "b")), "---\nlabels: ['a', c, d, \"b\"]\n---\n"],
  ["a text on the line below its key", "---\nabstract:\n    Some text\nlast: 1\n---\n", (r: string) => set(r, "abstract", text("It's: new")), "---\nabstract: \"It's: new\"\nlast: 1\n---\n"],
  ["what has & and no anchor", "---\nhero:\n  text: Vite & AT&T\nlast: 1\n---\n", (r: string) => remove(r, "hero"), "---\nlast: 1\n---\n"],
  ["what others may refer to stays", "---\nhero:\n  text: &a x\nlast: *a\n---\n", (r: string) => remove(r, "hero"), null],
  ["a list keeps the comments of what stays", docusaurus, (r: string) => set(r, "tags", list("guide", "more")), docusaurus.replace("  # - draft\n  - new\n", "  - more\n")],
  ["null becomes a text", docusaurus, (r: string) => set(r, "custom_edit_url", text("x")), docusaurus.replace("custom_edit_url: null", "custom_edit_url: x")],
  ["a value of several kinds", docusaurus, (r: string) => set(r, "authors", text("Jane")), docusaurus.replace("{name: Jane}", "Jane")],
  ["a key goes, comments stay", docusaurus, (r: string) => remove(r, "tags"), docusaurus.replace(/tags:\n(  .*\n)+/, "")],
  ["a new key goes to the end", docusaurus, (r: string) => add(r, "a b", list("x")), docusaurus.replace(/---\n$/, "a b:\n  - x\n---\n")],
  ["lines end as they do", jekyll, (r: string) => set(r, "categories", list("news", "other")), jekyll.replace("- releases", "- other")],
  ["single quotes", jekyll, (r: string) => set(r, "title", text("Isn't")), jekyll.replace("It''s here", "Isn''t")],
  ["an empty value beside a comment", jekyll, (r: string) => set(r, "empty", text("full")), jekyll.replace("empty:  # to do", "empty:  full # to do")],
  ["a date", jekyll, (r: string) => set(r, "date", { kind: "date", value: "2025-01-31" }), jekyll.replace("2024-03-01", "2025-01-31")],
  ["a key that is there is not added", jekyll, (r: string) => add(r, "layout", text("x")), null],
  ["the first key", "", (r: string) => add(r, "n", { kind: "number", value: "1.50" }, "\r\n"), "---\r\nn: 1.50\r\n---\r\n"],
  ["the last key", "\uFEFF---\na: 1\n\n---\n", (r: string) => remove(r, "a"), ""],
  ["a comment keeps the fences", "---\n# why\na: 1\n---\n", (r: string) => remove(r, "a"), "---\n# why\n---\n"],
  ["TOML is left to the source", '+++\na = 1\n+++\n', (r: string) => set(r, "a", text("x")), null],
  ["and so are aliases", "---\na: &x [b]\nc: *x\n---\n", (r: string) => set(r, "a", list("c")), null],
] as [string, string, (raw: string) => string | null, string | null][])
  test(name, () => assert.equal(have(raw), want));

test("what is wrong has a line", () => {
  for (const [raw, line, word] of [
    ["a: 1\n", 1, "matterNoFence"],
    ["---\na: 1\n", 1, "matterOpen"],
    ["---\na: 1\n---\ntext\n", 4, "matterBehind"],
    ["---\na: 1\nb: 2\na: 3\n---\n", 4, "matterTwice"],
    ["---\na: 1\nb: x: y\n---\n", 3, "matterColon"],
    ['---\na: "b\nc: 1\n---\n', 2, "matterMissing"],
    ["---\na:\n\tb: 1\n---\n", 3, "matterTab"],
    ["---\n- a\n---\n", 2, "matterNoKeys"],
    ["---\nb: &b {c: 1}\n<<: *b\n---\n", 3, "matterMerge"],
    ['{"a": 1,}\n', 1, "matterJson"],
    [';;;\n{\n"a": x\n}\n;;;\n', 2, "matterJson"],
  ] as const) {
    const { fault } = read(raw);
    assert.deepEqual(fault && [fault.line, fault.word], [line, word], raw);
  }
  for (const raw of ["", "---\n---\n", "---\n# none\n...\n", "+++\na = 1\n+++\n", '{"a": 1}\n']) assert.equal(read(raw).fault, undefined, raw);
});

const texts = ["", "plain", " a", "a: b", "# c", "it's \"so\"", "2024-01-02", "null", "12", "two\nlines", "tab\t€ 😀 \u0085", "- x", "[a", "a, b"].map(text);

/** Other values of a kind, some of which need quotes; of texts three in turn. */
function others(given: Field["given"], turn: number): Given[] {
  if (given.kind === "flag") return [{ kind: "flag", value: !given.value }];
  if (given.kind === "number") return [{ kind: "number", value: "-17.25" }];
  if (given.kind === "list") return [list(), list(...given.value, "x: y"), list(...given.value.slice(1)), list("only", "2024-01-01", "- a")];
  return [0, 1, 2].map((i) => texts[(turn * 3 + i) % texts.length]!);
}

test("a key is set, and every other line is the same bytes", () => {
  const root = new URL("../../", import.meta.url).pathname; // of a bundle in .cache/studio-tests
  const files = ["docs", "internal"].flatMap((d) => readdirSync(root + d, { recursive: true, encoding: "utf8" }).map((f) => `${root}${d}/${f}`));
  const raws = [docusaurus, jekyll];
  for (const file of files.filter((f) => /\.mdx?$/.test(f))) {
    const [raw] = /^\uFEFF?---[ \t\r]*\n(?:[^]*?\n)?---[ \t\r]*(?:\n|$)/.exec(readFileSync(file, "utf8")) ?? [];
    if (raw && !read(raw).fault) raws.push(raws.length % 2 ? raw : raw.replace(/\r?\n/g, "\r\n"));
  }
  assert.ok(raws.length > 80, `${raws.length} in ${root}`);
  let done = 0;
  const meaning = (raw: string) => (parse(raw.replace(/^\uFEFF?---.*\n/, "").replace(/(---|\.\.\.)\s*$/, ""), { stringKeys: true, schema: "core" }) ?? {}) as Record<string, unknown>;
  for (const raw of raws) {
    const m = read(raw);
    if (!m.form) continue;
    const was = meaning(raw);
    for (const field of [...m.fields, { name: "new key", given: text(""), source: "" }]) {
      for (const value of others(field.given, done)) {
        const now = set(raw, field.name, value);
        assert.ok(now !== null, `${field.name} ${JSON.stringify(value)} in ${raw}`);
        assert.deepEqual(meaning(now), { ...was, [field.name]: value.kind === "number" ? Number(value.value) : value.value }, now);
        const after = read(now).fields.find((f) => f.name === field.name)!;
        // Without the lines of the key both are the same bytes.
        const at = field.source ? raw.indexOf(field.source) : now.indexOf(after.source);
        assert.equal(now.slice(0, at) + now.slice(at + after.source.length), raw.slice(0, at) + raw.slice(at + field.source.length));
        if (raw.includes("\r\n")) assert.ok(!/(^|[^\r])\n/.test(now), now);
        done++;
      }
    }
  }
  assert.ok(done > 500, String(done));
});

test("a field of a browser changes no line end", () => {
  const raw = "---\r\na: 1\r\nb: 2\n---\r\n";
  const shown = raw.replace(/\r\n?/g, "\n");
  assert.equal(keepEnds(raw, shown, "\r\n"), raw);
  assert.equal(keepEnds(raw, shown.replace("a: 1\n", "a: 12\nc: 3\n"), "\r\n"), "---\r\na: 12\r\nc: 3\r\nb: 2\n---\r\n");
  assert.equal(keepEnds(raw, "", "\r\n"), "");
  assert.equal(keepEnds("", "---\n", "\r\n"), "---\r\n");
});
