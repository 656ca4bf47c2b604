import { type EditorState, EditorSelection, type SelectionRange, type TransactionSpec } from "@codemirror/state";
import { clear, endOf, textOf } from "./ends.ts";

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
    const begins = line.from + opening.exec(textOf(line))![0].length;
    const from = Math.max(range.from, Math.min(begins, range.to));
    const to = Math.min(range.to, endOf(line));
    const text = from < to ? state.sliceDoc(from, to) : "";
    const bare = text.trim();
    if (bare) found.push({ from: from + text.indexOf(bare), to: from + text.indexOf(bare) + bare.length });
  }
  return found;
}

/** How many of the mark's characters stand on both sides, in the span or around it. */
function around(state: EditorState, s: Span, mark: Mark): { inside: boolean; size: number } | undefined {
  const held = (n: number) => n > 0 && (mark.chars === "`" || (mark.size === 1 ? n % 2 === 1 : n >= 2));
  const size = (n: number) => (mark.chars === "`" ? n : mark.size);
  for (const c of mark.chars) {
    const text = state.sliceDoc(s.from, s.to);
    const run = (string: string, step: 1 | -1): number => {
      let n = 0;
      while (string.at(step === 1 ? n : -1 - n) === c && n < string.length) n++;
      return n;
    };
    const outside = Math.min(run(state.sliceDoc(Math.max(0, s.from - 9), s.from), -1), run(state.sliceDoc(s.to, s.to + 9), 1));
    if (held(outside)) return { inside: false, size: size(outside) };
    const within = Math.min(run(text, 1), run(text, -1));
    if (held(within) && text.length > 2 * within) return { inside: true, size: size(within) };
  }
  return undefined;
}

export function toggleMark(state: EditorState, mark: Mark): TransactionSpec {
  const spec = state.changeByRange((range) => {
    const written = mark.chars[0]!.repeat(mark.size);
    let found = range.empty ? [] : spans(state, range);
    const pos = clear(state, range.head);
    if (range.empty) {
      const word = state.wordAt(pos);
      const at = word ? { from: word.from, to: word.to } : { from: pos, to: pos };
      if (!word && !around(state, at, mark)) {
        const insert = written + written;
        return { changes: { from: pos, insert }, range: EditorSelection.cursor(pos + written.length) };
      }
      found = [at];
    }
    const marked = found.map((s) => around(state, s, mark));
    const off = marked.every((m) => m !== undefined);
    const changes = found.flatMap((s, i) => {
      const m = marked[i];
      if (off && m) {
        const [a, b] = m.inside ? [s.from, s.to - m.size] : [s.from - m.size, s.to];
        return [{ from: a, to: a + m.size }, { from: b, to: b + m.size }];
      }
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
    const pos = clear(state, range.head);
    const word = range.empty ? state.wordAt(pos) : null;
    const { from, to } = word ?? (range.empty ? { from: pos, to: pos } : spans(state, range)[0] ?? { from: pos, to: pos });
    const text = state.sliceDoc(from, to);
    const insert = address.test(text) ? `[](${text})` : `[${text}]()`;
    const cursor = from + (address.test(text) || !text ? 1 : insert.length - 1);
    return { changes: { from, to, insert }, range: EditorSelection.cursor(cursor) };
  });
  return { ...spec, userEvent: "input", scrollIntoView: true };
}
