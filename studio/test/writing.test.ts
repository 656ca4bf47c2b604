import assert from "node:assert/strict";
import test from "node:test";
import { EditorSelection, Text, type StateCommand } from "@codemirror/state";
import { ensureSyntaxTree, foldable } from "@codemirror/language";
import { counts } from "../src/editor/counts.ts";
import { difference } from "../src/editor/diff.ts";
import { continueLine, shiftIn, shiftOut } from "../src/editor/keys.ts";
import { languages } from "../src/editor/language.ts";
import { foldSections, outline } from "../src/editor/outline.ts";
import { exactText, stateOf } from "../src/editor/text.ts";

/** Runs a command on a text in which | is the pointer; "no" if it does nothing. */
function run(command: StateCommand, text: string): string {
  const at = text.indexOf("|");
  let state = stateOf(text.replace("|", ""), languages.markdown.extension);
  state = state.update({ selection: EditorSelection.cursor(at) }).state;
  ensureSyntaxTree(state, state.doc.length, 1000);
  if (!command({ state, dispatch: (tr) => (state = tr.state) })) return "no";
  const { head } = state.selection.main;
  return state.doc.sliceString(0, head) + "|" + state.doc.sliceString(head);
}

test("Enter goes on with lists and quotations", () => {
  for (const [text, want] of [
    ["- a|", "- a\n- |"],
    ["- a|b", "- a\n- |b"],
    ["9. a|", "9. a\n10. |"],
    ["1. a\n1. b|", "1. a\n1. b\n1. |"],
    ["- [x] a|", "- [x] a\n- [ ] |"],
    ["> - a|", "> - a\n> - |"],
    ["> a|", "> a\n> |"],
    ["- a\n- |", "- a\n|"],
    ["> a\n> - |", "> a\n> |"],
    ["> a\n> |", "> a\n|"],
    ["|- a", "no"],
    ["a|", "no"],
    ["```\n- a|\n```", "no"],
    ["---|", "no"],
  ] as const)
    assert.equal(run(continueLine, text), want, text);
});

test("Tab moves items of lists, and is free elsewhere", () => {
  for (const [text, want] of [
    ["- a\n- b|", "- a\n  - b|"],
    ["1. a\n2. b|\n   c", "1. a\n   2. b|\n      c"],
    ["> - a\n> - b|", "> - a\n>   - b|"],
    ["- a|", "- a|"],
    ["- a\n  - b|", "- a\n  - b|"],
    ["a|", "no"],
  ] as const)
    assert.equal(run(shiftIn, text), want, text);
  for (const [text, want] of [
    ["- a\n  - b|\n    - c", "- a\n- b|\n  - c"],
    ["- a|", "- a|"],
    ["a|", "no"],
  ] as const)
    assert.equal(run(shiftOut, text), want, text);
});

test("the outline has the text of headings, also after a change", () => {
  let state = stateOf("# A *b* `c` {#d}\n\n> ## E \\* [f](g)\n\nH\n---\n\n```\n# no\n```\n\n### I", [languages.mdx.extension, foldSections]);
  const have = () => {
    ensureSyntaxTree(state, state.doc.length, 1000);
    return outline(state).map((h) => `${h.line}:${h.level}:${h.text}`).join(" ");
  };
  assert.equal(have(), "1:1:A b c 3:2:E * f 5:2:H 12:3:I");
  const line = state.doc.line(5);
  assert.deepEqual(foldable(state, line.from, line.to), { from: line.to, to: state.doc.length });
  state = state.update({ changes: [{ from: 0, insert: "# Z\n\n" }, { from: state.doc.length, insert: "!" }] }).state;
  assert.equal(have(), "1:1:Z 3:1:A b c 5:2:E * f 7:2:H 14:3:I!");
  assert.equal(foldable(state, 0, 3), null);
  assert.deepEqual(foldable(state, 5, 20), { from: 20, to: state.doc.length });
});

test("words are counted in every script", () => {
  for (const [text, words] of [
    ["", 0],
    ["It's a well-known 3.5 [link](https://example.org/a-b).", 5],
    ["# Ein *Wort*", 2],
    ["中文", 1],
    ["日本語 and English", 3],
    ["한국어 문서", 2],
  ] as const)
    assert.equal(counts(Text.of(text.split("\n"))).words, words, text);
  const long = Text.of(Array.from({ length: 23_000 }, () => "ten words are in this line, that is for sure."));
  assert.deepEqual(counts(long), { words: 230_000, characters: 45 * 23_000, minutes: 1000 });
});

test("a difference leaves lines alone that are equal", () => {
  assert.deepEqual(difference("a\nb\nc\nd\n", "a\nB\nc\nD\n"), [{ from: 2, to: 3, insert: "B" }, { from: 6, to: 7, insert: "D" }]);
  assert.deepEqual(difference("\u{1F600}", "\u{1F601}"), [{ from: 0, to: 2, insert: "\u{1F601}" }]);
});

test("commands keep the ends of lines", () => {
  const state = stateOf("- a\r\n- b", languages.markdown.extension).update({ selection: { anchor: 7 } }).state;
  let text = "";
  continueLine({ state, dispatch: (tr) => (text = exactText(tr.state)) });
  assert.equal(text, "- a\r\n- b\r\n- ");
});
