import { type ChangeSpec, type EditorState, EditorSelection, type SelectionRange, type TransactionSpec } from "@codemirror/state";

// Bold, italic, code and links: put around what is selected, or the word at the cursor, and
// taken off where they are.

export interface Mark {
  chars: string; // any of them marks; the first is written
  size: number;
}

export const bold: Mark = { chars: "*_", size: 2 };
export const italic: Mark = { chars: "*_", size: 1 };
export const code: Mark = { chars: "`", size: 1 };

interface Span {
  from: number;
  to: number;
}

// What begins a block has to stay outside of a mark.
const opening = /^\s*(?:(?:>|[-*+]|\d{1,9}[.)]|#{1,6}|\[[ xX]\])\s+|>)*/;

/** The text of a selection, line by line, without blanks around it. */
function spans(state: EditorState, range: SelectionRange): Span[] {
  const found: Span[] = [];
  const last = state.doc.lineAt(range.to).number;
  for (let n = state.doc.lineAt(range.from).number; n <= last; n++) {
    const line = state.doc.line(n);
    const begins = line.from + opening.exec(line.text)![0].length;
    const from = Math.max(range.from, Math.min(begins, range.to));
    const to = Math.min(range.to, line.to);
    const text = from < to ? state.sliceDoc(from, to) : "";
    const bare = text.trim();
    if (bare) found.push({ from: from + text.indexOf(bare), to: from + text.indexOf(bare) + bare.length });
  }
  return found;
}

/** The text between marks that are there, at the edges of the span or around it, and their size. */
function marked(state: EditorState, s: Span, mark: Mark): (Span & { size: number }) | undefined {
  const text = state.sliceDoc(s.from, s.to);
  for (const c of mark.chars) {
    let { from, to } = s;
    while (from < to && text[from - s.from] === c) from++;
    while (from < to && text[to - 1 - s.from] === c) to--;
    if (from === to && text) continue;
    const before = /(.)\1*$/.exec(state.sliceDoc(Math.max(0, from - 9), from));
    const behind = /^(.)\1*/.exec(state.sliceDoc(to, to + 9));
    const run = Math.min(before?.[1] === c ? before[0].length : 0, behind?.[1] === c ? behind[0].length : 0);
    const held = c === "`" ? run > 0 : mark.size === 1 ? run % 2 === 1 : run >= 2;
    if (held) return { from, to, size: c === "`" ? run : mark.size };
  }
  return undefined;
}

/** Whether what was typed up to a position is marked, and the mark ends there. */
function ends(state: EditorState, pos: number, mark: Mark): boolean {
  const line = state.doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  const next = /^(.)\1*/.exec(line.text.slice(pos - line.from));
  const held = (run: string) => (mark.chars === "`" ? true : mark.size === 1 ? run.length % 2 === 1 : run.length >= 2);
  if (!next || !mark.chars.includes(next[1]!) || !held(next[0]) || !/\S$/.test(before) || before.endsWith(next[1]!)) return false;
  return (before.match(new RegExp(`[${next[1]}]+`, "g")) ?? []).filter(held).length % 2 === 1;
}

export function toggleMark(state: EditorState, mark: Mark): TransactionSpec {
  const spec = state.changeByRange((range) => {
    if (range.empty && ends(state, range.head, mark)) return { range: EditorSelection.cursor(range.head + mark.size) };
    const written = mark.chars[0]!.repeat(mark.size);
    let found = range.empty ? [] : spans(state, range);
    const pos = range.head;
    if (range.empty) {
      const word = state.wordAt(pos);
      const at = word ? { from: word.from, to: word.to } : { from: pos, to: pos };
      if (!word && !marked(state, at, mark)) {
        const insert = written + written;
        return { changes: { from: pos, insert }, range: EditorSelection.cursor(pos + written.length) };
      }
      found = [at];
    }
    const had = found.map((s) => marked(state, s, mark));
    const off = had.every((m) => m !== undefined);
    const changes = found.flatMap((s, i): ChangeSpec[] => {
      const m = had[i];
      if (off && m) return [{ from: m.from - m.size, to: m.from }, { from: m.to, to: m.to + m.size }];
      if (m) return [];
      const text = state.sliceDoc(s.from, s.to);
      const wide = mark.chars === "`" && text.includes("`");
      return [{ from: s.from, insert: wide ? "`` " : written }, { from: s.to, insert: wide ? " ``" : written }];
    });
    const set = state.changes(changes);
    // The selection keeps to the text: marks stay outside of it.
    const [first, last] = [found[0], found.at(-1)];
    if (range.empty || !first || !last) return { changes, range: EditorSelection.cursor(set.mapPos(pos, pos === last?.to ? -1 : 1)) };
    const anchored = EditorSelection.range(set.mapPos(first.from, 1), set.mapPos(last.to, -1));
    return { changes, range: range.head < range.anchor ? EditorSelection.range(anchored.to, anchored.from) : anchored };
  });
  return { ...spec, userEvent: "input", scrollIntoView: true };
}

const links = /!?\[((?:[^\[\]\\]|\\.)*)\]\(((?:[^()\\]|\\.|\([^()]*\))*)\)/g;
const address = /^(?:https?:\/\/|mailto:)\S+$/;

/** Makes links whose address is still to be said, or takes off those that are there. */
export function toggleLink(state: EditorState): TransactionSpec {
  const spec = state.changeByRange((range) => {
    const line = state.doc.lineAt(range.from);
    for (const m of line.text.matchAll(links)) {
      const from = line.from + m.index;
      if (m[0][0] === "!" || range.from < from || range.to > from + m[0].length) continue;
      const insert = m[1]!;
      return { changes: { from, to: from + m[0].length, insert }, range: EditorSelection.range(from, from + insert.length) };
    }
    const pos = range.head;
    const word = range.empty ? state.wordAt(pos) : null;
    const { from, to } = word ?? (range.empty ? { from: pos, to: pos } : spans(state, range)[0] ?? { from: pos, to: pos });
    const text = state.sliceDoc(from, to);
    const insert = address.test(text) ? `[](${text})` : `[${text}]()`;
    const cursor = from + (address.test(text) || !text ? 1 : insert.length - 1);
    return { changes: { from, to, insert }, range: EditorSelection.cursor(cursor) };
  });
  return { ...spec, userEvent: "input", scrollIntoView: true };
}
