import { invertedEffects, isolateHistory } from "@codemirror/commands";
import { type EditorState, type Extension, type Range, StateEffect, StateField, type Transaction, type TransactionSpec } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { exactText, read, setEnds } from "../editor/ends.ts";
import { type Clash, type Clean, takeBoth } from "./merge3.ts";

export type Choice = "open" | "mine" | "theirs" | "both" | "own";

/** A conflict, and where its lines stand in the result. Until it is decided these are mine. */
export interface Place {
  clash: Clash;
  from: number;
  to: number;
  choice: Choice;
}

interface Setting {
  index: number;
  from: number;
  to: number;
  choice: Choice;
}

const set = StateEffect.define<Setting>({
  map: (s, m) => ({ ...s, from: m.mapPos(s.from, -1), to: m.mapPos(s.to, s.to > s.from ? 1 : -1) }),
});

/** Whether what is typed at the end of a conflict belongs to it: behind its last line there is no other. */
const openAtEnd = (p: Place, length: number) => p.to > p.from && p.to === length;

function touched(p: Place, tr: Transaction): boolean {
  const end = p.to + (openAtEnd(p, tr.startState.doc.length) ? 1 : 0);
  let found = false;
  tr.changes.iterChangedRanges((from, to) => {
    if (from < end && (to > p.from || from >= p.from)) found = true;
  });
  return found;
}

const places = StateField.define<readonly Place[]>({
  create: () => [],
  update(list, tr) {
    const settings = tr.effects.filter((e) => e.is(set));
    if (!tr.docChanged && !settings.length) return list;
    const length = tr.startState.doc.length;
    const next = list.map((p) => {
      const from = tr.changes.mapPos(p.from, -1);
      const to = Math.max(from, tr.changes.mapPos(p.to, openAtEnd(p, length) ? 1 : -1));
      return { ...p, from, to, choice: touched(p, tr) ? ("own" as const) : p.choice };
    });
    for (const { value: s } of settings) next[s.index] = { ...next[s.index]!, from: s.from, to: s.to, choice: s.choice };
    return next;
  },
});

// What undoing a change does to the choices that the change has made.
const undoable = invertedEffects.of((tr) => {
  const settings = tr.effects.filter((e) => e.is(set));
  if (!tr.docChanged && !settings.length) return [];
  return tr.startState
    .field(places)
    .map((p, index) => ({ p, index }))
    .filter(({ p, index }) => settings.some((e) => e.value.index === index) || touched(p, tr))
    .map(({ p, index }) => set.of({ index, from: p.from, to: p.to, choice: p.choice }));
});

const takenOver = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, tr) => marks.map(tr.changes),
  provide: (f) => EditorView.decorations.from(f),
});

/** How long a piece of a text is in the document of the editor. */
const lengthOf = (piece: string, at: number) => read(at === 0 ? piece : "." + piece).doc.length - (at === 0 ? 0 : 1);

/** The result so far, and what an editor needs to go on with it. */
export function resultOf(parts: readonly (Clean | Clash)[]): { text: string; extensions: Extension } {
  const pieces: string[] = [];
  const list: Place[] = [];
  const marks: Range<Decoration>[] = [];
  let at = 0;
  for (const p of parts) {
    const piece = p.by === "clash" ? p.mine : p.text;
    const length = lengthOf(piece, at);
    if (p.by === "clash") list.push({ clash: p, from: at, to: at + length, choice: "open" });
    if (p.by === "theirs") {
      let line = at;
      for (const text of read(piece).doc.replace(/\n$/, "").split("\n")) {
        if (length) marks.push(Decoration.line({ class: "merge-taken" }).range(line));
        line += text.length + 1;
      }
    }
    pieces.push(piece);
    at += length;
  }
  return { text: pieces.join(""), extensions: [places.init(() => list), takenOver.init(() => Decoration.set(marks)), undoable, regions] };
}

// The lines of conflicts in sight. A conflict without lines shows as a rule above the next.
const regions = EditorView.decorations.of((view) => {
  const marks: Range<Decoration>[] = [];
  const { from, to } = view.viewport;
  for (const p of placesOf(view.state)) {
    if (p.to < from || p.from > to) continue;
    const state = p.choice === "open" ? "merge-open" : "merge-decided";
    if (p.from === p.to) {
      marks.push(Decoration.line({ class: `merge-none ${state}` }).range(view.state.doc.lineAt(p.from).from));
      continue;
    }
    for (let at = Math.max(p.from, from); at < Math.min(p.to, to); ) {
      const line = view.state.doc.lineAt(at);
      marks.push(Decoration.line({ class: state }).range(line.from));
      at = line.to + 1;
    }
  }
  return Decoration.set(marks, true);
});

export const placesOf = (state: EditorState): readonly Place[] => state.field(places);

/** The conflict in whose lines the cursor stands, else -1. */
export function placeAt(state: EditorState): number {
  const at = state.selection.main.head;
  const length = state.doc.length;
  return placesOf(state).findIndex((p) => p.from <= at && (at < p.to || (at === p.to && (p.from === p.to || openAtEnd(p, length)))));
}

/** Where a position of the document stands in the exact text. */
function exactAt(text: string, at: number): number {
  if (at === 0) return 0;
  let more = text.startsWith("\uFEFF") ? 1 : 0;
  for (const { index } of text.matchAll(/\r\n/g)) {
    if (index - more >= at) break;
    more++;
  }
  return at + more;
}

/** Puts what was chosen in the place of a conflict, each byte of it, as one change that can be undone. */
export function take(state: EditorState, index: number, choice: "mine" | "theirs" | "both"): TransactionSpec {
  const p = placesOf(state)[index]!;
  const insert = choice === "both" ? takeBoth(p.clash.mine, p.clash.theirs) : p.clash[choice];
  const text = exactText(state);
  const whole = text.slice(0, exactAt(text, p.from)) + insert + text.slice(exactAt(text, p.to));
  const { doc, ends } = read(whole);
  const to = p.from + lengthOf(insert, p.from);
  return {
    changes: { from: p.from, to: p.to, insert: doc.slice(p.from, to) },
    effects: [set.of({ index, from: p.from, to, choice }), setEnds.of(ends)],
    selection: { anchor: p.from },
    scrollIntoView: true,
    annotations: isolateHistory.of("full"),
    userEvent: "input.merge",
  };
}
