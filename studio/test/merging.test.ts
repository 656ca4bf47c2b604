import assert from "node:assert/strict";
import test from "node:test";
import { history, redo, undo } from "@codemirror/commands";
import type { EditorState, StateCommand, TransactionSpec } from "@codemirror/state";
import { exactText, stateOf } from "../src/editor/text.ts";
import { merge3, takeBoth } from "../src/merge/merge3.ts";
import { placeAt, placesOf, resultOf, take } from "../src/merge/state.ts";
import { random, three } from "./three.ts";

const open = (...texts: [string, string, string]): EditorState => {
  const { text, extensions } = resultOf(merge3(...texts));
  return stateOf(text, [extensions, history()]);
};
const after = (state: EditorState, spec: TransactionSpec) => state.update(spec).state;
const run = (command: StateCommand, state: EditorState) => {
  let next = state;
  command({ state, dispatch: (tr) => (next = tr.state) });
  return next;
};
const choices = (state: EditorState) => placesOf(state).map((p) => p.choice);

const tea = ["a\nb\nc\nd\ne\n", "a\nB\nc\nD\ne\n", "a\nb!\nc\nd!\nd?\ne\n"] as const;

test("mine stands in the result until something else is taken", () => {
  let s = open(...tea);
  assert.equal(exactText(s), tea[1]);
  assert.deepEqual(choices(s), ["open", "open"]);
  s = after(s, take(s, 1, "theirs"));
  s = after(s, take(s, 0, "both"));
  assert.equal(exactText(s), "a\nB\nb!\nc\nd!\nd?\ne\n");
  assert.deepEqual(choices(s), ["both", "theirs"]);
  s = run(undo, run(undo, s));
  assert.equal(exactText(s), tea[1]);
  assert.deepEqual(choices(s), ["open", "open"]);
  s = run(redo, s);
  assert.deepEqual(choices(s), ["open", "theirs"]);
});

test("what is typed in a conflict decides it, and beside it does not", () => {
  let s = open(...tea);
  s = after(s, { changes: { from: 0, insert: "above\n" } });
  assert.deepEqual(choices(s), ["open", "open"]);
  s = after(s, { changes: { from: 9, insert: "!" }, selection: { anchor: 10 }, userEvent: "input.type" });
  assert.equal(exactText(s), "above\na\nB!\nc\nD\ne\n");
  assert.deepEqual(choices(s), ["own", "open"]);
  assert.equal(placeAt(s), 0);
  s = after(s, take(s, 0, "theirs"));
  assert.equal(exactText(s), "above\na\nb!\nc\nD\ne\n");
  s = run(undo, s);
  assert.deepEqual(choices(s), ["own", "open"]);
});

test("a conflict whose lines I have removed takes nothing that is typed below it", () => {
  let s = open("a\nb\nc\n", "a\nc\n", "a\nB\nc\n");
  s = after(s, { changes: { from: 2, insert: "x" } });
  assert.deepEqual(choices(s), ["open"]);
  s = after(s, take(s, 0, "theirs"));
  assert.equal(exactText(s), "a\nB\nxc\n");
});

test("random choices give each byte that was chosen", () => {
  const r = random(3);
  const pick = <T>(list: readonly T[]) => list[r(list.length)]!;
  for (let n = 0; n < 500; n++) {
    const c = three(r);
    const mixed = (s: string) => (n % 3 ? s : s.replace(/\n/g, () => pick(["\n", "\r\n"])));
    const texts = [mixed(c.base), mixed(c.mine), (n % 5 ? "" : "\uFEFF") + mixed(c.theirs)] as const;
    const parts = merge3(...texts);
    let s = open(...texts);
    assert.equal(exactText(s), parts.map((p) => (p.by === "clash" ? p.mine : p.text)).join(""));
    const wanted = placesOf(s).map(() => pick(["mine", "theirs", "both"] as const));
    const order = wanted.map((_, i) => i).sort(() => r(3) - 1);
    for (const i of [...order, ...order]) s = after(s, take(s, i, wanted[i]!));
    let at = 0;
    const want = parts.map((p) => {
      if (p.by !== "clash") return p.text;
      const choice = wanted[at++]!;
      return choice === "both" ? takeBoth(p.mine, p.theirs) : p[choice];
    });
    assert.equal(exactText(s), want.join(""));
    assert.deepEqual(choices(s), wanted);
  }
});
