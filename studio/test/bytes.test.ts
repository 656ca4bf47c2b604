import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { copyLineDown, history, indentMore, insertNewlineKeepIndent, moveLineDown, moveLineUp, redo, undo } from "@codemirror/commands";
import type { EditorState, TransactionSpec } from "@codemirror/state";
import { exactText, replaceText, stateOf } from "../src/editor/text.ts";

/** Every page in the repository, with what tests of the server hold. */
function pages(): string[] {
  const found: string[] = [];
  for (const root of ["docs", "internal"])
    for (const name of readdirSync(root, { recursive: true, encoding: "utf8" }))
      if (/\.mdx?$/.test(name) && (root === "docs" || /testdata/.test(name))) found.push(readFileSync(join(root, name), "utf8"));
  return found;
}

const variants: Record<string, (text: string) => string> = {
  "as it is": (s) => s,
  CRLF: (s) => s.replace(/\r?\n/g, "\r\n"),
  "lone CR": (s) => s.replace(/\r?\n/g, "\r"),
  "mixed ends": (s) => s.replace(/\r?\n/g, pick(["\n", "\r\n", "\r", "\r\n"])),
  BOM: (s) => "\uFEFF" + s,
  "BOM and CRLF": (s) => "\uFEFF" + s.replace(/\r?\n/g, "\r\n"),
  tabs: (s) => s.replace(/^ {2,4}/gm, "\t").replace(/ /g, pick([" ", " ", "\t"])),
  "trailing blanks": (s) => s.replace(/$/gm, pick(["", "  ", "\t", " "])),
  "no final newline": (s) => s.replace(/[\r\n]+$/, ""),
  "odd characters": (s) => s.replace(/e/g, pick(["e", "\0", "\u2028", "\u0085", "\uFEFF", "\uD83D", "e\u0301", "\u{1F469}\u200D\u{1F4BB}"])),
};

function pick(from: string[]): () => string {
  let n = 0;
  return () => from[n++ % from.length]!;
}

function apply(state: EditorState, spec: TransactionSpec): EditorState {
  return state.update(spec).state;
}

for (const [name, variant] of Object.entries(variants))
  test(`only the word that is changed differs: ${name}`, () => {
    const all = pages();
    assert.ok(all.length > 40, "the corpus is not there");
    for (const page of all) {
      const text = variant(page);
      const state = stateOf(text);
      assert.equal(exactText(state), text);
      const words = [...state.doc.toString().matchAll(/\w+/g)];
      const before = [...text.matchAll(/\w+/g)];
      assert.equal(words.length, before.length);
      for (const n of [0, words.length >> 1, words.length - 1]) {
        const word = words[n];
        if (!word) continue;
        const have = exactText(apply(state, { changes: { from: word.index, to: word.index + word[0].length, insert: "changed" } }));
        const at = before[n]!.index;
        assert.equal(have, text.slice(0, at) + "changed" + text.slice(at + word[0].length));
      }
    }
  });

test("what is put in has the ends of the file, or of the line", () => {
  for (const [text, at, insert, want] of [
    ["a\r\nb", 1, "\n", "a\r\n\r\nb"],
    ["a\rb", 1, "x\r\ny", "ax\ry\rb"],
    ["a\nb", 1, "x\r\ny", "ax\ny\nb"],
    ["a\r\nb\r\nc\nd", 4, "\n", "a\r\nb\r\n\nc\nd"],
    ["a\nb\nc\r\nd", 5, "x\ny", "a\nb\ncx\r\ny\r\nd"],
    ["a\nb\nc\r\nd", 7, "\n", "a\nb\nc\r\nd\r\n"],
    ["a", 1, "\r\n", "a\n"],
  ] as const) {
    const state = stateOf(text);
    const have = exactText(apply(state, { changes: { from: at, insert: state.toText(insert) } }));
    assert.equal(have, want, JSON.stringify([text, at, insert, have]));
  }
});

test("an undo brings back the end that was deleted, a redo takes it again", () => {
  const text = "\uFEFFa\r\nb\nc\r\nd\re";
  const steps: ((s: EditorState) => TransactionSpec | null)[] = [
    (s) => ({ changes: { from: 1, to: s.doc.length - 1 } }),
    () => ({ changes: { from: 3, to: 4 } }),
    () => ({ changes: [{ from: 0, to: 2 }, { from: 7, to: 8, insert: "\n\n" }] }),
    (s) => replaceText(s, "a\nb\nx\rd\re"),
    (s) => replaceText(s, ""),
  ];
  for (const step of steps) {
    let state = stateOf(text, history());
    state = apply(state, step(state)!);
    const changed = exactText(state);
    const run = (command: typeof undo) => assert.ok(command({ state, dispatch: (tr) => (state = tr.state) }));
    for (let n = 0; n < 2; n++) {
      run(undo);
      assert.equal(exactText(state), text);
      run(redo);
      assert.equal(exactText(state), changed);
    }
  }
});

test("a text is replaced by what differs, and the pointer stays", () => {
  const state = apply(stateOf("one\r\ntwo\r\nthree\r\n"), { selection: { anchor: 9 } });
  const spec = replaceText(state, "zero\r\none\r\nTwo\r\nthree\r\n")!;
  const next = apply(state, spec);
  assert.equal(exactText(next), "zero\r\none\r\nTwo\r\nthree\r\n");
  assert.equal(next.doc.sliceString(next.selection.main.head), "hree\n");
  assert.equal(replaceText(next, exactText(next)), null);
});

test("any text is made of any other", () => {
  const parts = ["a\n", "b\r\n", "c\r", "\n", "dd", "\uFEFF", "\u{1F600}", "\u{1F601}"];
  let seed = 7;
  const random = (n: number) => (seed = (seed * 48271) % 0x7fffffff) % n;
  const make = () => Array.from({ length: random(12) }, () => parts[random(parts.length)]).join("");
  for (let n = 0; n < 4000; n++) {
    const [from, to] = [make(), make()];
    const state = stateOf(from);
    const spec = replaceText(state, to);
    assert.equal(exactText(spec ? apply(state, spec) : state), to, JSON.stringify([from, to]));
  }
});

test("commands on lines keep each line with its text, and the ends of the file", () => {
  const count = (text: string) => text.match(/\r\n?|\n/g)!.sort().join("");
  for (const command of [moveLineDown, moveLineUp, copyLineDown, insertNewlineKeepIndent, indentMore])
    for (const text of ["a\r\nb\r\nc\r\n", "\uFEFFa\r\nb\r\nc", "a\rb\rc", "a\nb\r\nc\rd"]) {
      let state = apply(stateOf(text, history()), { selection: { anchor: 3 } });
      command({ state, dispatch: (tr) => (state = tr.state) });
      const have = exactText(state);
      assert.equal(have.replace(/\uFEFF/g, "").replace(/\r\n?/g, "\n"), state.doc.toString());
      if (!text.includes("d") && state.doc.lines === stateOf(text).doc.lines) assert.equal(count(have), count(text), JSON.stringify(have));
      else if (!text.includes("d")) assert.equal(new Set(have.match(/\r\n?|\n/g)).size, 1, JSON.stringify(have));
      undo({ state, dispatch: (tr) => (state = tr.state) });
      assert.equal(exactText(state), text);
    }
});
