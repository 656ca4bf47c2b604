import { invertedEffects } from "@codemirror/commands";
import {
  Facet, RangeSet, RangeSetBuilder, RangeValue, StateEffect, StateField,
  type ChangeDesc, type EditorState, type Extension, type Range, type Text, type Transaction,
} from "@codemirror/state";

// The document of the editor has lines and no line ends, as all of CodeMirror expects. What
// ends a line is kept beside it: the end that most lines have, and a mark on the break of
// each line that ends otherwise. Text that is put in has the ends of the file by that.

export type End = "\n" | "\r\n" | "\r";

class Mark extends RangeValue {
  constructor(readonly end: End) {
    super();
  }
  override eq(other: RangeValue) {
    return other instanceof Mark && other.end === this.end;
  }
}
Mark.prototype.startSide = 1; // it does not grow with what is typed beside it
Mark.prototype.endSide = -1;

const marks: Record<End, Mark> = { "\n": new Mark("\n"), "\r\n": new Mark("\r\n"), "\r": new Mark("\r") };

/** What the document does not say about the bytes of the text. */
export interface Ends {
  bom: boolean;
  most: End;
  others: RangeSet<Mark>;
}

const BOM = "\uFEFF";

/** Divides a text into what is edited and what is kept beside it. */
export function read(text: string): { doc: string; ends: Ends } {
  const bom = text.startsWith(BOM);
  if (bom) text = text.slice(1);
  if (!text.includes("\r")) return { doc: text, ends: { bom, most: "\n", others: RangeSet.empty } };
  const found: [at: number, end: End][] = [];
  const count = { "\n": 0, "\r\n": 0, "\r": 0 };
  let shorter = 0;
  const doc = text.replace(/\r\n?|\n/g, (end, at: number) => {
    found.push([at - shorter, end as End]);
    count[end as End]++;
    shorter += end.length - 1;
    return "\n";
  });
  const most = (["\n", "\r\n", "\r"] as const).reduce((a, b) => (count[b] > count[a] ? b : a));
  const others = new RangeSetBuilder<Mark>();
  for (const [at, end] of found) if (end !== most) others.add(at, at + 1, marks[end]);
  return { doc, ends: { bom, most, others: others.finish() } };
}

/** Whether two texts say the same beside the document. */
export function sameEnds(a: Ends, b: Ends): boolean {
  return a.bom === b.bom && a.most === b.most && RangeSet.eq([a.others], [b.others]);
}

/** Where the marks are after changes; those of breaks that are deleted go. */
function follow(set: RangeSet<Mark>, changes: ChangeDesc): RangeSet<Mark> {
  if (!set.size) return set;
  changes.iterChangedRanges((fromA, toA) => {
    if (fromA < toA)
      set = set.update({ filterFrom: fromA, filterTo: toA, filter: (from, to) => from < fromA || to > toA });
  }, true);
  return set.map(changes);
}

function mapEnds(ends: Ends, changes: ChangeDesc): Ends {
  return { ...ends, others: follow(ends.others, changes) };
}

/** Replaces all that is kept beside the document, which has been changed already. */
export const setEnds = StateEffect.define<Ends>({ map: mapEnds });

/** Gives breaks that an undo brings back the ends that they had. */
const restored = StateEffect.define<RangeSet<Mark>>({ map: follow });

const initial = Facet.define<Ends, Ends>({ combine: (all) => all[0] ?? read("").ends });

export const ends = StateField.define<Ends>({
  create: (state) => state.facet(initial),
  update(value, tr) {
    if (tr.docChanged && value.others.size) {
      const old = value;
      value = mapEnds(old, tr.changes);
      if (!tr.isUserEvent("undo") && !tr.isUserEvent("redo")) value = inherit(old, value, tr);
    }
    for (const effect of tr.effects) {
      if (effect.is(setEnds)) value = effect.value;
      if (effect.is(restored)) value = { ...value, others: RangeSet.join([value.others, effect.value]) };
    }
    return value;
  },
});

/** Gives breaks that are put into a file with mixed ends the end of their line. */
function inherit(old: Ends, value: Ends, tr: Transaction): Ends {
  const add: Range<Mark>[] = [];
  tr.changes.iterChanges((fromA, _toA, fromB, _toB, inserted) => {
    if (inserted.lines < 2) return;
    const end = endAt(old, tr.startState.doc, fromA);
    if (end === old.most) return;
    let at = fromB;
    for (const line of inserted.iterLines()) {
      at += line.length;
      if (at < fromB + inserted.length) add.push(marks[end].range(at, at + 1));
      at++;
    }
  });
  return add.length ? { ...value, others: value.others.update({ add, sort: true }) } : value;
}

/** What ends the line at a position; the last line has the end of the one before it. */
function endAt(ends: Ends, doc: Text, at: number): End {
  const line = doc.lineAt(at);
  const place = line.number < doc.lines ? line.to : line.from - 1;
  let end = ends.most;
  if (place >= 0) ends.others.between(place, place + 1, (from, _to, mark) => {
    if (from === place) end = mark.end;
  });
  return end;
}

/** What an undo has to bring back of the marks that a transaction loses. */
const inverted = invertedEffects.of((tr) => {
  const old = tr.startState.field(ends);
  if (tr.effects.some((e) => e.is(setEnds))) return [setEnds.of(old)];
  if (!tr.docChanged || !old.others.size) return [];
  const lost: Range<Mark>[] = [];
  tr.changes.iterChangedRanges((fromA, toA) => {
    if (fromA < toA) old.others.between(fromA, toA, (from, to, mark) => {
      if (from >= fromA && to <= toA) lost.push(mark.range(from, to));
    });
  }, true);
  return lost.length ? [restored.of(RangeSet.of(lost, true))] : [];
});

/** The extension that keeps what read has divided off. */
export function keepEnds(value: Ends): Extension {
  return [initial.of(value), ends, inverted];
}

/** The text as it is to be saved, each byte in its place. */
export function exactText(state: EditorState): string {
  const { bom, most, others } = state.field(ends);
  const parts = [bom ? BOM : ""];
  let at = 0;
  for (const cursor = others.iter(); cursor.value; cursor.next()) {
    parts.push(state.doc.sliceString(at, cursor.from, most), cursor.value.end);
    at = cursor.to;
  }
  parts.push(state.doc.sliceString(at, state.doc.length, most));
  return parts.join("");
}
