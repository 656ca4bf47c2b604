import assert from "node:assert/strict";
import test from "node:test";
import { EditorState, type StateCommand } from "@codemirror/state";
import { nextCell, previousCell, tableCommands } from "../src/editor/tools/tablecommands.ts";
import { cellsOf, fromSpreadsheet, width } from "../src/editor/tools/tables.ts";

/** What a command makes of a text, where ^ is the cursor and ‹ › are around what is selected. */
function after(text: string, run: StateCommand): string | undefined {
  const head = text.indexOf("^");
  let state = EditorState.create({ doc: text.replace("^", ""), selection: { anchor: head } });
  if (!run({ state, dispatch: (tr) => (state = tr.state) })) return undefined;
  const { from, to } = state.selection.main;
  const s = state.doc.toString();
  return from === to ? `${s.slice(0, from)}^${s.slice(from)}` : `${s.slice(0, from)}‹${s.slice(from, to)}›${s.slice(to)}`;
}

test("cells", () => {
  for (const [line, want] of [
    ["| a | b |", "a,b"],
    ["a|b", "a,b"],
    ["|a\\|b|c|", "a\\|b,c"],
    ["| | b |", ",b"],
    ["> | a |", "a"],
    ["| a | b", "a,b"],
    ["||", ""],
  ] as const)
    assert.equal(cellsOf(line).map((c) => line.slice(c.from, c.to)).join(), want, line);
});

test("width", () => {
  for (const [text, want] of [["abc", 3], ["日本", 4], ["e\u0301", 1], ["한", 2], ["😀", 2], ["ｆ", 2]] as const) assert.equal(width(text), want, text);
});

const table = "x\n\n| a | b |\n|:-|-:|\n| 日本 | ^c |\n| d | eeeee |\n\ny|z";

test("what changes a table touches its lines only", () => {
  const cases: [string, StateCommand, string | undefined][] = [
    [table, tableCommands.align, "x\n\n| a    |     b |\n| :--- | ----: |\n| 日本 |     ‹c› |\n| d    | eeeee |\n\ny|z"],
    [table, tableCommands.addRow, "x\n\n| a | b |\n|:-|-:|\n| 日本 | c |\n| ^     |       |\n| d | eeeee |\n\ny|z"],
    [table, tableCommands.removeRow, "x\n\n| a | b |\n|:-|-:|\n| d | ‹eeeee› |\n\ny|z"],
    [table, tableCommands.moveRowDown, "x\n\n| a | b |\n|:-|-:|\n| d | eeeee |\n| 日本 | ‹c› |\n\ny|z"],
    [table, tableCommands.moveRowUp, undefined],
    [table, tableCommands.moveColumnLeft, "x\n\n|     b | a    |\n| ----: | :--- |\n|     ‹c› | 日本 |\n| eeeee | d    |\n\ny|z"],
    [table, tableCommands.moveColumnRight, undefined],
    [table, tableCommands.removeColumn, "x\n\n| a    |\n| :--- |\n| ‹日本› |\n| d    |\n\ny|z"],
    [table, nextCell, "x\n\n| a | b |\n|:-|-:|\n| 日本 | c |\n| ‹d› | eeeee |\n\ny|z"],
    [table, previousCell, "x\n\n| a | b |\n|:-|-:|\n| ‹日本› | c |\n| d | eeeee |\n\ny|z"],
    ["| ^a |\n|-|", nextCell, "| a |\n|-|\n| ^    |"],
    ["| ^a |\n|-|", previousCell, undefined],
    ["| a |\n|-|\n| ^b |", tableCommands.removeRow, "| ‹a› |\n|-|"],
    ["> | ^a | b |\n> |---|---|\n> | c |", tableCommands.addColumn, "> | a   | ^    | b   |\n> | --- | --- | --- |\n> | c   |     |     |"],
    ["no ^| table", tableCommands.align, undefined],
    ["text | more\n| a^ |\n|-|\n", tableCommands.removeRow, undefined],
  ];
  for (const [text, run, want] of cases) assert.equal(after(text, run), want, text);
});

test("cells of a spreadsheet become a table", () => {
  assert.deepEqual(fromSpreadsheet("a\tb\r\n1\t2|3\r\n", "<br>"), ["| a   | b    |", "| --- | ---- |", "| 1   | 2\\|3 |"]);
  assert.deepEqual(fromSpreadsheet('a\t"b\nc ""d"""\n1\t', "<br>"), ["| a   | b<br>c \"d\" |", "| --- | ---------- |", "| 1   |            |"]);
  for (const text of ["a\tb", "\tif x:\n\t\ty", "a\tb\nc", "text\nmore", ""]) assert.equal(fromSpreadsheet(text, "<br>"), undefined, text);
});
