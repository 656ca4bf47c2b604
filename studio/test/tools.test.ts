import assert from "node:assert/strict";
import test from "node:test";
import { EditorSelection, EditorState, type TransactionSpec } from "@codemirror/state";
import { fence, placeOfBlock, setHeading, toggleList, toggleQuote, wrap } from "../src/editor/tools/blocks.ts";
import { bold, code, italic, toggleLink, toggleMark } from "../src/editor/tools/marks.ts";
import { addressOfFile, findPages, headingsIn, linkPlace, pageAt } from "../src/editor/tools/links.ts";
import { attributeOptions, notation, parts, slashBefore } from "../src/editor/tools/parts.ts";
import { add, change, pending, place, type Pending } from "../src/editor/tools/pending.ts";
import * as tools from "../src/words/tools.ts";
import type { TreePage } from "../src/api/types.ts";

/** A state of a text in which ‹ and › are around what is selected, or | is a cursor. */
function state(text: string): EditorState {
  const ranges = [];
  let doc = "";
  let from = 0;
  for (const c of text) {
    if (c === "‹") from = doc.length;
    else if (c === "›") ranges.push(EditorSelection.range(from, doc.length));
    else if (c === "|") ranges.push(EditorSelection.cursor(doc.length));
    else doc += c;
  }
  const selection = EditorSelection.create(ranges.length ? ranges : [EditorSelection.cursor(0)]);
  return EditorState.create({ doc, selection, extensions: [EditorState.allowMultipleSelections.of(true), pending] });
}

function shown(s: EditorState): string {
  let text = s.doc.toString();
  for (const r of [...s.selection.ranges].reverse()) {
    text = r.empty ? `${text.slice(0, r.from)}|${text.slice(r.from)}` : `${text.slice(0, r.from)}‹${text.slice(r.from, r.to)}›${text.slice(r.to)}`;
  }
  return text;
}

const after = (text: string, make: (s: EditorState) => TransactionSpec): string => {
  const s = state(text);
  return shown(s.update(make(s)).state);
};

test("marks are put on and taken off", () => {
  for (const [text, mark, want] of [
    ["a ‹word› b", bold, "a **‹word›** b"],
    ["a **‹word›** b", bold, "a ‹word› b"],
    ["a ‹**word**› b", bold, "a ‹word› b"],
    ["a wo|rd b", bold, "a **wo|rd** b"],
    ["a **wo|rd** b", bold, "a wo|rd b"],
    ["a word| b", italic, "a *word|* b"],
    ["a **‹word›** b", italic, "a ***‹word›*** b"],
    ["a ***‹word›*** b", italic, "a **‹word›** b"],
    ["a ***‹word›*** b", bold, "a *‹word›* b"],
    ["a __‹word›__ b", bold, "a ‹word› b"],
    ["a | b", bold, "a **|** b"],
    ["a **|** b", bold, "a | b"],
    ["a **two words|** b", bold, "a **two words**| b"],
    ["a *two words|* b", italic, "a *two words*| b"],
    ["`a` and **b** **wo|rd**", bold, "`a` and **b** wo|rd"],
    ["`a` and `b|`", code, "`a` and `b`|"],
    ["‹ word ›b", code, " `‹word›` b"],
    ["‹a`b›", code, "`` ‹a`b› ``"],
    ["- ‹one\n- two›", bold, "- **‹one**\n- **two›**"],
    ["- **‹one**\n- **two›**", bold, "- ‹one\n- two›"],
    ["‹# one\n\n> two›", italic, "# *‹one*\n\n> *two›*"],
    ["‹one› and tw|o", bold, "**‹one›** and **tw|o**"],
    ["‹日本›語", bold, "**‹日本›**語"],
  ] as const)
    assert.equal(after(text, (s) => toggleMark(s, mark)), want, text);
});

test("links are made and taken off", () => {
  for (const [text, want] of [
    ["see ‹this› now", "see [this](|) now"],
    ["see th|is now", "see [this](|) now"],
    ["see |", "see [|]()"],
    ["‹https://a.example/b›", "[|](https://a.example/b)"],
    ["see [th|is](/x) now", "see ‹this› now"],
    ["see [a](/b(c))| now", "see ‹a› now"],
  ])
    assert.equal(after(text!, toggleLink), want, text);
});

test("blocks", () => {
  const cases: [string, (s: EditorState) => TransactionSpec, string][] = [
    ["te|xt", (s) => setHeading(s, 2), "## te|xt"],
    ["## te|xt", (s) => setHeading(s, 2), "te|xt"],
    ["## te|xt", (s) => setHeading(s, 3), "### te|xt"],
    ["## te|xt", (s) => setHeading(s, 0), "te|xt"],
    ["‹a\n\nb›", (s) => toggleList(s, "bullets"), "- ‹a\n\n- b›"],
    ["- ‹a\n- b›", (s) => toggleList(s, "bullets"), "‹a\nb›"],
    ["- ‹a\n  - b›", (s) => toggleList(s, "numbers"), "1. ‹a\n  2. b›"],
    ["1. ‹a\n2. b›", (s) => toggleList(s, "tasks"), "- [ ] ‹a\n- [ ] b›"],
    ["- [x] a|", (s) => toggleList(s, "tasks"), "a|"],
    ["- [x] a|", (s) => toggleList(s, "bullets"), "- a|"],
    ["|", (s) => toggleList(s, "bullets"), "- |"],
    ["‹a\n\nb›", toggleQuote, "> ‹a\n\n> b›"],
    ["> ‹a\n> b›", toggleQuote, "‹a\nb›"],
    ["‹a\nb›", (s) => wrap(s, "```", "```"), "```|\na\nb\n```"],
  ];
  for (const [text, make, want] of cases) assert.equal(after(text, make), want, text);
  assert.equal(fence(state("‹a\n````\nb›")), "`````");
});

test("a block comes on an empty line, or below its line", () => {
  for (const [text, want] of [
    ["|", { from: 0, to: 0, before: "", after: "" }],
    ["a\n|\nb", { from: 2, to: 2, before: "\n", after: "\n" }],
    ["a|b", { from: 2, to: 2, before: "\n\n", after: "" }],
    ["> |", { from: 2, to: 2, before: "", after: "" }],
    ["- |", { from: 2, to: 2, before: "", after: "" }],
  ] as const) {
    const s = state(text);
    assert.deepEqual(placeOfBlock(s, s.selection.main.head, s.selection.main.head), want, text);
  }
});

test("a slash opens the list where a block can begin", () => {
  for (const [text, want] of [
    ["/|", ""],
    ["/ta|", "ta"],
    ["text /no|", "no"],
    ["a/b|", undefined],
    ["https://|", undefined],
    ["/|text", undefined],
    ["- /|", ""],
  ] as const) {
    const s = state(text);
    assert.equal(slashBefore(s, s.selection.main.head)?.query, want, text);
  }
});

test("every part has words and a notation", () => {
  for (const p of parts) {
    assert.ok(notation(p, "markdown") ?? notation(p, "mdx"), p.id);
    for (const word of [`part_${p.id}_name`, `part_${p.id}_about`]) assert.ok(word in tools.en, word);
  }
});

test("attributes", () => {
  assert.deepEqual(attributeOptions('<Card title="x" ', "mdx"), { query: "", names: ["href", "description"] });
  assert.deepEqual(attributeOptions("<Callout ty", "mdx"), { query: "ty", names: ["type", "title"] });
  assert.deepEqual(attributeOptions('<Callout title="a b" type="w', "mdx"), { query: "w", values: ["note", "tip", "info", "warning", "danger"] });
  assert.equal(attributeOptions('<Card title="', "mdx"), undefined);
  assert.equal(attributeOptions("<Nothing ", "mdx"), undefined);
  assert.deepEqual(attributeOptions(':::card[One]{href="/x" ', "markdown"), { query: "", names: ["description"] });
  assert.deepEqual(attributeOptions(':::details{open="', "markdown"), { query: "", values: ["true", "false"] });
});

test("where a link is written", () => {
  for (const [text, kind, query, length, end] of [
    ["see [a](", "page", "", 0, ")"],
    ["see [a](/gui", "page", "/gui", 4, ")"],
    ["see [a](</my gui", "page", "/my gui", 7, ""],
    ["![a](pic", "picture", "pic", 3, ")"],
    ["[[Getting st", "wiki", "Getting st", 12, ""],
    ['<a class="x" href="gu', "page", "gu", 2, ""],
    ['<Card href="', "page", "", 0, ""],
    ['<img src="p', "picture", "p", 1, ""],
    [':::card{href="g', "page", "g", 1, ""],
  ] as const)
    assert.deepEqual(linkPlace(text), { kind, query, length, end }, text);
  for (const text of ["[a](b) c", "[[a]] b", "(a", "a < b href="]) assert.equal(linkPlace(text), undefined, text);
});

const page = (title: string, slug: string): TreePage => ({ id: `page_${slug}`, title, slug, status: "published", parentId: null, children: 0 });

test("pages are found by title and slug", () => {
  const pages = [page("Other", "setting-up"), page("Set up", "install"), page("How to set up", "how"), page("Upset", "upset")];
  assert.deepEqual(findPages(pages, "set", 9).map((p) => p.slug), ["setting-up", "install", "how", "upset"]);
  assert.deepEqual(findPages(pages, "/inst", 9).map((p) => p.slug), ["install"]);
  assert.deepEqual(findPages(pages, "up how", 9).map((p) => p.slug), ["how"]);
  assert.equal(pageAt(pages, "/how")?.id, "page_how");
});

test("addresses and headings", () => {
  assert.equal(addressOfFile("https://a.example/base/files/asset_1/k/x.png?sig=1#y"), "/files/asset_1/k/x.png");
  assert.deepEqual(headingsIn('<h2 id="a-b">A <em>b</em> &amp; c</h2><p><h3 class="x" id="d" data-line="3">D</h3>'), [
    { level: 2, anchor: "a-b", text: "A b & c" },
    { level: 3, anchor: "d", text: "D" },
  ]);
});

const file = (id: string, pos: number, picture = true): Pending => ({ id, pos, name: `${id}.png`, picture, state: "sending", share: 0, message: "", address: "" });

test("files come where they were dropped, in their order", () => {
  let s = state("one two");
  s = s.update({ effects: [add.of(file("a", 3)), add.of(file("b", 3)), add.of(file("c", 7, false))] }).state;
  s = s.update({ changes: { from: 0, insert: "zero " } }).state;
  // The second is there before the first, which failed and was tried again.
  s = s.update(place(s, s.field(pending)[1]!, "/files/b")).state;
  assert.equal(s.doc.toString(), "zero one ![](/files/b) two");
  s = s.update(place(s, s.field(pending)[0]!, "/files/a")).state;
  assert.equal(s.doc.toString(), "zero one ![](/files/a) ![](/files/b) two");
  s = s.update(place(s, s.field(pending)[2]!, "/files/c")).state;
  assert.match(s.doc.toString(), / two \[c\.png\]\(\/files\/c\)$/);
  // A description goes where it belongs, and is not asked for once the picture is gone.
  assert.deepEqual(s.field(pending).map((p) => [p.id, p.state, s.sliceDoc(p.pos - 2, p.pos)]), [["a", "asking", "!["], ["b", "asking", "!["]]);
  s = s.update({ changes: { from: s.field(pending)[0]!.pos, insert: "A" } }).state;
  assert.deepEqual(s.field(pending).map((p) => p.id), ["b"]);
  s = s.update({ effects: change.of({ id: "b", state: "skipped" }) }).state;
  s = s.update({ changes: { from: 0, to: s.doc.length } }).state;
  assert.deepEqual(s.field(pending), []);
});
