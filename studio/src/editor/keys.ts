import { closeBrackets } from "@codemirror/autocomplete";
import { indentLess, indentMore, insertNewlineKeepIndent } from "@codemirror/commands";
import { syntaxTree } from "@codemirror/language";
import { EditorSelection, EditorState, type ChangeSpec, type Extension, type Line, type StateCommand } from "@codemirror/state";
import type { KeyBinding } from "@codemirror/view";

/** What a line of a list or quotation starts with. */
interface Start {
  /** "> > " */
  quote: string;
  indent: string;
  /** "-", "7." or nothing, the blanks behind it, and "[ ] ". */
  marker: string;
  gap: string;
  task: string;
}

const pattern = /^((?:[ \t]*>[ \t]?)*)([ \t]*)(?:([-+*]|\d{1,9}[.)])([ \t]+)(\[[ xX]\][ \t]+)?|)/;

export function startOf(text: string): Start {
  const [, quote = "", indent = "", marker = "", gap = "", task = ""] = pattern.exec(text)!;
  return { quote, indent, marker, gap, task };
}

function length(s: Start): number {
  return s.quote.length + s.indent.length + s.marker.length + s.gap.length + s.task.length;
}

/** Whether a place is in code, a formula or statements, where lists and quotations are none. */
export function inCode(state: EditorState, at: number): boolean {
  for (let n = syntaxTree(state).resolveInner(at, -1); ; n = n.parent!) {
    if (/^(?:FencedCode|CodeBlock|InlineCode|Formula|Module|HTMLBlock|CommentBlock)$/.test(n.name)) return true;
    if (!n.parent) return false;
  }
}

/** Goes on with a list or quotation; on a line that has nothing else, ends it. */
export const continueLine: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  let all = true;
  const spec = state.changeByRange((range) => {
    const line = state.doc.lineAt(range.from);
    const start = startOf(line.text);
    const width = length(start);
    if (!range.empty || (!start.marker && !start.quote) || range.from - line.from < width || inCode(state, range.from)) {
      all = false;
      return { range };
    }
    if (line.length === width) {
      // An item becomes an empty line of its quotation; an empty line of a quotation ends it.
      const keep = start.marker ? start.quote : "";
      return { range: EditorSelection.cursor(line.from + keep.length), changes: { from: line.from, to: line.to, insert: keep } };
    }
    const task = start.task && "[ ]" + start.task.slice(3);
    const insert = "\n" + start.quote + start.indent + following(state, line, start) + start.gap + task;
    return { range: EditorSelection.cursor(range.from + insert.length), changes: { from: range.from, insert: state.toText(insert) } };
  });
  if (!all) return false;
  dispatch(state.update(spec, { scrollIntoView: true, userEvent: "input" }));
  return true;
};

/** The marker behind that of a line: the same where the list counts by nothing but "1.". */
function following(state: EditorState, line: Line, start: Start): string {
  if (!/^\d/.test(start.marker)) return start.marker;
  const before = line.number > 1 ? startOf(state.doc.line(line.number - 1).text) : undefined;
  if (before && before.marker === start.marker && before.indent === start.indent) return start.marker;
  return Number.parseInt(start.marker, 10) + 1 + start.marker.slice(-1);
}

/** The item of a list that starts on a line, with what belongs to it. */
function itemLines(state: EditorState, line: Line): [first: number, last: number] {
  const place = line.from + length(startOf(line.text));
  for (let n = syntaxTree(state).resolveInner(place, -1); n.parent; n = n.parent)
    if (n.name === "ListItem" && state.doc.lineAt(n.from).number === line.number)
      return [line.number, state.doc.lineAt(Math.max(n.from, n.to - 1)).number];
  return [line.number, line.number];
}

/** Moves items of lists a level in or out; false where the pointer is in no item. */
function shift(by: 1 | -1): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly || state.selection.ranges.length > 1) return false;
    const { from, to } = state.selection.main;
    const first = state.doc.lineAt(from);
    if (inCode(state, from) || (from !== to && first.to < to && !startOf(first.text).marker)) return (by > 0 ? indentMore : indentLess)({ state, dispatch });
    const own = startOf(first.text);
    if (!own.marker) return false;
    const column = own.indent.length;
    let goal = by > 0 ? column : 0;
    for (let n = first.number - 1; n > 0; n--) {
      const above = startOf(state.doc.line(n).text);
      if (!above.marker || above.indent.length > column || (by < 0 && above.indent.length === column)) continue;
      if (by < 0) goal = above.indent.length;
      else if (above.indent.length === column) goal = column + above.marker.length + Math.min(above.gap.length, 4);
      break;
    }
    const changes: ChangeSpec[] = [];
    for (let n = first.number, last = first.number; n <= last; n++) {
      const line = state.doc.line(n);
      if (line.from <= to) last = Math.max(last, itemLines(state, line)[1]);
      const start = startOf(line.text);
      const at = line.from + start.quote.length;
      if (goal > column && line.length > start.quote.length) changes.push({ from: at, insert: " ".repeat(goal - column) });
      if (goal < column) changes.push({ from: at, to: at + Math.min(column - goal, start.indent.length) });
      if (n === last && line.to < to) last++;
    }
    if (goal !== column) dispatch(state.update({ changes, userEvent: by > 0 ? "input.indent" : "delete.dedent", scrollIntoView: true }));
    return true;
  };
}

export const shiftIn = shift(1);
export const shiftOut = shift(-1);

const none = [{ closeBrackets: { brackets: [] } }];
const pairs = [{ closeBrackets: { brackets: ["(", "[", "{", '"', "'", "`"] } }];

/** Brackets are closed in code only: in prose what is put in behind is in the way. */
export const closing: Extension = [closeBrackets(), EditorState.languageData.of((state, at) => (inCode(state, at) ? pairs : none))];

export const keys: readonly KeyBinding[] = [
  { key: "Enter", run: continueLine },
  { key: "Enter", run: insertNewlineKeepIndent, shift: insertNewlineKeepIndent },
  // Elsewhere Tab goes to what is next on the page, as it does without an editor.
  { key: "Tab", run: shiftIn, shift: shiftOut },
];
