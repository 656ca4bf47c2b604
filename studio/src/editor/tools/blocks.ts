import { EditorSelection, type ChangeSpec, type EditorState, type TransactionSpec } from "@codemirror/state";

// Headings, lists, quotations and blocks, which are made of whole lines.

export type List = "bullets" | "numbers" | "tasks";

const heading = /^(\s{0,3})#{1,6}(?:\s+|$)/;
const item = /^(\s*)(?:[-*+]|(\d{1,9})[.)])(?:\s+(\[[ xX]\])(?=\s|$))?(?:\s+|$)/;

interface Row {
  from: number;
  text: string;
}

/** The lines that are selected, once each; blank ones only where nothing else is. */
function rows(state: EditorState): Row[] {
  const found = new Map<number, Row>();
  for (const r of state.selection.ranges) {
    const last = state.doc.lineAt(r.to).number;
    for (let n = state.doc.lineAt(r.from).number; n <= last; n++) {
      const line = state.doc.line(n);
      if (n === last && !r.empty && r.to === line.from) continue; // the selection ends before it
      found.set(line.from, { from: line.from, text: line.text });
    }
  }
  const all = [...found.values()];
  const full = all.filter((r) => r.text.trim());
  return full.length ? full : all;
}

/** Puts what begins a line in place of what began it; cursors stay with their text. */
function begin(state: EditorState, of: Row[], make: (r: Row, i: number) => [width: number, insert: string]): TransactionSpec {
  const set = state.changes(
    of.flatMap((r, i): ChangeSpec[] => {
      const [width, insert] = make(r, i);
      return r.text.slice(0, width) === insert ? [] : [{ from: r.from, to: r.from + width, insert }];
    }),
  );
  const ranges = state.selection.ranges.map((r) =>
    r.empty ? EditorSelection.cursor(set.mapPos(r.head, 1)) : EditorSelection.range(set.mapPos(r.anchor, 1), set.mapPos(r.head, 1)),
  );
  return { changes: set, selection: EditorSelection.create(ranges, state.selection.mainIndex), userEvent: "input", scrollIntoView: true };
}

/** Level 0 is a paragraph, and so is a heading that gets the level that it has. */
export function setHeading(state: EditorState, level: number): TransactionSpec {
  const of = rows(state);
  const same = of.every((r) => heading.test(r.text) && r.text.trim().split(/\s/)[0]!.length === level);
  return begin(state, of, (r) => {
    const [had, indent] = heading.exec(r.text) ?? ["", ""];
    return [had.length, level && !same ? `${indent}${"#".repeat(level)} ` : (indent ?? "")];
  });
}

export function toggleList(state: EditorState, kind: List): TransactionSpec {
  const of = rows(state);
  const kinds = of.map((r) => {
    const m = item.exec(r.text);
    return m && (m[3] ? "tasks" : m[2] ? "numbers" : "bullets");
  });
  const off = kinds.every((k) => k === kind);
  return begin(state, of, (r, i) => {
    const m = item.exec(r.text);
    const indent = m?.[1] ?? /^\s*/.exec(r.text)![0];
    const mark = kind === "tasks" ? `- ${m?.[3] ?? "[ ]"} ` : kind === "numbers" ? `${i + 1}. ` : "- ";
    return [m?.[0].length ?? indent.length, off ? indent : indent + mark];
  });
}

export function toggleQuote(state: EditorState): TransactionSpec {
  const of = rows(state);
  const off = of.every((r) => /^\s{0,3}>/.test(r.text));
  return begin(state, of, (r) => (off ? [/^\s{0,3}> ?/.exec(r.text)![0].length, ""] : [0, "> "]));
}

/** Puts lines around those that are selected; the cursor comes to the end of the first. */
export function wrap(state: EditorState, before: string, after: string): TransactionSpec {
  const { from, to } = state.selection.main;
  const [first, last] = [state.doc.lineAt(from), state.doc.lineAt(to)];
  return {
    changes: [
      { from: first.from, insert: before + "\n" },
      { from: last.to, insert: "\n" + after },
    ],
    selection: { anchor: first.from + before.length },
    userEvent: "input",
    scrollIntoView: true,
  };
}

/** A fence that is longer than those in what is selected. */
export function fence(state: EditorState): string {
  const { from, to } = state.selection.main;
  const runs = state.sliceDoc(state.doc.lineAt(from).from, to).match(/`{3,}/g) ?? [];
  return "`".repeat(Math.max(3, ...runs.map((r) => r.length + 1)));
}

/** Where a block comes when the cursor is at pos: on its line where that is blank, else below. */
export function placeOfBlock(state: EditorState, from: number, to: number): { from: number; to: number; before: string; after: string } {
  const line = state.doc.lineAt(from);
  const left = state.sliceDoc(line.from, from);
  const right = state.sliceDoc(Math.min(to, line.to), line.to);
  const next = line.number < state.doc.lines ? state.doc.line(line.number + 1).text : "";
  const prior = line.number > 1 ? state.doc.line(line.number - 1).text : "";
  const container = /^[\s>]*$|^\s*(?:[-*+]|\d{1,9}[.)])\s+$/.test(left);
  const after = next.trim() && !/^[\s>]*$/.test(next) ? "\n" : "";
  if (container && !right.trim()) return { from, to: Math.min(to, line.to), before: !left && prior.trim() ? "\n" : "", after };
  return { from: line.to, to: line.to, before: "\n\n", after };
}
