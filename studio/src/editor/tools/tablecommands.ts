import { EditorSelection, type EditorState, type StateCommand } from "@codemirror/state";
import { inCode } from "./options.ts";
import { align, cellsOf, type Edit, edits, extent, isRule, parse, type Place, type Table, write } from "./tables.ts";

interface Found extends Place {
  table: Table;
  first: number; // the number of the header's line
  lines: string[];
}

/** The table that the main cursor is in. */
export function tableAt(state: EditorState): Found | undefined {
  const pos = state.selection.main.head;
  const at = state.doc.lineAt(pos);
  if (!at.text.includes("|") || inCode(state, pos)) return undefined;
  const line = (n: number) => (n < state.doc.lines ? state.doc.line(n + 1).text : "");
  const found = extent(line, state.doc.lines, at.number - 1);
  if (!found) return undefined;
  const lines = Array.from({ length: found.last - found.first + 1 }, (_, i) => line(found.first + i));
  const n = at.number - 1 - found.first;
  const next = cellsOf(at.text).findIndex((c) => pos - at.from <= c.to);
  const table = parse(lines);
  const column = next < 0 ? table.sides.length - 1 : Math.min(next, table.sides.length - 1);
  return { table, first: found.first + 1, lines, row: n === 0 ? 0 : n - 1, column };
}

const lineOf = (row: number): number => (row === 0 ? 0 : row + 1); // the rule is below the header

/** Replaces the lines that differ, and selects a cell. */
function replace(state: EditorState, f: Found, table: Table, to: Place) {
  const made = write(table);
  let [head, tail] = [0, 0];
  while (head < f.lines.length && f.lines[head] === made[head]) head++;
  while (tail < Math.min(f.lines.length, made.length) - head && f.lines.at(-1 - tail) === made.at(-1 - tail)) tail++;
  const { doc } = state;
  const insert = made.slice(head, made.length - tail);
  const gone = f.lines.length - tail - head;
  // Without lines to replace, new ones come behind the last that stays; the first always stays.
  const before = doc.line(Math.max(1, f.first + head - 1)).to;
  const changes =
    gone && insert.length
      ? { from: doc.line(f.first + head).from, to: doc.line(f.first + head + gone - 1).to, insert: insert.join("\n") }
      : { from: before, to: gone ? doc.line(f.first + head + gone - 1).to : before, insert: insert.map((l) => "\n" + l).join("") };
  let at = doc.line(f.first).from;
  for (let i = 0; i < lineOf(to.row); i++) at += made[i]!.length + 1;
  const cells = cellsOf(made[lineOf(to.row)]!);
  const cell = cells[Math.min(to.column, cells.length - 1)]!;
  return { changes, selection: EditorSelection.single(at + cell.from, at + cell.to), userEvent: "input", scrollIntoView: true };
}

const command =
  (edit: Edit): StateCommand =>
  ({ state, dispatch }) => {
    const f = tableAt(state);
    const to = f && edit(f.table, f);
    if (!f || !to) return false;
    dispatch(state.update(replace(state, f, f.table, to)));
    return true;
  };

export const tableCommands = {
  align: (({ state, dispatch }) => {
    const f = tableAt(state);
    if (!f) return false;
    dispatch(state.update(replace(state, f, align(f.table), f)));
    return true;
  }) satisfies StateCommand,
  addRow: command(edits.addRow),
  removeRow: command(edits.removeRow),
  moveRowUp: command(edits.moveRowUp),
  moveRowDown: command(edits.moveRowDown),
  addColumn: command(edits.addColumn),
  removeColumn: command(edits.removeColumn),
  moveColumnLeft: command(edits.moveColumnLeft),
  moveColumnRight: command(edits.moveColumnRight),
};

const step =
  (by: 1 | -1): StateCommand =>
  (target) => {
    const { state, dispatch } = target;
    const f = state.selection.ranges.length === 1 ? tableAt(state) : undefined;
    if (!f) return false;
    let { row, column } = f;
    column += by;
    if (column < 0) [row, column] = [row - 1, f.table.sides.length - 1];
    if (column >= f.table.sides.length) [row, column] = [row + 1, 0];
    if (row < 0) return false; // out of the table, to what has the focus before
    if (row >= f.table.rows.length) return tableCommands.addRow(target);
    const line = state.doc.line(f.first + lineOf(row));
    const cells = cellsOf(line.text);
    const cell = cells[Math.min(column, cells.length - 1)];
    if (!cell || isRule(line.text)) return false;
    dispatch(state.update({ selection: EditorSelection.single(line.from + cell.from, line.from + cell.to), scrollIntoView: true, userEvent: "select" }));
    return true;
  };

export const nextCell = step(1);
export const previousCell = step(-1);
